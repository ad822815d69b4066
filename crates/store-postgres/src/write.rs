//! The statements that write orders. Their number does not depend on how many orders or items they write.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Text};
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::Order;
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::{ItemRow, NewRows, OrderRow};

use crate::columns::{ItemColumns, OrderColumns, push_assignments, push_names};
use crate::error::Failure;
use crate::words;

/// What an update leaves as it is: it names the row and its number.
const IDENTITY: [&str; 4] = ["store_id", "id", "prefix", "number"];

/// What came of one order.
type Created = Result<Order, RepositoryError>;

/// Why a transaction is undone.
enum Undone {
    /// It would have stored nothing.
    Nothing(Vec<Created>),
    Failed(Failure),
}

impl From<Failure> for Undone {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<diesel::result::Error> for Undone {
    fn from(error: diesel::result::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Adds orders of any stores, in one transaction and two statements. One whose order id exists is a duplicate, as is
/// the later one of two that are alike; one of a store that does not exist is refused; neither harms the others.
///
/// The first statement locks the stores' counters, in their order, until the end of the transaction. Two transactions
/// that have a store in common therefore follow each other, and as each locks counters in the same order and then only
/// rows of its own, they cannot deadlock. Where no order is new everything is undone, and no number is used up.
pub(crate) fn create(connection: &mut PgConnection, new: &mut [NewRows]) -> Result<Vec<Created>, Failure> {
    let done = connection.transaction(|connection| {
        let mut counters = count_up(connection, new)?;
        let orders: Vec<Created> = new
            .iter_mut()
            .map(|rows| Ok(rows.numbered(next_number(&mut counters, &rows.order.store_id)?)))
            .collect();
        let stored = insert(connection, new, &orders)?;
        let outcomes = orders.into_iter().enumerate().map(|(place, order)| match order {
            Ok(_) if !stored.contains(&place) => Err(RepositoryError::Duplicate("an order with this id")),
            order => order,
        });
        let outcomes = outcomes.collect();
        if stored.is_empty() { Err(Undone::Nothing(outcomes)) } else { Ok(outcomes) }
    });
    match done {
        Ok(outcomes) | Err(Undone::Nothing(outcomes)) => Ok(outcomes),
        Err(Undone::Failed(failure)) => Err(failure),
    }
}

/// The numbers that stores have left for a transaction: the next one, and the prefix.
type Counters = HashMap<String, (i64, String)>;

/// Takes as many numbers from the counters as there are orders, and locks them.
fn count_up(connection: &mut PgConnection, new: &[NewRows]) -> QueryResult<Counters> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for rows in new {
        *counts.entry(&rows.order.store_id).or_default() += 1;
    }
    let statement =
        CountUp { stores: counts.keys().copied().collect(), counts: counts.values().copied().collect() };
    let counted: Vec<(String, i64, i64, String)> = statement.load(connection)?;
    let next = |last: i64, count: i64| last.saturating_sub(count).saturating_add(1);
    Ok(counted
        .into_iter()
        .map(|(store_id, last, count, prefix)| (store_id, (next(last, count), prefix)))
        .collect())
}

fn next_number(counters: &mut Counters, store_id: &str) -> Result<ServiceOrderId, RepositoryError> {
    let Some((next, prefix)) = counters.get_mut(store_id) else {
        return Err(RepositoryError::Refused(format!("there is no store {store_id}").into()));
    };
    let prefix = prefix.parse().map_err(|error| RepositoryError::Corrupt {
        table: "stores",
        column: "prefix",
        row: store_id.to_owned(),
        source: Box::new(error) as _,
    })?;
    let number = *next;
    *next = next.saturating_add(1);
    Ok(ServiceOrderId { prefix, number })
}

/// Inserts the orders that have a number, in the order of their stores and ids, and answers the places of those that
/// were not there.
fn insert(
    connection: &mut PgConnection,
    new: &[NewRows],
    orders: &[Created],
) -> Result<HashSet<usize>, Failure> {
    let with_number = new.iter().zip(orders).enumerate();
    let mut rows: Vec<(usize, &NewRows, &Order)> = with_number
        .filter_map(|(place, (rows, order))| order.as_ref().ok().map(|order| (place, rows, order)))
        .collect();
    rows.sort_by(|(_, one, _), (_, other, _)| one.key().cmp(&other.key()));
    // Of two that are alike the one that came first is kept: the items of the other one would become items of it.
    rows.dedup_by(|(_, later, _), (_, first, _)| later.key() == first.key());
    if rows.is_empty() {
        return Ok(HashSet::new());
    }
    let statement = CreateOrders {
        orders: OrderColumns::of(rows.iter().map(|(_, rows, _)| &rows.order)),
        words: rows.iter().map(|(_, _, order)| words::lexemes(order)).collect(),
        items: ItemColumns::of(rows.iter().flat_map(|(_, rows, _)| &rows.items)),
    };
    let added: Vec<(String, String)> = statement.load(connection)?;
    let added: HashSet<(&str, &str)> =
        added.iter().map(|(store, id)| (store.as_str(), id.as_str())).collect();
    let is_added = |rows: &NewRows| added.contains(&(rows.order.store_id.as_str(), rows.order.id.as_str()));
    Ok(rows.iter().filter(|(_, rows, _)| is_added(rows)).map(|(place, _, _)| *place).collect())
}

/// Replaces an order with all its items where it has the expected version; answers whether it had. One statement, and
/// so a transaction of its own.
pub(crate) fn update(connection: &mut PgConnection, order: &Order, expected: u32) -> Result<bool, Failure> {
    let row = OrderRow::of(order)?;
    let items = ItemRow::of(order)?;
    let statement = UpdateOrder {
        row: &row,
        columns: OrderColumns::of([&row]),
        words: vec![words::lexemes(order)],
        items: ItemColumns::of(&items),
        item_count: i64::try_from(items.len()).unwrap_or(i64::MAX),
        expected: i64::from(expected),
    };
    let changed: Vec<String> = statement.load(connection)?;
    Ok(!changed.is_empty())
}

/// Adds to the counters of stores, and answers store, last number, what was added, and prefix.
struct CountUp<'a> {
    stores: Vec<&'a str>,
    counts: Vec<i64>,
}

impl QueryFragment<Pg> for CountUp<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // An update alone would lock the counters in whichever order it comes upon them.
        out.push_sql("WITH locked AS (SELECT store_id, given.count FROM store_counters JOIN UNNEST(");
        out.push_bind_param::<Array<Text>, _>(&self.stores)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.counts)?;
        // The prefix never changes, so that a plain look at it is enough.
        out.push_sql(
            ") AS given(store_id, count) USING (store_id) ORDER BY store_id FOR UPDATE OF store_counters) \
             UPDATE store_counters SET last_number = last_number + locked.count FROM locked \
             WHERE store_counters.store_id = locked.store_id \
             RETURNING store_counters.store_id, last_number, locked.count, \
             (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id)",
        );
        Ok(())
    }
}

