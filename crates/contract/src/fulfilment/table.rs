//! The status table of commands, written down a second time and compared with the domain's
//! behaviour.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Holder, ItemState, ItemStatus, ShipmentStatus, SnapshotParts};
use pressline_domain::value::{ItemId, Timestamp};

use super::goods::is_complete;
use crate::CaseError;

/// Tables of commands and of moves, explained there.
const RULES: &str = include_str!("rules.txt");

/// Rows that may follow any command in the same change.
const FOLLOWERS: [&str; 5] = ["files", "ended", "settle", "deliver", "return"];

/// A status, and the status that a suspended item returns to.
type StatusPair = (ItemStatus, Option<ItemStatus>);

/// An item before and after a change.
struct Step<'a> {
    before: &'a SnapshotParts,
    after: &'a SnapshotParts,
    item: &'a ItemState,
    now: Timestamp,
}

/// Row about a command in `rules.txt`.
pub(super) struct CommandRow {
    name: &'static str,
    /// Names of the moves that the command makes, such as `hold`.
    pub(super) moves: &'static str,
    /// Names of the actions that offer the command; empty if none does.
    pub(super) actions: &'static str,
    /// Types of the events that the command can cause, such as `order.held`.
    pub(super) events: &'static str,
}

/// Row about a move in `rules.txt`.
struct Row {
    command: &'static str,
    from: &'static str,
    to: &'static str,
    by: &'static str,
    when: &'static str,
}

/// Returns the cells of the lines with `N` columns.
fn cells<const N: usize>() -> impl Iterator<Item = [&'static str; N]> {
    RULES.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        cells.try_into().ok()
    })
}

fn rows() -> impl Iterator<Item = Row> {
    cells().map(|[command, from, to, by, when]| Row {
        command,
        from,
        to,
        by,
        when,
    })
}

fn commands() -> impl Iterator<Item = CommandRow> {
    cells().map(|[name, moves, actions, events]| CommandRow {
        name,
        moves,
        actions,
        events,
    })
}

/// Returns the row of the command `name`.
pub(super) fn command(name: &str) -> Result<CommandRow, CaseError> {
    let row = commands().find(|row| row.name == name);
    row.ok_or_else(|| CaseError::new(format!("no command `{name}` in rules.txt")))
}

/// Returns the stage of an item with status `base`, or of a suspended item that returns to `base`.
fn stage(base: ItemStatus) -> &'static str {
    match base.as_str() {
        "pending-design" | "cooling-off" => "early",
        "ready" | "in-production" => "at-work",
        _ => "done",
    }
}

fn is_suspended(status: &str) -> bool {
    matches!(status, "request-change" | "need-action" | "on-hold")
}

impl Row {
    fn starts_at(&self, (status, returns_to): StatusPair) -> bool {
        let left_out = |word: &str| word.strip_prefix('!') == Some(status.as_str());
        let is_in =
            |word: &str| word == status.as_str() || word == stage(returns_to.unwrap_or(status));
        let mut words = self.from.split(' ');
        words.clone().any(is_in) && !words.any(left_out)
    }

    fn is_for(&self, role: Role) -> bool {
        self.by == "all" || self.by.split(' ').any(|name| name == role.as_str())
    }

    /// Returns the status that the row leads to; `None` if it does not apply.
    fn end(&self, (status, returns_to): StatusPair, step: &Step<'_>) -> Option<StatusPair> {
        let base = returns_to.unwrap_or(status);
        let target = match self.to {
            "back" => returns_to?,
            "before" => asked_before(step.before, step.item.id)?,
            "same" => status,
            name => name.parse().ok()?,
        };
        Some((target, is_suspended(target.as_str()).then_some(base)))
    }
}

fn asked_before(order: &SnapshotParts, id: ItemId) -> Option<ItemStatus> {
    let pending = order.state.pending.as_ref()?;
    let asked = pending.asked.iter().find(|asked| asked.id == id)?;
    Some(asked.before)
}

/// Returns the number of units of item `id` in shipments that are not void.
pub(super) fn shipped(order: &SnapshotParts, id: ItemId) -> u32 {
    let parcels = order
        .shipments
        .iter()
        .filter(|parcel| parcel.status != ShipmentStatus::Void);
    let units = parcels.flat_map(|parcel| &parcel.items);
    units
        .filter(|unit| unit.id == id)
        .map(|unit| unit.quantity)
        .sum()
}

