//! The statement that changes orders.

use std::collections::HashMap;
use std::sync::LazyLock;

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{ChangeRows, Row, Sql};

use super::content::content;
use crate::arrays::{Kind, List, Values, array, load_first, rows};
use crate::citus::Nodes;
use crate::error::Failure;

#[derive(Debug)]
pub(crate) enum UpdateResult {
    Changed(i64),
    /// The order has another version, or was priced with another version of the catalog.
    Refused(RepositoryError),
    /// Another transaction holds the order, or the order does not exist.
    Locked,
}

/// If several changes affect the same order, at most the first is carried out. Never waits for the
/// lock of an order: a locked order must not delay the others, and two statements that change the
/// same orders cannot deadlock.
pub(super) fn update(
    connection: &mut PgConnection,
    changes: &[&ChangeRows],
    nodes: Nodes,
) -> Result<Vec<UpdateResult>, Failure> {
    let updated = run(connection, changes, WhenLocked::Skip, nodes)?;
    let places = 1_i64..;
    let result = |(place, change): (i64, &&ChangeRows)| updated.result(place, change);
    Ok(places.zip(changes).map(result).collect())
}

/// Waits for the lock of the order. Returns the event's sequence, or the reason of the refusal.
pub(crate) fn update_alone(
    connection: &mut PgConnection,
    change: &ChangeRows,
    nodes: Nodes,
) -> Result<Result<i64, RepositoryError>, Failure> {
    let updated = run(connection, &[change], WhenLocked::Wait, nodes)?;
    Ok(match updated.result(1, change) {
        UpdateResult::Changed(sequence) => Ok(sequence),
        UpdateResult::Refused(refusal) => Err(refusal),
        // A statement that waits can miss only an order that does not exist.
        UpdateResult::Locked => Err(RepositoryError::Stale),
    })
}

/// Result of a statement. Changes are named by their position, from 1.
struct Updated {
    catalog: i64,
    /// Positions of the changes for which the statement could lock the order.
    seen: Vec<i64>,
    /// Event sequences of the completed changes, keyed by position.
    changed: HashMap<i64, i64>,
}

impl Updated {
    fn result(&self, place: i64, change: &ChangeRows) -> UpdateResult {
        let priced_with = change.priced_with;
        if let Some(sequence) = self.changed.get(&place) {
            UpdateResult::Changed(*sequence)
        } else if priced_with.is_some_and(|version| version != self.catalog) {
            // Before `seen`, because the statement does not lock orders priced with another
            // catalog.
            UpdateResult::Refused(RepositoryError::CatalogChanged)
        } else if self.seen.contains(&place) {
            UpdateResult::Refused(RepositoryError::Stale)
        } else {
            UpdateResult::Locked
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum WhenLocked {
    Skip,
    Wait,
}

/// Columns that the statements return.
#[derive(Row)]
#[row(read)]
struct UpdatedRow {
    /// Version of the catalog.
    catalog: i64,
    /// Positions of the changes for which the statement could lock the order.
    seen: List<i64>,
    /// Positions of the completed changes, and the sequences of their events.
    changed: List<i64>,
    sequences: List<i64>,
}

/// A statement with the texts for the cases of [`WhenLocked`].
struct Texts {
    skips: Sql,
    waits: Sql,
}

impl Texts {
    fn new(text: &str) -> Self {
        Self {
            skips: Sql::with_parts(text, &[("{skip_locked}", "SKIP LOCKED")]),
            waits: Sql::with_parts(text, &[("{skip_locked}", "")]),
        }
    }
}

static MOVE: LazyLock<Texts> = LazyLock::new(|| Texts::new(include_str!("../sql/move.sql")));
static CHANGE: LazyLock<Texts> = LazyLock::new(|| Texts::new(include_str!("../sql/change.sql")));

/// Returns the statement that makes `changes`.
pub(crate) fn text(changes: &[&ChangeRows], when_locked: WhenLocked, nodes: Nodes) -> &'static Sql {
    let has_content = changes.iter().any(|change| change.content.is_some());
    let texts = match has_content {
        true => &CHANGE,
        false => &MOVE,
    };
    nodes.change(match when_locked {
        WhenLocked::Skip => &texts.skips,
        WhenLocked::Wait => &texts.waits,
    })
}

/// Returns the values of the statement that makes `changes`. Positions count from 1.
pub(crate) fn values<'a>(changes: &[&'a ChangeRows], when_locked: WhenLocked) -> Values<'a> {
    let placed = || (1_i64..).zip(changes.iter().copied());
    let shipments = || placed().filter_map(|(place, rows)| Some((place, rows.shipment.as_ref()?)));
    let corrections = || {
        placed().flat_map(|(place, rows)| rows.corrections.iter().map(move |line| (place, line)))
    };
    let mut values: Values<'a> = vec![
        // The store of the changes, if they have one store; NULL without changes.
        (
            "store_id",
            changes.first().map(|change| change.store_id()).into(),
        ),
        ("waits", matches!(when_locked, WhenLocked::Wait).into()),
        ("states", rows(changes.iter().map(|rows| &rows.state))),
        ("events", rows(changes.iter().map(|rows| &rows.event))),
        (
            "expected",
            array(Kind::Integer, changes.iter().map(|rows| rows.expected)),
        ),
        (
            "priced_with",
            array(Kind::BigInt, changes.iter().map(|rows| rows.priced_with)),
        ),
        ("shipments", rows(shipments().map(|(_, row)| row))),
        (
            "shipment_places",
            array(Kind::BigInt, shipments().map(|(place, _)| place)),
        ),
        ("corrections", rows(corrections().map(|(_, row)| row))),
        (
            "correction_places",
            array(Kind::BigInt, corrections().map(|(place, _)| place)),
        ),
    ];
    values.extend(content(placed()));
    values
}

fn run(
    connection: &mut PgConnection,
    changes: &[&ChangeRows],
    when_locked: WhenLocked,
    nodes: Nodes,
) -> Result<Updated, Failure> {
    let (text, values) = (
        text(changes, when_locked, nodes),
        values(changes, when_locked),
    );
    let row: Option<UpdatedRow> = load_first(connection, text, &values)?;
    let Some(row) = row else {
        return Err(RepositoryError::Refused("the catalog has no version".into()).into());
    };
    let changed = row.changed.into_iter();
    Ok(Updated {
        catalog: row.catalog,
        seen: row.seen.into(),
        changed: changed.zip(row.sequences).collect(),
    })
}
