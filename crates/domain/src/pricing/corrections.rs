//! Fee lines that operators add. They are stored apart from the lines of the rules, and survive
//! every pricing.

use crate::checked::{Checked, Rules, rules_broken};
use crate::id::{CorrectionId, ItemId};
use crate::money::{Amount, MAX_MINOR_UNITS, MoneyError};
use crate::pricing::fees::{Bill, FeeType};

/// A fee line that an operator added.
pub type Correction = Checked<CorrectionParts>;

/// Everything a [`Correction`] is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct CorrectionParts {
    /// Its id.
    pub id: CorrectionId,
    /// The fee that it changes.
    pub fee: FeeType,
    /// The item that it is for; `None` if it is for the order.
    pub item: Option<ItemId>,
    /// How much, in minor units of the order's currency; negative if it lowers the fee.
    pub amount: i64,
    /// Why.
    pub reason: String,
}

/// A rule that parts of a correction break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectionError {
    /// The amount is 0 or larger than an amount can be.
    #[error("a line changes its fee by 1 to {MAX_MINOR_UNITS} minor units, up or down")]
    Amount,
    /// There is no reason.
    #[error("a line of an operator has a reason")]
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
    /// Where a fee line comes from.
    pub enum LineOrigin {
        /// A price, a rate or a rule of the fee schedule.
        Rule = "rule",
        /// An operator.
        Operator = "operator",
    }
}

/// A fee line as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectedLine<'a> {
    /// Where it comes from.
    pub origin: LineOrigin,
    /// The fee that it is a part of.
    pub fee: FeeType,
    /// The item that it is for.
    pub item: Option<ItemId>,
    /// What it adds to the fee, in minor units; negative if it lowers it.
    pub amount: i64,
    /// The rule in words, or an operator's reason.
    pub rule: &'a str,
}

/// The fees of an order with the lines of operators. The lines of a fee add up to it exactly; a fee
/// that is `None` has no lines.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CorrectedBill<'a> {
    lines: Vec<CorrectedLine<'a>>,
    /// In the order of [`FeeType::ALL`].
    fees: [Option<Amount>; 6],
    total: Amount,
}

impl<'a> CorrectedBill<'a> {
    /// Adds the lines of operators to a bill. A negative line counts at most what the other lines
    /// of its fee sum to, so that no fee is below zero.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] where the total does not fit.
    pub fn new(bill: &'a Bill, corrections: &'a [Correction]) -> Result<Self, MoneyError> {
        let mut fees = bill.fees();
        let mut lines: Vec<CorrectedLine<'a>> = bill.lines().iter().map(of_rule).collect();
        // Positive lines first: how much a negative one counts depends on all of them.
        let (positive, negative): (Vec<_>, Vec<_>) =
            corrections.iter().partition(|line| line.amount > 0);
        for correction in positive.into_iter().chain(negative) {
            let Some(fee) = fees.get_mut(correction.fee as usize) else {
                continue;
            };
            let sum = fee.unwrap_or(Amount::ZERO).minor_units();
            let amount = correction.amount.max(-sum);
            // A line that counts nothing does not make an unknown fee known, and is not shown.
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

    /// Returns the lines.
    pub fn lines(&self) -> &[CorrectedLine<'a>] {
        &self.lines
    }

    /// Returns the fee of a type; `None` if it does not apply or is not known.
    pub fn fee(&self, fee: FeeType) -> Option<Amount> {
        self.fees.get(fee as usize).copied().flatten()
    }

    /// Returns the sum of all fees.
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
