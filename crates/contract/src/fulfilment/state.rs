//! Invariants of every order and of every change.

use pressline_domain::fulfilment::{Holder, ItemState, ItemStatus, SnapshotParts};
use pressline_domain::order::LineItem;
use pressline_domain::value::{ItemId, Timestamp};

use super::goods::is_complete;
use super::table::{is_delivered, is_returned, shipped};
use crate::check::{holds, same};
use crate::{CaseError, CaseResult};

/// Pairs the state of each item with its content.
fn items(order: &SnapshotParts) -> impl Iterator<Item = (&ItemState, &LineItem)> {
    order.state.items.iter().zip(&order.content.items)
}

pub(super) fn check_order(order: &SnapshotParts) -> CaseResult {
    let lines = order.content.items.iter().map(|item| item.id);
    let states = order.state.items.iter().map(|item| item.id);
    holds("content and state have the same items", lines.eq(states))?;
    for (item, line) in items(order) {
        let what = format!("item {} in {}", item.number, item.status);
        check_item(order, item, line).map_err(|error| error.in_context(&what))?;
    }
    check_numbers(order)?;
    check_pending(order)?;
    same("due at", &order.state.due_at, &due_at(order))
}

fn check_item(order: &SnapshotParts, item: &ItemState, line: &LineItem) -> CaseResult {
    use ItemStatus::{Cancelled, CoolingOff, NeedAction, OnHold, PendingDesign, RequestChange};
    let is_suspended = matches!(item.status, RequestChange | NeedAction | OnHold);
    same(
        "it returns somewhere",
        &item.returns_to.is_some(),
        &is_suspended,
    )?;
    let is_held = item.status == OnHold;
    same("whether it is held", &item.held_by.is_some(), &is_held)?;
    holds(
        "a hold that is none ends",
        is_held || item.hold_until.is_none(),
    )?;
    let base = item.returns_to.unwrap_or(item.status);
    match base {
        PendingDesign => holds("it is incomplete", !is_complete(line))?,
        CoolingOff => holds("it is complete", is_complete(line))?,
        _ => {}
    }
    if matches!(base, PendingDesign | CoolingOff) {
        holds("an early item was never ready", item.ready_at.is_none())?;
        same(
            "it has a window",
            &item.window_end.is_some(),
            &(base == CoolingOff),
        )?;
    } else if base != Cancelled {
        holds("it was ready once", item.ready_at.is_some())?;
    }
    check_status(order, item, line)
}

/// Checks the invariants of an item in its status.
fn check_status(order: &SnapshotParts, item: &ItemState, line: &LineItem) -> CaseResult {
    use ItemStatus::{
        Cancelled, CoolingOff, Delivered, Fulfilled, InProduction, NeedAction, PendingDesign,
        Ready, RequestChange, Returned,
    };
    let (units, all) = (shipped(order, item.id), line.quantity);
    same("shipped units", &item.shipped_quantity, &units)?;
    holds("more units are shipped than there are", units <= all)?;
    let (delivered, returned) = (is_delivered(order, item.id), is_returned(order, item.id));
    match item.status {
        PendingDesign | CoolingOff | Ready | Cancelled => same("shipped units", &units, &0),
        InProduction => holds("some units are left", units < all),
        Fulfilled => holds(
            "its parcels are under way",
            units == all && !delivered && !returned,
        ),
        Delivered => holds("its parcels are delivered", units == all && delivered),
        Returned => holds("its parcels have come back", units == all && returned),
        NeedAction => {
            let mut needs = order.state.needs.iter();
            holds(
                "something is needed",
                needs.any(|need| need.items.contains(&item.id)),
            )
        }
        RequestChange => {
            let pending = order.state.pending.as_ref();
            let asked = pending.map_or(&[][..], |pending| pending.asked.as_slice());
            holds(
                "a change is asked for",
                asked.iter().any(|asked| asked.id == item.id),
            )
        }
        _ => Ok(()),
    }
}

fn check_numbers(order: &SnapshotParts) -> CaseResult {
    let mut numbers: Vec<u32> = order.state.items.iter().map(|item| item.number).collect();
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    same("numbers of items, each once", &numbers.len(), &count)?;
    let last = numbers.last().copied().unwrap_or_default();
    holds(
        "the highest number was counted",
        last <= order.state.item_count,
    )
}

fn status_of(order: &SnapshotParts, id: ItemId) -> Option<ItemStatus> {
    let mut items = order.state.items.iter();
    items.find(|item| item.id == id).map(|item| item.status)
}

/// Checks that needs and the pending change name items in suitable statuses.
fn check_pending(order: &SnapshotParts) -> CaseResult {
    for need in &order.state.needs {
        holds("a need of no item", !need.items.is_empty())?;
        let pending = order.state.pending.as_ref().map(|pending| pending.id);
        let is_asked = need.change.is_none() || need.change == pending;
        holds("a question about a change that is over", is_asked)?;
        for id in &need.items {
            let is_open =
                status_of(order, *id).is_some_and(|status| status != ItemStatus::Cancelled);
            holds("a need of an item that was removed", is_open)?;
        }
    }
    let Some(pending) = &order.state.pending else {
        return Ok(());
    };
    holds("a change of no item", !pending.items.is_empty())?;
    for id in &pending.items {
        let is_open = status_of(order, *id).is_some_and(|status| status != ItemStatus::Cancelled);
        holds("a change of an item that was removed", is_open)?;
    }
    let all = pending
        .asked
        .iter()
        .all(|asked| pending.items.contains(&asked.id));
    holds(
        "an item was asked for that the change does not concern",
        all,
    )
}