fn quantity(order: &SnapshotParts, id: ItemId) -> u32 {
    let mut items = order.content.items.iter();
    items
        .find(|item| item.id == id)
        .map_or(0, |item| item.quantity)
}

/// Returns the statuses of the shipments with units of item `id`, without void shipments.
fn parcels(order: &SnapshotParts, id: ItemId) -> Vec<ShipmentStatus> {
    let holds = |items: &[pressline_domain::fulfilment::ShippedUnits]| {
        items.iter().any(|unit| unit.id == id)
    };
    let parcels = order.shipments.iter().filter(|parcel| holds(&parcel.items));
    let counted = parcels.filter(|parcel| parcel.status != ShipmentStatus::Void);
    counted.map(|parcel| parcel.status).collect()
}

/// Returns whether item `id` is in shipments, and all of them are delivered.
pub(super) fn is_delivered(order: &SnapshotParts, id: ItemId) -> bool {
    let parcels = parcels(order, id);
    !parcels.is_empty()
        && parcels
            .iter()
            .all(|status| *status == ShipmentStatus::Delivered)
}

/// Returns whether a shipment with units of item `id` was returned and no such shipment is still on
/// its way.
pub(super) fn is_returned(order: &SnapshotParts, id: ItemId) -> bool {
    let parcels = parcels(order, id);
    parcels.contains(&ShipmentStatus::Returned) && !parcels.contains(&ShipmentStatus::Shipped)
}

/// Returns whether no item of the order waits for files or for the end of its window.
fn none_left(order: &SnapshotParts) -> bool {
    let waits = |status| matches!(status, ItemStatus::PendingDesign | ItemStatus::CoolingOff);
    !order.state.items.iter().any(|item| waits(item.status))
}

impl Step<'_> {
    /// Returns whether all `conditions` hold. Conditions on the starting point use the order before
    /// the change, conditions on the result the order after it.
    fn holds(&self, conditions: &str) -> bool {
        conditions
            .split_whitespace()
            .all(|condition| self.is(condition))
    }

    fn is(&self, condition: &str) -> bool {
        let (before, after, id) = (self.before, self.after, self.item.id);
        let has_ended = |end: Option<Timestamp>| end.is_some_and(|end| end <= self.now);
        let is_complete = || {
            let mut items = after.content.items.iter();
            items.find(|item| item.id == id).is_some_and(is_complete)
        };
        match condition {
            "complete" => is_complete(),
            "incomplete" => !is_complete(),
            "window-ended" => {
                let item = after.state.items.iter().find(|item| item.id == id);
                item.is_some_and(|item| has_ended(item.window_end)) && none_left(after)
            }
            "none-left" => none_left(after),
            "own" => self.item.held_by == Some(Holder::Store),
            "operators" => self.item.held_by == Some(Holder::Operator),
            "hold-ended" => has_ended(self.item.hold_until),
            "nothing-shipped" => shipped(before, id) == 0,
            "no-change" => before.state.pending.is_none(),
            "asked" => asked_before(before, id).is_some(),
            "not-asked" => asked_before(before, id).is_none(),
            "in-change" => {
                let pending = before.state.pending.as_ref();
                pending.is_some_and(|pending| pending.items.contains(&id))
            }
            "no-question" => before.state.needs.iter().all(|need| need.change.is_none()),
            "needed" => before
                .state
                .needs
                .iter()
                .any(|need| need.items.contains(&id)),
            // The store made its request while a need was open, and the need has ended since.
            "need-is-over" => {
                let mut needs = before
                    .state
                    .needs
                    .iter()
                    .filter(|need| need.change.is_none());
                let is_needed = needs.any(|need| need.items.contains(&id));
                asked_before(before, id) == Some(ItemStatus::NeedAction) && !is_needed
            }
            "some-left" => shipped(after, id) < quantity(after, id),
            "all-shipped" => shipped(after, id) > 0 && shipped(after, id) == quantity(after, id),
            "delivered" => is_delivered(after, id),
            "returned" => is_returned(after, id),
            _ => false,
        }
    }

    /// Adds to `reached` the statuses to which the rows of `commands` lead from the reached
    /// statuses.
    fn follow(&self, commands: &[&str], role: Role, reached: &mut Vec<StatusPair>) {
        for row in rows().filter(|row| commands.contains(&row.command) && row.is_for(role)) {
            let ends: Vec<StatusPair> = reached
                .iter()
                .filter(|place| row.starts_at(**place) && self.holds(row.when))
                .filter_map(|place| row.end(*place, self))
                .collect();
            reached.extend(ends);
        }
    }
}

