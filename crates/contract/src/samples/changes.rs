//! New orders and changes of orders, made like in the use cases.

use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, Change, Context, Decision, place, update};
use pressline_domain::order::{NewOrder, Order, OrderParts};
use pressline_domain::value::{KeyId, OperatorId, Timestamp};
use uuid::Uuid;

use crate::CaseError;

/// Cooling-off window of orders, in seconds.
const WINDOW: u32 = 60 * 60;

/// Places an order as a store's request does, at its creation time.
///
/// # Errors
/// Returns an error if `parts` are invalid.
pub fn placed(parts: OrderParts) -> Result<NewOrder, CaseError> {
    let caller = Caller {
        actor: Actor::Store(KeyId::new(Uuid::from_u128(1))),
        request_id: Some("req-1".to_owned()),
    };
    let placement = place(&parts, WINDOW, &caller.at(parts.created_at()))?;
    Ok(NewOrder::new(parts, placement)?)
}

/// Changes the content of an order, with an operator's permissions.
///
/// # Errors
/// Returns an error if `parts` equal the current content or are invalid.
pub fn changed(order: &Order, parts: OrderParts, at: Timestamp) -> Result<Change, CaseError> {
    let caller = Caller::new(Actor::Operator(OperatorId::new(Uuid::from_u128(2))));
    let context = Context {
        reason: Some("because".to_owned()),
        ..caller.at(at)
    };
    made(update(order, parts, &context)?)
}

/// Returns the change of a decision.
///
/// # Errors
/// Returns an error if the decision changes nothing.
pub fn made(decision: Decision) -> Result<Change, CaseError> {
    match decision {
        Decision::Changed(change) => Ok(*change),
        Decision::Unchanged => Err(CaseError::new("nothing changes")),
    }
}

/// Returns the order after `change`. Its last event gets the sequence number of `stored`.
pub fn after(change: &Change, stored: &Order) -> Order {
    change.order.with_sequence(stored.state.last_sequence)
}
