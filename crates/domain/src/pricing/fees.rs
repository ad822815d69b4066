//! The bill of an order: fee lines, their sums by fee type, and the total.

use std::fmt::{Arguments, Write as _};

use crate::value::{Amount, ItemId, MoneyError};

/// Initial capacity for [`FeeLine::rule`], in bytes: enough for most rules.
const USUAL_RULE: usize = 96;

pressline_kit::named! {
    /// Type of fee. Lines of one type add up to one fee of the order.
    #[derive(PartialOrd, Ord)]
    pub enum FeeType {
        /// Unit prices multiplied by quantities.
        Product = "product",
        /// Cost of shipping, computed from the shipping rates.
        Shipping = "shipping",
        /// Extra fees of print areas with a file, and surcharges of the fee schedule.
        Surcharge = "surcharge",
        /// Handling of a label that the store prepared.
        Handling = "handling",
        /// Other fees that do not concern shipping.
        Other = "other",
        /// Other fees that concern shipping.
        OtherShipping = "otherShipping",
    }
}

impl FeeType {
    /// Types of fee that rules of a fee schedule can charge.
    pub const BY_RULE: [Self; 4] = [
        Self::Surcharge,
        Self::Handling,
        Self::Other,
        Self::OtherShipping,
    ];

    /// Returns the name of the order's field for the fee in responses, such as `shippingFee`.
    pub fn field(self) -> &'static str {
        match self {
            Self::Product => "productCost",
            Self::Shipping => "shippingFee",
            Self::Surcharge => "surchargeFee",
            Self::Handling => "handleFee",
            Self::Other => "otherFee",
            Self::OtherShipping => "otherShippingFee",
        }
    }
}

/// Line of a bill: an amount of a fee, with the rule that gave the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct FeeLine {
    /// Fee that the line is a part of.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub fee: FeeType,
    /// Item that the line belongs to; `None` for several items or the whole order.
    #[cfg_attr(feature = "serde", serde(rename = "itemId"))]
    pub item: Option<ItemId>,
    /// Amount in the order's currency.
    pub amount: Amount,
    /// The rule in words: `Standard to Zone 1: 4.99 USD for the first unit`.
    pub rule: String,
}

pub(crate) fn rule_text(text: Arguments<'_>) -> String {
    let mut rule = String::with_capacity(USUAL_RULE);
    // Writing to a string cannot fail.
    let _ = rule.write_fmt(text);
    rule
}

/// Bill of an order. A fee without a line does not apply, is unknown, or is [free](Bill::free).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "saved::SavedBill", into = "saved::SavedBill")
)]
pub struct Bill {
    lines: Vec<FeeLine>,
    /// In the order of [`FeeType::ALL`]; `None` if the fee does not apply or is unknown.
    fees: [Option<Amount>; 6],
    total: Amount,
}

impl Bill {
    /// Creates a bill of `lines`. A fee without a line is 0 if `free` contains it, else unknown.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the total does not fit.
    pub fn new(
        lines: Vec<FeeLine>,
        free: impl IntoIterator<Item = FeeType>,
    ) -> Result<Self, MoneyError> {
        let mut bill = Self::default();
        for fee in free {
            bill.know(fee);
        }
        for line in &lines {
            bill.count(line)?;
        }
        Ok(Self { lines, ..bill })
    }

    pub(crate) fn free_of(fees: &[FeeType]) -> Self {
        let mut bill = Self::default();
        for fee in fees {
            bill.know(*fee);
        }
        bill
    }

    /// Makes the fee known: 0 if `lines` is empty. Does nothing if `lines` is `None`.
    pub(crate) fn charge(
        &mut self,
        fee: FeeType,
        lines: Option<Vec<FeeLine>>,
    ) -> Result<(), MoneyError> {
        let Some(lines) = lines else { return Ok(()) };
        self.know(fee);
        for line in &lines {
            self.count(line)?;
        }
        self.lines.extend(lines);
        Ok(())
    }

    fn know(&mut self, fee: FeeType) {
        if let Some(sum) = self.fees.get_mut(fee as usize) {
            sum.get_or_insert(Amount::ZERO);
        }
    }

    fn count(&mut self, line: &FeeLine) -> Result<(), MoneyError> {
        // No fee can be out of range if the total is in range, because no line is negative.
        self.total = self.total.plus(line.amount)?;
        if let Some(sum) = self.fees.get_mut(line.fee as usize) {
            *sum = Some(sum.unwrap_or(Amount::ZERO).plus(line.amount)?);
        }
        Ok(())
    }

    /// Returns the lines of all fees.
    pub fn lines(&self) -> &[FeeLine] {
        &self.lines
    }

    /// Returns the fee of this type; `None` if it does not apply or is unknown.
    pub fn fee(&self, fee: FeeType) -> Option<Amount> {
        self.fees.get(fee as usize).copied().flatten()
    }

    /// Returns all fees, in the order of [`FeeType::ALL`]; `None` as for [`fee`](Self::fee).
    pub fn fees(&self) -> [Option<Amount>; 6] {
        self.fees
    }

    /// Returns the fees known to be 0 without a line, such as the surcharge without extra fees.
    pub fn free(&self) -> impl Iterator<Item = FeeType> {
        let has_line = |fee| self.lines.iter().any(|line| line.fee == fee);
        FeeType::ALL
            .into_iter()
            .filter(move |fee| self.fee(*fee) == Some(Amount::ZERO) && !has_line(*fee))
    }

    /// Returns the types in `fees` for which the bill has no amount.
    pub fn missing(&self, fees: &[FeeType]) -> impl Iterator<Item = FeeType> {
        let fees = fees.iter().copied();
        fees.filter(|fee| self.fee(*fee).is_none())
    }

    /// Returns the sum of all lines.
    pub fn total(&self) -> Amount {
        self.total
    }

    pub(crate) fn total_with(
        &self,
        replaced: FeeType,
        amount: Amount,
    ) -> Result<Amount, MoneyError> {
        let others = FeeType::ALL.into_iter().filter(|fee| *fee != replaced);
        others
            .filter_map(|fee| self.fee(fee))
            .try_fold(amount, Amount::plus)
    }
}

#[cfg(feature = "serde")]
mod saved {
    use super::{Bill, FeeLine, FeeType};
    use crate::value::MoneyError;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct SavedBill {
        fee_lines: Vec<FeeLine>,
        free_fees: Vec<FeeType>,
    }

    impl From<Bill> for SavedBill {
        fn from(bill: Bill) -> Self {
            Self {
                free_fees: bill.free().collect(),
                fee_lines: bill.lines().to_vec(),
            }
        }
    }

    impl TryFrom<SavedBill> for Bill {
        type Error = MoneyError;

        fn try_from(saved: SavedBill) -> Result<Self, MoneyError> {
            Self::new(saved.fee_lines, saved.free_fees)
        }
    }
}