/// A change to compare with the table.
pub(super) struct MoveCase<'a> {
    pub(super) before: &'a SnapshotParts,
    pub(super) after: &'a SnapshotParts,
    /// Names of rows, such as `hold ask`.
    pub(super) rows: &'a str,
    /// Items that the command names; `None` for all items.
    pub(super) named: Option<Vec<ItemId>>,
    pub(super) by: Role,
    pub(super) now: Timestamp,
}

impl MoveCase<'_> {
    /// Describes each item whose move is not in the table; empty if the change is legal.
    pub(super) fn outside(&self) -> Vec<String> {
        let items = self.before.state.items.iter();
        items.filter_map(|item| self.problem(item)).collect()
    }

    fn problem(&self, item: &ItemState) -> Option<String> {
        let after = self
            .after
            .state
            .items
            .iter()
            .find(|after| after.id == item.id);
        // Removal of items is checked elsewhere.
        let after = after?;
        let step = Step {
            before: self.before,
            after: self.after,
            item,
            now: self.now,
        };
        let start = (item.status, item.returns_to);
        let end = (after.status, after.returns_to);
        let mut reached = vec![start];
        if self
            .named
            .as_ref()
            .is_none_or(|named| named.contains(&item.id))
        {
            let rows: Vec<&str> = self.rows.split_whitespace().collect();
            step.follow(&rows, self.by, &mut reached);
        }
        // The command, then files, window, units and arrivals: each may follow the previous move.
        for _ in 0..3 {
            step.follow(&FOLLOWERS, self.by, &mut reached);
        }
        let mut is_legal = start == end || reached.contains(&end);
        // While an early item is on hold, its files decide the status it returns to.
        if start.0 == end.0 && end.1.is_some_and(|base| stage(base) == "early") {
            is_legal = true;
        }
        (!is_legal).then(|| format!("{start:?} to {end:?}"))
    }

    /// Returns the items among `items` that the command can move according to the table.
    pub(super) fn movable(&self, items: &[ItemId]) -> Vec<ItemId> {
        let can = |id: &&ItemId| {
            let item = self.before.state.items.iter().find(|item| item.id == **id);
            item.is_some_and(|item| self.can_move(item))
        };
        items.iter().filter(can).copied().collect()
    }

    fn can_move(&self, item: &ItemState) -> bool {
        let step = Step {
            before: self.before,
            after: self.before,
            item,
            now: self.now,
        };
        let place = (item.status, item.returns_to);
        let is_own = |row: &Row| self.rows.split_whitespace().any(|name| name == row.command);
        let mut rows = rows().filter(|row| is_own(row) && row.is_for(self.by));
        rows.any(|row| {
            row.starts_at(place) && step.holds(row.when) && row.end(place, &step).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_has_only_known_words() {
        let conditions = "complete incomplete window-ended none-left own operators hold-ended nothing-shipped in-change \
                          no-change asked not-asked no-question needed need-is-over some-left all-shipped delivered returned";
        let known: BTreeSet<&str> = conditions.split_whitespace().collect();
        let lines = RULES.lines().filter(|line| line.contains('|')).count();
        assert_eq!(rows().count() + commands().count(), lines);
        let moves: Vec<&str> = rows().map(|row| row.command).collect();
        for row in commands() {
            let mut names = row.moves.split_whitespace();
            assert!(names.all(|name| moves.contains(&name)), "{}", row.name);
        }
        for row in rows() {
            let ends = ["back", "before", "same"].contains(&row.to)
                || row.to.parse::<ItemStatus>().is_ok();
            assert!(ends, "{}", row.to);
            assert!(
                row.when.split_whitespace().all(|word| known.contains(word)),
                "{}",
                row.when
            );
            for word in row.from.split(' ') {
                let word = word.trim_start_matches('!');
                let is_known = ["early", "at-work", "done"].contains(&word)
                    || word.parse::<ItemStatus>().is_ok();
                assert!(is_known, "{word}");
            }
            let mut roles = row.by.split(' ');
            let is_role = |name| Role::ALL.iter().any(|role| role.as_str() == name);
            assert!(row.by == "all" || roles.all(is_role), "{}", row.by);
        }
    }
}
