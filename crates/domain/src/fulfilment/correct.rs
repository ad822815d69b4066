//! Fee lines that operators add.

use super::decision::{Context, DecisionResult, Refusal};
use super::revision::Revision;
use super::snapshot::Snapshot;
use crate::check::IssueCode;
use crate::event::EventType;
use crate::pricing::corrections::CorrectionParts;

/// Adds the operator's fee line `line` to `order`.
///
/// # Errors
/// [`Refusal::Invalid`] if the fee would be negative, or the fee or the total out of range;
/// [`Refusal::UnknownItem`] if `line` names an item that the order does not have.
pub fn correct_fees(order: &Snapshot, line: CorrectionParts, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    if let Some(unknown) = line.item.filter(|id| order.state.item(*id).is_none()) {
        return Err(Refusal::UnknownItem(vec![unknown]));
    }
    let bill = order
        .bill()
        .map_err(|error| out_of_range(&error.to_string()))?;
    let fee = bill.fee(line.fee).map_or(0, |fee| fee.minor_units());
    // `CorrectedBill` would silently reduce the line to the sum of the fee.
    if fee.saturating_add(line.amount) < 0 {
        return Err(out_of_range("the fee would be below zero"));
    }
    revision.correct(line)?;
    if revision.parts.bill().is_err() {
        return Err(out_of_range("the total would be out of range"));
    }
    revision.finish(EventType::OrderFeesChanged)
}

fn out_of_range(message: &str) -> Refusal {
    Refusal::invalid("amount", IssueCode::OutOfRange, message)
}
