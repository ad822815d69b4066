//! The bill of an order: lines, the fees that they add up to, and the total.

use std::fmt::{Arguments, Write as _};

use crate::id::ItemId;
use crate::money::{Amount, MoneyError};

/// Room for the rule of most lines, in bytes, so that its text does not grow piece by piece.
const USUAL_RULE: usize = 96;

pressline_kit::named! {
    /// The fees that an order can have.
    #[derive(PartialOrd, Ord)]
    pub enum FeeType {
        /// Unit costs times quantities.
        Product = "product",
        /// Shipping by the rate table.
        Shipping = "shipping",
        /// Extra fees of print areas in use, and surcharges of the fee schedule.
        Surcharge = "surcharge",
        /// For handling a prepared label.
        Handling = "handling",
        /// Anything else.
        Other = "other",
        /// Anything else about shipping.
        OtherShipping = "otherShipping",
    }
}

impl FeeType {
    /// Those that rules of the fee schedule can charge.
    pub const BY_RULE: [Self; 4] = [
        Self::Surcharge,
        Self::Handling,
        Self::Other,
        Self::OtherShipping,
    ];

    /// The name of the order's field that holds the fee, in responses.
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

/// A part of a fee, and the rule it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct FeeLine {
    /// The fee that it is a part of.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub fee: FeeType,
    /// The item that it is for; `None` where it is for several or for the order.
    #[cfg_attr(feature = "serde", serde(rename = "itemId"))]
    pub item: Option<ItemId>,
    /// How much, in the order's currency.
    pub amount: Amount,
    /// The rule, in words:
    /// `Standard to Zone 1: 4.99 USD for the first unit and 2 x 1.50 USD for further ones`.
    pub rule: String,
}

pub(super) fn rule_text(text: Arguments<'_>) -> String {
    let mut rule = String::with_capacity(USUAL_RULE);
    // Writing to a string cannot fail.
    let _ = rule.write_fmt(text);
    rule
}

/// The bill of an order: the lines that its fees are made of.
///
/// A fee without a line does not apply or is not known, unless it is [free](Bill::free).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde::SavedBill", into = "crate::serde::SavedBill")
)]
pub struct Bill {
    lines: Vec<FeeLine>,
    /// The sum of the lines of each type, in the order of [`FeeType::ALL`].
    fees: [Option<Amount>; 6],
    total: Amount,
}

impl Bill {
    /// Makes the bill of these lines, with these fees known to be zero where they have no line.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] where the total does not fit.
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

    /// Adds the lines of a fee, which is then known, also without a line; `None` leaves it unknown.
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
        // A part of the total cannot be out of range where the total is not.
        self.total = self.total.plus(line.amount)?;
        if let Some(sum) = self.fees.get_mut(line.fee as usize) {
            *sum = Some(sum.unwrap_or(Amount::ZERO).plus(line.amount)?);
        }
        Ok(())
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[FeeLine] {
        &self.lines
    }

    /// Returns the fee of a type; `None` if it does not apply or is not known.
    pub fn fee(&self, fee: FeeType) -> Option<Amount> {
        self.fees.get(fee as usize).copied().flatten()
    }

    /// Returns all fees, in the order of [`FeeType::ALL`].
    pub fn fees(&self) -> [Option<Amount>; 6] {
        self.fees
    }

    /// Returns the fees that are known to be zero although they have no line, such as the surcharge
    /// of an order whose print areas cost nothing extra.
    pub fn free(&self) -> impl Iterator<Item = FeeType> {
        let has_line = |fee| self.lines.iter().any(|line| line.fee == fee);
        FeeType::ALL
            .into_iter()
            .filter(move |fee| self.fee(*fee) == Some(Amount::ZERO) && !has_line(*fee))
    }

    /// Returns those of these fees that are not known.
    pub fn missing(&self, fees: &[FeeType]) -> impl Iterator<Item = FeeType> {
        let fees = fees.iter().copied();
        fees.filter(|fee| self.fee(*fee).is_none())
    }

    /// Returns the sum of all lines.
    pub fn total(&self) -> Amount {
        self.total
    }

    /// Returns the sum of this amount and of all lines but those of a fee, which it replaces.
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
