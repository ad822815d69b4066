//! Putting items on hold.

use super::ask::{SelectionOrRequest, ask, select_or_ask};
use super::decision::{Context, Decision, DecisionResult, Refusal};
use super::holder::Holder;
use super::item_state::ItemState;
use super::pending::ChangeRequest;
use super::revision::Revision;
use super::select::{Effect, check_reason, row_for};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::check::IssueCode;
use crate::event::{EventType, Role};
use crate::value::{ChangeId, ItemId, Timestamp};

/// One leap year. Holds without an end are not limited.
const LONGEST_HOLD_MILLIS: i64 = 366 * 24 * 60 * 60 * 1000;

/// The items to put on hold, and the time at which the hold ends.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldCommand {
    /// Items to hold; `None` for all items that the caller can hold.
    pub items: Option<Vec<ItemId>>,
    /// Time at which the hold ends by itself; `None` for a hold without end.
    pub until: Option<Timestamp>,
    /// Id for the pending change if the print shop must decide the hold; otherwise unused.
    pub change: ChangeId,
}

/// Puts the items of `command` on hold. For an item that the caller already holds, a time in
/// `command.until` becomes the new end of the hold, and `None` changes nothing. A store's call that
/// changes an item of stage [`Stage::AtWork`](super::Stage::AtWork) becomes a request, which the
/// print shop decides. But a call that only moves the ends of holds takes effect immediately.
pub fn hold(order: &Snapshot, command: &HoldCommand, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    check_until(command.until, context.now)?;
    // The table of commands lets only stores and operators hold items.
    let holder = match context.role() {
        Role::Store => Holder::Store,
        _ => Holder::Operator,
    };
    let has_other_end = |item: &ItemState| {
        let can = row_for(order, item, Command::Hold, context).is_some();
        can && command.until.is_some() && item.hold_until != command.until
    };
    let request = ChangeRequest::Hold {
        items: command.items.clone(),
        until: command.until,
    };
    let given = command.items.as_deref();
    let answered = select_or_ask(order, given, Command::Hold, &request, context, |item| {
        let is_held = item.status == ItemStatus::OnHold;
        is_held.then(|| {
            if has_other_end(item) {
                Effect::Moves
            } else {
                Effect::Unchanged
            }
        })
    })?;
    let items = match answered {
        SelectionOrRequest::Unchanged => return Ok(Decision::Unchanged),
        SelectionOrRequest::Asked(items) if !items.iter().all(|id| is_held(order, *id)) => {
            return ask(revision, (command.change, request), items, Vec::new());
        }
        // A store can move the end of its own hold without a request, for items in production too.
        SelectionOrRequest::Asked(items) | SelectionOrRequest::Now(items) => items,
    };
    check_reason(order, &items, Command::Hold, context)?;
    for id in items {
        put_on_hold(&mut revision, id, holder, command.until);
    }
    revision.finish(EventType::OrderHeld)
}

fn is_held(order: &Snapshot, id: ItemId) -> bool {
    let item = order.state.item(id);
    item.is_some_and(|item| item.status == ItemStatus::OnHold)
}

pub(super) fn put_on_hold(
    revision: &mut Revision<'_>,
    id: ItemId,
    holder: Holder,
    until: Option<Timestamp>,
) {
    revision.go(id, ItemStatus::OnHold);
    if let Some(item) = revision.item_mut(id) {
        item.held_by = Some(holder);
        item.hold_until = until;
    }
}

fn check_until(until: Option<Timestamp>, now: Timestamp) -> Result<(), Refusal> {
    let Some(until) = until else {
        return Ok(());
    };
    let ahead = until.as_millis().saturating_sub(now.as_millis());
    if (1..=LONGEST_HOLD_MILLIS).contains(&ahead) {
        Ok(())
    } else {
        let message = "`until` must be in the future and at most 366 days ahead";
        Err(Refusal::invalid("until", IssueCode::OutOfRange, message))
    }
}
