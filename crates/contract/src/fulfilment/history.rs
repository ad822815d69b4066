//! Checks that the history of orders is complete and rebuilds every version.

use std::collections::BTreeSet;

use pressline_domain::check::Field;
use pressline_domain::event::Event;
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::order::{GetDraft, HistoryDraft, Order};
use pressline_domain::store::Store;

use super::shop::Shop;
use crate::check::same;
use crate::{CaseError, CaseResult};

/// Returns the order without `due_at`, which the service may have moved in the stored order.
pub(super) fn without_due(order: &Order) -> SnapshotParts {
    let mut parts = SnapshotParts::clone(order);
    parts.state.due_at = None;
    parts
}

/// Checks that reading the order at the version of `stored` returns `stored`.
pub(super) async fn check_version(shop: &Shop, store: &Store, stored: &Order) -> CaseResult {
    let version = stored.state.version;
    let draft = GetDraft {
        order_id: stored.content.order_id.as_str().into(),
        as_of: Field::Absent,
        at_version: i64::from(version).into(),
    };
    let rebuilt = shop.service.read.get(store, &draft).await?;
    same(
        &format!("version {version}"),
        &without_due(&rebuilt.order),
        &without_due(stored),
    )
}

/// Checks that reading the order at the time of `version`, an index in `versions`, returns the
/// latest version of that time.
pub(super) async fn check_snapshot(
    shop: &Shop,
    store: &Store,
    versions: &[Order],
    version: usize,
) -> CaseResult {
    let Some(time) = versions.get(version).map(|order| order.state.updated_at) else {
        return Ok(());
    };
    let mut until_then = versions.iter().rev();
    let wanted = until_then.find(|order| order.state.updated_at <= time);
    let Some(wanted) = wanted else {
        return Ok(());
    };
    let draft = GetDraft {
        order_id: wanted.content.order_id.as_str().into(),
        as_of: time.as_millis().into(),
        at_version: Field::Absent,
    };
    let found = shop.service.read.get(store, &draft).await?;
    same(
        "as of a moment",
        &without_due(&found.order),
        &without_due(wanted),
    )
}

/// Returns all events of an order, newest first, read in pages of `size`.
pub(super) async fn events(
    shop: &Shop,
    store: &Store,
    order: &Order,
    size: i64,
) -> Result<Vec<Event>, CaseError> {
    let mut draft = HistoryDraft {
        order_id: order.service_order_id.to_string().into(),
        size: size.into(),
        cursor: Field::Absent,
    };
    let mut all = Vec::new();
    loop {
        let page = shop.service.read.history(store, &draft).await?.page;
        all.extend(page.entries);
        match page.next_cursor {
            Some(cursor) => draft.cursor = cursor.into(),
            None => return Ok(all),
        }
    }
}

/// Checks that each of `versions` has one event with the right moves. Reads `size` events per page.
/// Returns the events' sequence numbers.
pub(super) async fn check_events(
    shop: &Shop,
    store: &Store,
    versions: &[Order],
    size: i64,
) -> Result<Vec<u64>, CaseError> {
    let Some(latest) = versions.last() else {
        return Ok(Vec::new());
    };
    let mut events = events(shop, store, latest, size).await?;
    events.reverse();
    same("number of events", &events.len(), &versions.len())?;
    let mut before: Option<&Order> = None;
    for (event, after) in events.iter().zip(versions) {
        same(
            "version of an event",
            &event.event.version,
            &after.state.version,
        )?;
        same("its sequence", &event.sequence, &after.state.last_sequence)?;
        same("its time", &event.event.at, &after.state.updated_at)?;
        let previous = event
            .event
            .previous
            .map(|previous| (previous.sequence, previous.at));
        let wanted = before.map(|order| (order.state.last_sequence, order.state.updated_at));
        same("the event before it", &previous, &wanted)?;
        check_moves(event, before, after)?;
        before = Some(after);
    }
    Ok(events.iter().map(|event| event.sequence).collect())
}

/// Checks that `event` lists exactly the items whose status differs between `before` and `after`.
fn check_moves(event: &Event, before: Option<&Order>, after: &Order) -> CaseResult {
    let statuses = |order: Option<&Order>| {
        let items = order.map_or(&[][..], |order| order.state.items.as_slice());
        let statuses = items.iter().map(|item| (item.id, item.status));
        statuses.collect::<BTreeSet<_>>()
    };
    let (old, new) = (statuses(before), statuses(Some(after)));
    let moves = &event.event.items;
    let old_moves = moves
        .iter()
        .filter_map(|moved| Some((moved.id, moved.old?)));
    let new_moves = moves
        .iter()
        .filter_map(|moved| Some((moved.id, moved.new?)));
    same("statuses before", &old_moves.collect(), &(&old - &new))?;
    same("statuses after", &new_moves.collect(), &(&new - &old))
}

/// Checks that the sequence numbers of a store are 1, 2, 3 …
pub(super) fn check_sequences(mut sequences: Vec<u64>) -> CaseResult {
    sequences.sort_unstable();
    let count = u64::try_from(sequences.len())?;
    let wanted: Vec<u64> = (1..=count).collect();
    same("sequences of a store", &sequences, &wanted)
}
