//! The statement that adds orders.

use std::collections::HashMap;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::ServiceOrderId;
use pressline_store_kit::NewRows;

use super::{missing, prepared_statement, push_items};
use crate::columns::{ItemColumns, OrderColumns, push_names};
use crate::error::Failure;
use crate::words;

/// What an order gets from its store's counter.
const NUMBER: [&str; 2] = ["prefix", "number"];

/// The number of one order, where it is stored.
type Created = Result<ServiceOrderId, RepositoryError>;

/// What the statement tells of an order that was handed in: its store's prefix, unless there is no
/// such store; its number, where it was stored; and the state of the catalog.
type Told = (String, String, Option<String>, Option<i64>, i64);

/// Adds orders of any stores, in one statement, which is a transaction of its own. One whose order
/// id exists is a duplicate, as is the later one of two that are alike; one of a store that does
/// not exist, or priced with another catalog, is refused; none of them harms the others.
///
/// The statement locks the stores' counters, in their order, before it stores anything. Two
/// transactions that have a store in common therefore follow each other, and as each locks counters
/// in the same order and then only rows of its own, they cannot deadlock. No number is used up for
/// orders that come after the last one that is stored.
pub(super) fn create(
    connection: &mut PgConnection,
    new: &[&NewRows],
) -> Result<Vec<Created>, Failure> {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    let mut rows: Vec<(i64, &NewRows)> = Vec::with_capacity(new.len());
    for order in new {
        let place = counts.entry(&order.order.store_id).or_default();
        *place += 1;
        rows.push((*place, order));
    }
    rows.sort_by_key(|(_, rows)| rows.key());
    // Of two that are alike the one that came first is kept: the items of the other one would
    // become items of it.
    rows.dedup_by_key(|(_, rows)| rows.key());
    let priced_with: HashMap<_, _> = rows
        .iter()
        .map(|(_, kept)| (kept.key(), kept.priced_with))
        .collect();
    let told: Vec<Told> = CreateOrders::of(&rows).load(connection)?;
    let mut told: HashMap<(String, String), _> = told
        .into_iter()
        .map(|(store, id, prefix, number, catalog)| ((store, id), (prefix, number, catalog)))
        .collect();
    Ok(new
        .iter()
        .map(|rows| {
            // Who is alike finds that the other one was told before.
            let key = (rows.order.store_id.clone(), rows.order.order_id.clone());
            let (prefix, number, catalog) = told.get_mut(&key).ok_or_else(missing)?;
            // Where the kept one was priced with another catalog, its twin was not stored either.
            let kept = priced_with.get(&rows.key()).copied().flatten();
            outcome(
                rows,
                prefix.as_deref(),
                number.take(),
                kept.is_some_and(|version| version != *catalog),
            )
        })
        .collect())
}

fn outcome(
    rows: &NewRows,
    prefix: Option<&str>,
    number: Option<i64>,
    catalog_changed: bool,
) -> Created {
    let store_id = &rows.order.store_id;
    let Some(prefix) = prefix else {
        return Err(RepositoryError::Refused(
            format!("there is no store {store_id}").into(),
        ));
    };
    let prefix = prefix.parse().map_err(|error| RepositoryError::Corrupt {
        table: "stores",
        column: "prefix",
        row: store_id.clone(),
        source: Box::new(error) as _,
    })?;
    match number {
        Some(number) => Ok(ServiceOrderId { prefix, number }),
        None if catalog_changed => Err(RepositoryError::CatalogChanged),
        None => Err(RepositoryError::Duplicate("an order with this id")),
    }
}

/// Inserts orders with their words and items, and tells what came of each.
struct CreateOrders<'a> {
    stores: Vec<&'a str>,
    orders: OrderColumns<'a>,
    /// The place of each order among those of its store, from 1, as they came in.
    places: Vec<i64>,
    words: Vec<String>,
    priced_with: Vec<Option<i64>>,
    items: ItemColumns<'a>,
}

impl<'a> CreateOrders<'a> {
    /// For orders with their places among those of their store, sorted by store.
    fn of(placed: &[(i64, &'a NewRows)]) -> Self {
        let rows = || placed.iter().map(|(_, rows)| *rows);
        let mut stores: Vec<&str> = rows().map(|rows| rows.order.store_id.as_str()).collect();
        stores.dedup();
        Self {
            stores,
            orders: OrderColumns::of(rows().map(|rows| &rows.order)),
            places: placed.iter().map(|(place, _)| *place).collect(),
            words: rows().map(|rows| words::joined(&rows.words)).collect(),
            priced_with: rows().map(|rows| rows.priced_with).collect(),
            items: ItemColumns::of(rows().flat_map(|rows| &rows.items)),
        }
    }
}

impl QueryFragment<Pg> for CreateOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // The prefix never changes, so that a plain look at it is enough.
        out.push_sql(
            "WITH locked AS MATERIALIZED (SELECT store_id, last_number, \
             (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id) AS prefix \
             FROM store_counters WHERE store_id = ANY(",
        );
        out.push_bind_param::<Array<Text>, _>(&self.stores)?;
        out.push_sql(") ORDER BY store_id FOR UPDATE), given AS MATERIALIZED (SELECT ");
        let own = OrderColumns::NAMES
            .iter()
            .filter(|name| !NUMBER.contains(name));
        push_names(&mut out, "given.", own);
        out.push_sql(
            ", locked.prefix, locked.last_number + given.place AS number, given.words, given.priced_with FROM UNNEST(",
        );
        self.orders.arguments(out.reborrow())?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.places)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.words)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.priced_with)?;
        out.push_sql(") AS given(");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(
            ", place, words, priced_with) LEFT JOIN locked USING (store_id)), \
             catalog AS MATERIALIZED (SELECT version AS catalog FROM catalog_version), added AS (INSERT INTO orders (",
        );
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", words) SELECT ");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", ");
        out.push_sql(words::LEXEMES);
        out.push_sql(
            " FROM given, catalog WHERE number IS NOT NULL AND (priced_with IS NULL OR priced_with = catalog) \
             ON CONFLICT (store_id, order_id) DO NOTHING RETURNING store_id, id, number), items AS (",
        );
        push_items(&mut out, &self.items)?;
        out.push_sql(") AS given(");
        push_names(&mut out, "", ItemColumns::NAMES);
        out.push_sql(
            ") WHERE (store_id, order_uuid) IN (SELECT store_id, id FROM added)), \
             counted AS (UPDATE store_counters SET last_number = taken.number \
             FROM (SELECT store_id, max(number) AS number FROM added GROUP BY store_id) AS taken \
             WHERE store_counters.store_id = taken.store_id) \
             SELECT given.store_id, given.order_id, given.prefix, added.number, catalog \
             FROM catalog, given LEFT JOIN added USING (store_id, id)",
        );
        Ok(())
    }
}

prepared_statement! {
    CreateOrders: (Text, Text, Nullable<Text>, Nullable<BigInt>, BigInt),
}
