//! The statement that changes orders.

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use diesel::{OptionalExtension as _, RunQueryDsl};
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_store_kit::{ItemRow, OrderRow, Weight, fitting_words};

use super::push_items;
use crate::columns::{ItemColumns, OrderColumns, push_assignments, push_names};
use crate::error::Failure;
use crate::words;

/// What an update leaves as it is: it names the row and its number.
const IDENTITY: [&str; 4] = ["store_id", "id", "prefix", "number"];
/// The first columns of an item, which are its key.
const ITEM_KEY: usize = 3;

/// An order as it shall be, with all that can be made of it before the one thread that writes
/// orders takes it up.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) order: Order,
    /// Whether it may have been carried out by a transaction whose end nobody knows.
    pub(crate) in_doubt: bool,
    expected: i64,
    priced_with: Option<i64>,
    row: OrderRow,
    items: Vec<ItemRow>,
    words: String,
}

impl Change {
    pub(super) fn of(
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

/// What came of a change.
#[derive(Debug)]
pub(crate) enum Fate {
    Changed,
    /// The order has another version than expected, or there is another catalog.
    Refused(RepositoryError),
    /// Another transaction holds the order, or there is no such order.
    Held,
}

/// Replaces orders of any stores with all their items where they have the expected version, in one
/// statement, which is a transaction of its own. Of several changes of one order at most one is
/// carried out.
///
/// It waits for nobody: an order that another transaction holds must not keep the others waiting,
/// nor can two that change the same orders deadlock.
pub(super) fn update(
    connection: &mut PgConnection,
    changes: &[&Change],
) -> Result<Vec<Fate>, Failure> {
    let (catalog, seen, changed) = UpdateOrders::of(changes, WhenHeld::Skip).told(connection)?;
    let places = 1_i64..;
    let fate = |(place, change): (i64, &&Change)| {
        if changed.contains(&place) {
            Fate::Changed
        } else if change.priced_with.is_some_and(|version| version != catalog) {
            Fate::Refused(RepositoryError::CatalogChanged)
        } else if seen.contains(&place) {
            Fate::Refused(RepositoryError::Stale)
        } else {
            Fate::Held
        }
    };
    Ok(places.zip(changes).map(fate).collect())
}

/// As [`update`] does one, but waits until nobody else holds the order; answers why it did not
/// change it.
pub(crate) fn update_alone(
    connection: &mut PgConnection,
    change: &Change,
) -> Result<Result<(), RepositoryError>, Failure> {
    let (catalog, _, changed) = UpdateOrders::of(&[change], WhenHeld::Wait).told(connection)?;
    Ok(if !changed.is_empty() {
        Ok(())
    } else if change.priced_with.is_some_and(|version| version != catalog) {
        Err(RepositoryError::CatalogChanged)
    } else {
        Err(RepositoryError::Stale)
    })
}

/// What to do about an order that another transaction holds.
#[derive(Debug, Clone, Copy)]
enum WhenHeld {
    /// Leave it.
    Skip,
    /// Wait for it.
    Wait,
}

/// The state of the catalog, and the places, from 1, of the changes whose order was there to be
/// changed, and of those that were carried out.
type Told = (i64, Vec<i64>, Vec<i64>);

/// Changes the orders that have the expected version, with their words and items.
struct UpdateOrders<'a> {
    when_held: WhenHeld,
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
    fn of(changes: &[&'a Change], when_held: WhenHeld) -> Self {
        let item_count = |change: &&Change| i64::try_from(change.items.len()).unwrap_or(i64::MAX);
        let places = (1_i64..).zip(changes);
        Self {
            when_held,
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

    fn told(self, connection: &mut PgConnection) -> Result<Told, Failure> {
        let told: Option<Told> = self.get_result(connection).optional()?;
        told.ok_or_else(|| RepositoryError::Refused("the catalog has no version".into()).into())
    }

    /// Writes the common table `given`: the changes of orders that were priced with the catalog as
    /// it is.
    fn push_given<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("given AS MATERIALIZED (SELECT *, ");
        out.push_sql(words::LEXEMES);
        out.push_sql(" AS lexemes FROM UNNEST(");
        self.orders.arguments(out.reborrow())?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.words)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.expected)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.priced_with)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.item_counts)?;
        out.push_sql(") WITH ORDINALITY AS given(");
        push_names(out, "", OrderColumns::NAMES);
        out.push_sql(
            ", words, expected, priced_with, item_count, place) \
             WHERE priced_with IS NULL OR priced_with = (SELECT version FROM catalog_version))",
        );
        Ok(())
    }

    /// Writes the common table `kept`: items that are new, or not as they are stored. Those are
    /// found one by one, by their key, whatever the planner knows of the table.
    fn push_kept<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let values = || ItemColumns::NAMES.iter().skip(ITEM_KEY);
        out.push_sql("kept AS (");
        push_items(out, &self.items)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.item_places)?;
        out.push_sql(") AS given(");
        push_names(out, "", ItemColumns::NAMES);
        out.push_sql(
            ", place) WHERE place = ANY(ARRAY(SELECT place FROM changed)) AND NOT EXISTS (\
             SELECT FROM line_items AS stored WHERE stored.store_id = given.store_id \
             AND stored.order_uuid = given.order_uuid AND stored.position = given.position AND (",
        );
        push_names(out, "stored.", values());
        out.push_sql(") IS NOT DISTINCT FROM (");
        push_names(out, "given.", values());
        out.push_sql(") OFFSET 0) ON CONFLICT (store_id, order_uuid, position) DO UPDATE SET ");
        push_assignments(out, "excluded.", values());
        out.push_sql(")");
        Ok(())
    }
}

impl QueryFragment<Pg> for UpdateOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH ");
        self.push_given(&mut out)?;
        out.push_sql(
            ", seen AS MATERIALIZED (SELECT place FROM given JOIN orders USING (store_id, id) \
             FOR NO KEY UPDATE OF orders",
        );
        out.push_sql(match self.when_held {
            WhenHeld::Skip => " SKIP LOCKED",
            WhenHeld::Wait => "",
        });
        out.push_sql("), changed AS (UPDATE orders SET ");
        let changing = OrderColumns::NAMES
            .iter()
            .filter(|name| !IDENTITY.contains(name));
        push_assignments(&mut out, "given.", changing);
        out.push_sql(
            ", words = given.lexemes FROM given WHERE orders.store_id = given.store_id AND orders.id = given.id \
             AND orders.version = given.expected AND given.place = ANY(ARRAY(SELECT place FROM seen)) \
             RETURNING given.store_id, given.id, given.item_count, given.place), \
             gone AS (DELETE FROM line_items USING changed WHERE line_items.store_id = changed.store_id \
             AND line_items.order_uuid = changed.id AND line_items.position >= changed.item_count), ",
        );
        self.push_kept(&mut out)?;
        out.push_sql(
            " SELECT version, ARRAY(SELECT place FROM seen), ARRAY(SELECT place FROM changed) FROM catalog_version",
        );
        Ok(())
    }
}

/// There are two texts in all, so that each connection prepares each of them once.
impl QueryId for UpdateOrders<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for UpdateOrders<'_> {
    type SqlType = (BigInt, Array<BigInt>, Array<BigInt>);
}

impl RunQueryDsl<PgConnection> for UpdateOrders<'_> {}
