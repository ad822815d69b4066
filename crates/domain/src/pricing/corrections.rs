//! Fee lines that operators add. They are stored apart from the lines of pricing rules, and pricing
//! an order again does not change them.

use crate::check::checked::{Checked, Rules, rules_broken};
use crate::pricing::fees::{Bill, FeeType};
use crate::value::{Amount, CorrectionId, ItemId, MAX_MINOR_UNITS, MoneyError};

/// A fee line that an operator added.
pub type Correction = Checked<CorrectionParts>;

/// Public fields of a [`Correction`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct CorrectionParts {
    /// The service's id of the fee line.
    pub id: CorrectionId,
    /// Fee that the line changes.
    pub fee: FeeType,
    /// Item that the line belongs to; `None` for the whole order.
    pub item: Option<ItemId>,
    /// Amount in minor units of the order's currency; negative if the line lowers the fee.
    pub amount: i64,
    /// Reason for the fee line, in words; not blank.
    pub reason: String,
}

/// Rule that a [`CorrectionParts`] value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectionError {
    /// `amount` is 0, or its absolute value is more than [`MAX_MINOR_UNITS`].
    #[error("the line must change its fee by 1 to {MAX_MINOR_UNITS} minor units, up or down")]
    Amount,
    /// `reason` is blank.
    #[error("the reason of an operator's fee line must not be blank")]
    Reason,
}

impl Rules for CorrectionParts {
    type Broken = CorrectionError;

    fn broken(&self) -> Vec<CorrectionError> {
        let is_in_range = self.amount != 0 && self.amount.unsigned_abs() <= MAX_MINOR_UNITS as u64;
        rules_broken([
            (!is_in_range, CorrectionError::Amount),
            (self.reason.trim().is_empty(), CorrectionError::Reason),
        ])
    }
}

pressline_kit::named! {
    /// Whether pricing computed a fee line, or an operator added it.
    pub enum LineOrigin {
        /// Pricing computed the line from a price, a shipping rate or a rule of the fee schedule.
        Rule = "rule",
        /// An operator added the line.
        Operator = "operator",
    }
}

/// Fee line of a [`CorrectedBill`]: computed by pricing, or added by an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectedLine<'a> {
    /// Whether pricing computed the line or an operator added it.
    pub origin: LineOrigin,
    /// Fee that the line is a part of.
    pub fee: FeeType,
    /// Item that the line belongs to; `None` for several items or the whole order.
    pub item: Option<ItemId>,
    /// Amount in minor units of the order's currency; negative if it lowers the fee.
    pub amount: i64,
    /// Explanation of the line: the pricing rule in words, or the operator's reason.
    pub rule: &'a str,
}

/// Bill with operators' fee lines. A fee without lines is 0, does not apply or is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CorrectedBill<'a> {
    lines: Vec<CorrectedLine<'a>>,
    /// In the order of [`FeeType::ALL`]; `None` if the fee does not apply or is unknown.
    fees: [Option<Amount>; 6],
    total: Amount,
}

impl<'a> CorrectedBill<'a> {
    /// Adds the operators' fee lines `corrections` to `bill`. Reduces the amount of a negative line
    /// if the line would make its fee negative.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the total does not fit.
    pub fn new(bill: &'a Bill, corrections: &'a [Correction]) -> Result<Self, MoneyError> {
        let mut fees = bill.fees();
        let mut lines: Vec<CorrectedLine<'a>> = bill.lines().iter().map(of_rule).collect();
        // Positive lines first, because the limit of a negative line depends on all of them.
        let (positive, negative): (Vec<_>, Vec<_>) =
            corrections.iter().partition(|line| line.amount > 0);
        for correction in positive.into_iter().chain(negative) {
            let Some(fee) = fees.get_mut(correction.fee as usize) else {
                continue;
            };
            let sum = fee.unwrap_or(Amount::ZERO).minor_units();
            let amount = correction.amount.max(-sum);
            // A line reduced to 0 is not shown, and does not make an unknown fee known.
            if fee.is_none() && amount == 0 {
                continue;
            }
            *fee = Some(Amount::from_minor(sum.saturating_add(amount))?);
            lines.push(of_operator(correction, amount));
        }
        let known = fees.iter().flatten();
        let total = known.copied().try_fold(Amount::ZERO, Amount::plus)?;
        Ok(Self { lines, fees, total })
    }

    /// Returns the lines of all fees, operators' lines last.
    pub fn lines(&self) -> &[CorrectedLine<'a>] {
        &self.lines
    }

    /// Returns the fee of this type; `None` if it does not apply or is unknown.
    pub fn fee(&self, fee: FeeType) -> Option<Amount> {
        self.fees.get(fee as usize).copied().flatten()
    }

    /// Returns the sum of all known fees.
    pub fn total(&self) -> Amount {
        self.total
    }
}

fn of_rule(line: &super::fees::FeeLine) -> CorrectedLine<'_> {
    CorrectedLine {
        origin: LineOrigin::Rule,
        fee: line.fee,
        item: line.item,
        amount: line.amount.minor_units(),
        rule: &line.rule,
    }
}

fn of_operator(line: &Correction, amount: i64) -> CorrectedLine<'_> {
    CorrectedLine {
        origin: LineOrigin::Operator,
        fee: line.fee,
        item: line.item,
        amount,
        rule: &line.reason,
    }
}