/// Inserts orders with their words and items, and answers the stores and ids of those that were not there.
struct CreateOrders<'a> {
    orders: OrderColumns<'a>,
    words: Vec<String>,
    items: ItemColumns<'a>,
}

/// The lexemes of one text, as [`words::lexemes`] made it.
const TO_TSVECTOR: &str = "array_to_tsvector(string_to_array(words, chr(1)))";

/// Writes `FROM UNNEST(…) AS given(…)` with the columns of orders and their words.
fn push_orders<'b>(
    out: &mut AstPass<'_, 'b, Pg>,
    orders: &'b OrderColumns<'_>,
    words: &'b Vec<String>,
) -> QueryResult<()> {
    out.push_sql(" FROM UNNEST(");
    orders.arguments(out.reborrow())?;
    out.push_sql(", ");
    out.push_bind_param::<Array<Text>, _>(words)?;
    out.push_sql(") AS given(");
    push_names(out, "", OrderColumns::NAMES);
    out.push_sql(", words)");
    Ok(())
}

/// Writes `INSERT INTO line_items (…) SELECT … FROM UNNEST(…)`.
fn push_items<'b>(out: &mut AstPass<'_, 'b, Pg>, items: &'b ItemColumns<'_>) -> QueryResult<()> {
    out.push_sql("INSERT INTO line_items (");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(") SELECT ");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(" FROM UNNEST(");
    items.arguments(out.reborrow())?;
    out.push_sql(") AS given(");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(")");
    Ok(())
}

impl QueryFragment<Pg> for CreateOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH added AS (INSERT INTO orders (");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", words) SELECT ");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", ");
        out.push_sql(TO_TSVECTOR);
        push_orders(&mut out, &self.orders, &self.words)?;
        out.push_sql(" ON CONFLICT (store_id, order_id) DO NOTHING RETURNING store_id, id), items AS (");
        push_items(&mut out, &self.items)?;
        out.push_sql(
            " WHERE (store_id, order_uuid) IN (SELECT store_id, id FROM added)) \
             SELECT store_id, id FROM added",
        );
        Ok(())
    }
}

/// Changes an order of the expected version and answers its id.
struct UpdateOrder<'a> {
    row: &'a OrderRow,
    columns: OrderColumns<'a>,
    words: Vec<String>,
    items: ItemColumns<'a>,
    item_count: i64,
    expected: i64,
}

impl QueryFragment<Pg> for UpdateOrder<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let changing = OrderColumns::NAMES.iter().filter(|name| !IDENTITY.contains(name));
        out.push_sql("WITH changed AS (UPDATE orders SET ");
        push_assignments(&mut out, "given.", changing);
        out.push_sql(", words = array_to_tsvector(string_to_array(given.words, chr(1)))");
        push_orders(&mut out, &self.columns, &self.words)?;
        out.push_sql(" WHERE orders.store_id = ");
        out.push_bind_param::<Text, _>(&self.row.store_id)?;
        out.push_sql(" AND orders.id = ");
        out.push_bind_param::<Text, _>(&self.row.id)?;
        out.push_sql(" AND orders.version = ");
        out.push_bind_param::<BigInt, _>(&self.expected)?;
        out.push_sql(" RETURNING orders.id), gone AS (DELETE FROM line_items WHERE store_id = ");
        out.push_bind_param::<Text, _>(&self.row.store_id)?;
        out.push_sql(" AND order_uuid IN (SELECT id FROM changed) AND position >= ");
        out.push_bind_param::<BigInt, _>(&self.item_count)?;
        out.push_sql("), kept AS (");
        push_items(&mut out, &self.items)?;
        out.push_sql(" WHERE order_uuid IN (SELECT id FROM changed)");
        out.push_sql(" ON CONFLICT (store_id, order_uuid, position) DO UPDATE SET ");
        push_assignments(&mut out, "excluded.", ItemColumns::NAMES.iter().skip(3));
        out.push_sql(") SELECT id FROM changed");
        Ok(())
    }
}

/// The text of these statements never changes, so that each connection prepares them once.
macro_rules! prepared_statement {
    ($($name:ident: $sql:ty,)*) => {$(
        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl Query for $name<'_> {
            type SqlType = $sql;
        }

        impl RunQueryDsl<PgConnection> for $name<'_> {}
    )*};
}

prepared_statement! {
    CountUp: (Text, BigInt, BigInt, Text),
    CreateOrders: (Text, Text),
    UpdateOrder: Text,
}
