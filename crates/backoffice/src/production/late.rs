//! Ship-by times of items.

use pressline_domain::check::limits;
use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::store::StoreSettings;
use pressline_domain::value::Timestamp;

/// Returns the time at which `item` first became ready, plus `ship_by_seconds` of its store's
/// `settings`, by default [`limits::USUAL_PROMISE`]. `None` if the item was never ready, or if
/// `ship_by_seconds` is 0.
pub fn due_at(item: &ItemState, settings: &StoreSettings) -> Option<Timestamp> {
    let seconds = settings.ship_by_seconds.unwrap_or(limits::USUAL_PROMISE);
    let ready_at = item.ready_at.filter(|_| seconds > 0)?;
    Some(ready_at.plus_millis(i64::from(seconds) * 1000))
}

/// Returns whether `item` is ready or in production at `now`, although its ship-by time has come.
pub fn is_late(item: &ItemState, settings: &StoreSettings, now: Timestamp) -> bool {
    item.status.is_at_work() && due_at(item, settings).is_some_and(|due| due <= now)
}

/// Returns whether `item` missed its ship-by time: it is overdue at `now`, or all its units were
/// sent and the last units were sent at or after the ship-by time. `sent_at` is the time at which
/// the last units were sent; `None` if no unit was sent.
pub fn missed_ship_by_time(
    item: &ItemState,
    sent_at: Option<Timestamp>,
    settings: &StoreSettings,
    now: Timestamp,
) -> bool {
    let due = due_at(item, settings).filter(|_| was_sent(item.status));
    let sent_late = due.zip(sent_at).is_some_and(|(due, sent)| due <= sent);
    sent_late || is_late(item, settings, now)
}

pub(super) fn was_sent(status: ItemStatus) -> bool {
    matches!(
        status,
        ItemStatus::Fulfilled | ItemStatus::Delivered | ItemStatus::Returned
    )
}
