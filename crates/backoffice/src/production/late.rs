//! When an item is due, and whether it is late.

use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::limits;
use pressline_domain::store::StoreSettings;
use pressline_domain::time::Timestamp;

/// Returns when the shop has promised to have sent an item: so long after it became ready for the first time as its
/// store's setting says. `None` if it was never ready, or the store is promised nothing.
pub fn due_at(item: &ItemState, settings: &StoreSettings) -> Option<Timestamp> {
    let seconds = settings.promise_seconds.unwrap_or(limits::USUAL_PROMISE);
    let ready_at = item.ready_at.filter(|_| seconds > 0)?;
    Some(ready_at.plus_millis(i64::from(seconds) * 1000))
}

/// Returns whether an item is late: still ready or in production when it is due.
pub fn is_late(item: &ItemState, settings: &StoreSettings, now: Timestamp) -> bool {
    item.status.is_at_work() && due_at(item, settings).is_some_and(|due| due <= now)
}

/// Returns whether the promise for an item was not kept: it is late, or the last of it was sent when it was late.
pub fn missed_promise(
    item: &ItemState,
    sent_at: Option<Timestamp>,
    settings: &StoreSettings,
    now: Timestamp,
) -> bool {
    let was_sent = matches!(
        item.status,
        ItemStatus::Fulfilled | ItemStatus::Delivered | ItemStatus::Returned
    );
    let due = due_at(item, settings).filter(|_| was_sent);
    let sent_late = due.zip(sent_at).is_some_and(|(due, sent)| due <= sent);
    sent_late || is_late(item, settings, now)
}