/// Returns the due time of the order: the earliest end of a hold, or the last end of its items'
/// windows if that is earlier. While an item waits for files, windows do not count.
fn due_at(order: &SnapshotParts) -> Option<Timestamp> {
    let items = &order.state.items;
    let holds = items.iter().filter_map(|item| item.hold_until);
    let is_waiting = |status| matches!(status, ItemStatus::PendingDesign | ItemStatus::CoolingOff);
    let waiting = items.iter().filter(|item| is_waiting(item.status));
    let ends: Option<Vec<Timestamp>> = waiting
        .map(|item| {
            item.window_end
                .filter(|_| item.status == ItemStatus::CoolingOff)
        })
        .collect();
    let window = ends.and_then(|ends| ends.into_iter().max());
    holds.chain(window).min()
}

/// Checks the parts that a change at `now` must keep, and version and time, which it must set.
pub(super) fn check_change(
    before: &SnapshotParts,
    after: &SnapshotParts,
    now: Timestamp,
) -> CaseResult {
    same("version", &after.state.version, &(before.state.version + 1))?;
    same("time of the change", &after.state.updated_at, &now)?;
    let window = (
        before.state.cooling_off_seconds,
        after.state.cooling_off_seconds,
    );
    same("the window of the store", &window.0, &window.1)?;
    let (one, other) = (&before.content, &after.content);
    same("the id", &one.id, &other.id)?;
    same("the fingerprint", &one.fingerprint, &other.fingerprint)?;
    for (item, line) in items(after) {
        let old = items(before).find(|(old, _)| old.id == item.id);
        let what = format!("item {} in {}", item.number, item.status);
        let checked = match old {
            Some((old, old_line)) => check_kept(old, old_line, item, line, after, now),
            None => check_added(before, item, line, after, now),
        };
        checked.map_err(|error| error.in_context(&what))?;
    }
    // Items with shipped units are never removed.
    let removed = items(before).filter(|(item, _)| status_of(after, item.id).is_none());
    for (item, _) in removed {
        let is_done = matches!(
            item.status,
            ItemStatus::Fulfilled | ItemStatus::Delivered | ItemStatus::Returned
        );
        let what = format!("item {} in {} was removed", item.number, item.status);
        holds(&what, !is_done && shipped(before, item.id) == 0)?;
    }
    Ok(())
}

fn window_from(now: Timestamp, order: &SnapshotParts) -> Option<Timestamp> {
    let millis = i64::from(order.state.cooling_off_seconds) * 1000;
    Some(Timestamp::from_millis(now.as_millis() + millis))
}

fn check_kept(
    old: &ItemState,
    old_line: &LineItem,
    item: &ItemState,
    line: &LineItem,
    after: &SnapshotParts,
    now: Timestamp,
) -> CaseResult {
    same("number", &item.number, &old.number)?;
    holds(
        "it was ready before",
        old.ready_at.is_none() || item.ready_at == old.ready_at,
    )?;
    let base = old.returns_to.unwrap_or(old.status);
    let is_early = matches!(base, ItemStatus::PendingDesign | ItemStatus::CoolingOff);
    // Completing an early item starts its window; making it incomplete removes the window.
    let end = match (is_complete(old_line), is_complete(line)) {
        (false, true) if is_early => window_from(now, after),
        (true, false) if is_early => None,
        _ => old.window_end,
    };
    same("the end of its window", &item.window_end, &end)?;
    // A hold changes or ends only together with the status.
    if old.status == ItemStatus::OnHold && item.status == old.status {
        same("its holder", &item.held_by, &old.held_by)?;
    }
    let is_done = matches!(
        old.status,
        ItemStatus::Fulfilled
            | ItemStatus::Delivered
            | ItemStatus::Returned
            | ItemStatus::Cancelled
    );
    if is_done {
        // The content of a finished item never changes.
        same("content of an item that is done", line, old_line)?;
    }
    Ok(())
}

fn check_added(
    before: &SnapshotParts,
    item: &ItemState,
    line: &LineItem,
    after: &SnapshotParts,
    now: Timestamp,
) -> CaseResult {
    holds(
        "a new item has a new number",
        item.number > before.state.item_count,
    )?;
    holds("a new item is held", item.held_by.is_none())?;
    let complete = is_complete(line);
    let end = if complete {
        window_from(now, after)
    } else {
        None
    };
    same("the end of its window", &item.window_end, &end)?;
    let is_pending = |item: &ItemState| item.status == ItemStatus::PendingDesign;
    let waits = after.state.items.iter().any(is_pending);
    let status = match complete {
        false => ItemStatus::PendingDesign,
        true if after.state.cooling_off_seconds == 0 && !waits => ItemStatus::Ready,
        true => ItemStatus::CoolingOff,
    };
    same("status of a new item", &item.status, &status)
}
// A new order is checked like an order to which all its items were added.

pub(super) fn check_placed(order: &SnapshotParts, now: Timestamp) -> Result<(), CaseError> {
    let mut nothing = order.clone();
    nothing.state.items.clear();
    nothing.state.item_count = 0;
    for (item, line) in items(order) {
        check_added(&nothing, item, line, order, now)?;
    }
    same("version", &order.state.version, &1)?;
    holds(
        "a holder",
        order
            .state
            .items
            .iter()
            .all(|item| item.held_by != Some(Holder::Store)),
    )?;
    check_order(order)
}
