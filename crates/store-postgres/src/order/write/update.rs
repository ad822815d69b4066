//! The statement that changes orders.

use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use diesel::{OptionalExtension as _, RunQueryDsl};
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_store_kit::{
    ItemRow, OrderRow, Parameters, SqlText, Weight, fitting_words, unknown_parameter,
};

use super::Stores;
use crate::columns::{ItemColumns, OrderColumns};
use crate::error::Failure;
use crate::words;

/// An order as it shall be, with all that can be made of it before the one thread that writes
/// orders takes it up.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) order: Order,
    /// Whether it may have been carried out by a transaction whose result is unknown.
    pub(crate) in_doubt: bool,
    expected: i64,
    priced_with: Option<i64>,
    row: OrderRow,
    items: Vec<ItemRow>,
    words: String,
}

impl Change {
    pub(crate) fn of(
        order: Order,
        expected: u32,
        priced_with: Option<CatalogVersion>,
    ) -> Result<Self, RepositoryError> {
        let (row, items) = (OrderRow::of(&order)?, ItemRow::of(&order)?);
        let words = words::joined(&fitting_words(order.parts())?);
        let priced_with = priced_with.map(|version| version.0);
        Ok(Self {
            order,
            in_doubt: false,
            expected: i64::from(expected),
            priced_with,
            row,
            items,
            words,
        })
    }

    pub(crate) fn store_id(&self) -> &str {
        &self.row.store_id
    }

    pub(crate) fn id(&self) -> &str {
        &self.row.id
    }

    pub(super) fn weight(&self) -> Weight {
        Weight::of(&self.row, &self.items)
    }
}

/// The result of a change.
#[derive(Debug)]
pub(crate) enum UpdateResult {
    Changed,
    /// The order has another version than expected, or there is another catalog.
    Refused(RepositoryError),
    /// Another transaction holds the order, or there is no such order.
    Locked,
}

/// Replaces orders with all their items where they have the expected version, in one
/// statement, which is a transaction of its own. Of several changes of one order at most one is
/// carried out.
///
/// It never waits for a lock: an order that another transaction has locked must not delay the others,
/// and two statements that change the same orders cannot deadlock.
pub(super) fn update(
    connection: &mut PgConnection,
    changes: &[&Change],
    stores: Stores,
) -> Result<Vec<UpdateResult>, Failure> {
    let (catalog, seen, changed) =
        UpdateOrders::of(changes, WhenLocked::Skip, stores).run(connection)?;
    let places = 1_i64..;
    let result = |(place, change): (i64, &&Change)| {
        if changed.contains(&place) {
            UpdateResult::Changed
        } else if change.priced_with.is_some_and(|version| version != catalog) {
            UpdateResult::Refused(RepositoryError::CatalogChanged)
        } else if seen.contains(&place) {
            UpdateResult::Refused(RepositoryError::Stale)
        } else {
            UpdateResult::Locked
        }
    };
    Ok(places.zip(changes).map(result).collect())
}

/// Changes one order as [`update`] does, but waits until no other transaction has locked it. Returns
/// why it was not changed.
pub(crate) fn update_alone(
    connection: &mut PgConnection,
    change: &Change,
) -> Result<Result<(), RepositoryError>, Failure> {
    let statement = UpdateOrders::of(&[change], WhenLocked::Wait, Stores::One);
    let (catalog, _, changed) = statement.run(connection)?;
    Ok(if !changed.is_empty() {
        Ok(())
    } else if change.priced_with.is_some_and(|version| version != catalog) {
        Err(RepositoryError::CatalogChanged)
    } else {
        Err(RepositoryError::Stale)
    })
}

/// What to do about an order that another transaction has locked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WhenLocked {
    /// Leave it.
    Skip,
    /// Wait for it.
    Wait,
}

/// The state of the catalog, and the places, from 1, of the changes whose order was there to be
/// changed, and of those that were carried out.
type UpdatedPlaces = (i64, Vec<i64>, Vec<i64>);

/// Changes the orders that have the expected version, with their words and items.
pub(crate) struct UpdateOrders<'a> {
    when_locked: WhenLocked,
    stores: Stores,
    /// The store of the first order.
    store_id: Option<&'a str>,
    orders: OrderColumns<'a>,
    words: Vec<&'a str>,
    expected: Vec<i64>,
    priced_with: Vec<Option<i64>>,
    item_counts: Vec<i64>,
    items: ItemColumns<'a>,
    /// For each item, the place of its change.
    item_places: Vec<i64>,
}

impl<'a> UpdateOrders<'a> {
    pub(crate) fn of(changes: &[&'a Change], when_locked: WhenLocked, stores: Stores) -> Self {
        let item_count = |change: &&Change| i64::try_from(change.items.len()).unwrap_or(i64::MAX);
        let places = (1_i64..).zip(changes);
        Self {
            when_locked,
            stores,
            store_id: changes.first().map(|change| change.store_id()),
            orders: OrderColumns::of(changes.iter().map(|change| &change.row)),
            words: changes.iter().map(|change| change.words.as_str()).collect(),
            expected: changes.iter().map(|change| change.expected).collect(),
            priced_with: changes.iter().map(|change| change.priced_with).collect(),
            item_counts: changes.iter().map(item_count).collect(),
            items: ItemColumns::of(changes.iter().flat_map(|change| &change.items)),
            item_places: places
                .flat_map(|(place, change)| change.items.iter().map(move |_| place))
                .collect(),
        }
    }

    fn run(self, connection: &mut PgConnection) -> Result<UpdatedPlaces, Failure> {
        let row: Option<UpdatedPlaces> = self.get_result(connection).optional()?;
        row.ok_or_else(|| RepositoryError::Refused("the catalog has no version".into()).into())
    }
}

impl Parameters<Pg> for UpdateOrders<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "store_id" => out.push_bind_param::<Nullable<Text>, _>(&self.store_id),
            "orders" => self.orders.push(out),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            "expected" => out.push_bind_param::<Array<BigInt>, _>(&self.expected),
            "priced_with" => out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.priced_with),
            "item_counts" => out.push_bind_param::<Array<BigInt>, _>(&self.item_counts),
            "items" => self.items.push(out),
            "item_places" => out.push_bind_param::<Array<BigInt>, _>(&self.item_places),
            _ => Err(unknown_parameter(name)),
        }
    }
}

/// The text, which does to rows that another transaction has locked what `when_locked` says.
fn text(stores: Stores, when_locked: &str) -> SqlText {
    stores.text(
        include_str!("../sql/update.sql"),
        &[("when_locked", when_locked)],
    )
}

static SKIPPING: LazyLock<SqlText> = LazyLock::new(|| text(Stores::Any, "SKIP LOCKED"));
static SKIPPING_OF_STORE: LazyLock<SqlText> = LazyLock::new(|| text(Stores::One, "SKIP LOCKED"));
static WAITING: LazyLock<SqlText> = LazyLock::new(|| text(Stores::One, ""));

impl QueryFragment<Pg> for UpdateOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let text = match (self.when_locked, self.stores) {
            (WhenLocked::Skip, Stores::Any) => &SKIPPING,
            (WhenLocked::Skip, Stores::One) => &SKIPPING_OF_STORE,
            // It changes a single order.
            (WhenLocked::Wait, _) => &WAITING,
        };
        text.write(self, &mut out)
    }
}

/// There are three texts in all, so that each connection prepares each of them once.
impl QueryId for UpdateOrders<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for UpdateOrders<'_> {
    type SqlType = (BigInt, Array<BigInt>, Array<BigInt>);
}

impl RunQueryDsl<PgConnection> for UpdateOrders<'_> {}
