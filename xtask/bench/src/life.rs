//! What moves of an order, as the service stores it: its state and its first event. The items are in their
//! window, which ends far in the future: changes apply at once, and nothing falls due.

use crate::BenchError;
use crate::rows::{OrderNumber, StoreRef};

/// The columns of a state, in the order of [`state`].
pub(crate) const STATE_COLUMNS: [&str; 10] = [
    "store_id",
    "id",
    "version",
    "updated_at",
    "last_sequence",
    "due_at",
    "cooling_off_seconds",
    "item_count",
    "items",
    "status_mask",
];
/// The columns of an event, in the order of [`event`].
pub(crate) const EVENT_COLUMNS: [&str; 10] = [
    "store_id",
    "sequence",
    "order_uuid",
    "version",
    "happened_at",
    "kind",
    "actor",
    "actor_id",
    "request_id",
    "moves",
];

/// When the windows of all items end: at the beginning of 2100, in milliseconds since 1970.
pub(crate) const WINDOW_END: &str = "4102444800000";
/// The mask of a manual order whose items are in their window.
pub(crate) const COOLING_OFF: &str = "2050";
/// The mask of a manual order whose items are on hold.
pub(crate) const ON_HOLD: &str = "2560";
/// A window in seconds, an hour.
pub(crate) const WINDOW: &str = "3600";

/// The state of a new order with so many items. The sequence of its event is its number.
pub(crate) fn state(store: &StoreRef, id: &str, items: usize, issued: OrderNumber) -> Vec<String> {
    vec![
        store.store_id.clone(),
        id.to_owned(),
        "1".to_owned(),
        issued.created_at.to_string(),
        issued.number.to_string(),
        WINDOW_END.to_owned(),
        WINDOW.to_owned(),
        items.to_string(),
        format!("[[[1,{items}],\"cooling-off\",{WINDOW_END}]]"),
        COOLING_OFF.to_owned(),
    ]
}

/// The first event of an order. Ids of the order stand in for those of the key and of the request.
pub(crate) fn event(
    store: &StoreRef,
    id: &str,
    item_ids: &[String],
    issued: OrderNumber,
) -> Result<Vec<String>, BenchError> {
    let ids = serde_json::to_string(item_ids)?;
    Ok(vec![
        store.store_id.clone(),
        issued.number.to_string(),
        id.to_owned(),
        "1".to_owned(),
        issued.created_at.to_string(),
        "order.created".to_owned(),
        "store".to_owned(),
        id.to_owned(),
        id.to_owned(),
        format!("[[{ids},\"cooling-off\"]]"),
    ])
}
