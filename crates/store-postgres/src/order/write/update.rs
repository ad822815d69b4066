//! The statement that changes orders.

use std::collections::HashMap;
use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text};
use diesel::{OptionalExtension as _, RunQueryDsl};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{ChangeRows, Parameters, SqlText, statement_texts, unknown_parameter};

use super::Stores;
use super::content::ContentColumns;
use crate::columns::{CorrectionColumns, EventColumns, ShipmentColumns, StateColumns};
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
    stores: Stores,
) -> Result<Vec<UpdateResult>, Failure> {
    let done = UpdateOrders::new(changes, WhenLocked::Skip, stores).run(connection)?;
    let places = 1_i64..;
    let result = |(place, change): (i64, &&ChangeRows)| done.result(place, change);
    Ok(places.zip(changes).map(result).collect())
}

/// Waits for the lock of the order. Returns the event's sequence, or the reason of the refusal.
pub(crate) fn update_alone(
    connection: &mut PgConnection,
    change: &ChangeRows,
) -> Result<Result<i64, RepositoryError>, Failure> {
    let statement = UpdateOrders::new(&[change], WhenLocked::Wait, Stores::One);
    Ok(match statement.run(connection)?.result(1, change) {
        UpdateResult::Changed(sequence) => Ok(sequence),
        UpdateResult::Refused(refusal) => Err(refusal),
        // A statement that waits can miss only an order that does not exist.
        UpdateResult::Locked => Err(RepositoryError::Stale),
    })
}

/// Result of [`UpdateOrders`]. Changes are named by their position, from 1.
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

/// Columns of [`UpdateOrders`]: catalog version; positions of the changes for which the statement
/// could lock the order; positions and event sequences of the completed changes.
type RowPositions = (i64, Vec<i64>, Vec<i64>, Vec<i64>);

pub(crate) struct UpdateOrders<'a> {
    when_locked: WhenLocked,
    stores: Stores,
    store_id: Option<&'a str>,
    states: StateColumns<'a>,
    events: EventColumns<'a>,
    expected: Vec<i32>,
    priced_with: Vec<Option<i64>>,
    shipments: ShipmentColumns<'a>,
    corrections: CorrectionColumns<'a>,
    /// For each shipment, the position of its change in the statement, from 1. `correction_places`
    /// has the position for each fee line.
    shipment_places: Vec<i64>,
    correction_places: Vec<i64>,
    /// `None` if no change affects the content of its order.
    content: Option<ContentColumns<'a>>,
}

impl<'a> UpdateOrders<'a> {
    pub(crate) fn new(changes: &[&'a ChangeRows], when_locked: WhenLocked, stores: Stores) -> Self {
        let placed = || (1_i64..).zip(changes.iter().copied());
        let shipments =
            || placed().filter_map(|(place, rows)| Some((place, rows.shipment.as_ref()?)));
        let corrections = || {
            placed()
                .flat_map(|(place, rows)| rows.corrections.iter().map(move |line| (place, line)))
        };
        Self {
            when_locked,
            stores,
            store_id: changes.first().map(|change| change.store_id()),
            states: StateColumns::of(changes.iter().map(|rows| &rows.state)),
            events: EventColumns::of(changes.iter().map(|rows| &rows.event)),
            expected: changes.iter().map(|rows| rows.expected).collect(),
            priced_with: changes.iter().map(|rows| rows.priced_with).collect(),
            shipments: ShipmentColumns::of(shipments().map(|(_, row)| row)),
            corrections: CorrectionColumns::of(corrections().map(|(_, row)| row)),
            shipment_places: shipments().map(|(place, _)| place).collect(),
            correction_places: corrections().map(|(place, _)| place).collect(),
            content: ContentColumns::new(placed()),
        }
    }

    fn run(self, connection: &mut PgConnection) -> Result<Updated, Failure> {
        let row: Option<RowPositions> = self.get_result(connection).optional()?;
        let Some((catalog, seen, places, sequences)) = row else {
            return Err(RepositoryError::Refused("the catalog has no version".into()).into());
        };
        Ok(Updated {
            catalog,
            seen,
            changed: places.into_iter().zip(sequences).collect(),
        })
    }
}

impl Parameters<Pg> for UpdateOrders<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match (name, &self.content) {
            ("store_id", _) => out.push_bind_param::<Nullable<Text>, _>(&self.store_id),
            ("states", _) => self.states.push(out),
            ("events", _) => self.events.push(out),
            ("expected", _) => out.push_bind_param::<Array<Integer>, _>(&self.expected),
            ("priced_with", _) => {
                out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.priced_with)
            }
            ("shipments", _) => self.shipments.push(out),
            ("shipment_places", _) => {
                out.push_bind_param::<Array<BigInt>, _>(&self.shipment_places)
            }
            ("corrections", _) => self.corrections.push(out),
            ("correction_places", _) => {
                out.push_bind_param::<Array<BigInt>, _>(&self.correction_places)
            }
            (name, Some(content)) => content.bind(name, out),
            (name, None) => Err(unknown_parameter(name)),
        }
    }
}

struct Texts {
    with_content: SqlText,
    without: SqlText,
}

impl Texts {
    fn new(stores: Stores, when_locked: &str) -> Self {
        let text = |content| {
            let parts = [("content", content), ("when_locked", when_locked)];
            stores.text(include_str!("../sql/update.sql"), &parts)
        };
        Self {
            with_content: text(include_str!("../sql/content.sql")),
            without: text(""),
        }
    }
}

static SKIPPING: LazyLock<Texts> = LazyLock::new(|| Texts::new(Stores::Any, "SKIP LOCKED"));
static SKIPPING_OF_STORE: LazyLock<Texts> =
    LazyLock::new(|| Texts::new(Stores::One, "SKIP LOCKED"));
static WAITING: LazyLock<Texts> = LazyLock::new(|| Texts::new(Stores::One, ""));

statement_texts!(
    UpdateOrders<'_>,
    Pg,
    (BigInt, Array<BigInt>, Array<BigInt>, Array<BigInt>),
    |update| {
        let texts = match (update.when_locked, update.stores) {
            (WhenLocked::Skip, Stores::Any) => &SKIPPING,
            (WhenLocked::Skip, Stores::One) => &SKIPPING_OF_STORE,
            // Only `update_alone` waits, and it changes a single order.
            (WhenLocked::Wait, _) => &WAITING,
        };
        Ok(match update.content {
            Some(_) => &texts.with_content,
            None => &texts.without,
        })
    }
);
