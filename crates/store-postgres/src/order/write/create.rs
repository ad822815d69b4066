//! The statement that adds orders.

use std::collections::HashMap;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{
    NewRows, Parameters, SqlText, statement, statement_text, unknown_parameter,
};

use super::missing::missing;
use super::stores::FIRST;
use super::stores::Stores;
use crate::columns::{
    FirstEventColumns, FirstStateColumns, ItemColumns, OrderColumns, push_first_event,
    push_first_state,
};
use crate::error::Failure;
use crate::words;

/// Number and event sequence of a stored order, or the reason why it was not stored.
type Created = Result<(ServiceOrderId, i64), RepositoryError>;

/// Columns of [`CreateOrder`]: store prefix, `None` if the store does not exist; number and event
/// sequence, `None` if the order was not stored; catalog version.
type CreatedRow = (Option<String>, Option<i64>, Option<i64>, i64);
type CreatedRowSql = (Nullable<Text>, Nullable<BigInt>, Nullable<BigInt>, BigInt);

/// An order is a duplicate if its id exists, or occurs earlier in `new`. An order of an unknown
/// store, or priced with another version of the catalog, is refused.
///
/// The statement first locks the stores' counters, sorted by store. Transactions that share a store
/// are therefore serialized. They cannot deadlock, because each locks counters in the same order
/// and afterwards only rows of its own. Duplicates after the last stored order use up no number.
/// Last, the statement locks the event counters of the stores of `new` and `also`, sorted by store.
/// `also` are the stores of changes that follow in the transaction.
pub(super) fn create(
    connection: &mut PgConnection,
    new: &[&NewRows],
    also: &[String],
    stores: Stores,
) -> Result<Vec<Created>, Failure> {
    // The usual case of a quiet server has a shorter statement without arrays.
    if let ([rows], [], Stores::Any) = (new, also, stores) {
        let done = CreateOrder::new(rows).get_result(connection)?;
        return Ok(vec![created(rows, rows.priced_with, done)]);
    }
    let mut counts: HashMap<&str, i64> = HashMap::new();
    let mut sent: Vec<(i64, &NewRows)> = Vec::with_capacity(new.len());
    for order in new {
        let place = counts.entry(&order.order.store_id).or_default();
        *place += 1;
        sent.push((*place, order));
    }
    // Sorted by store, as `CreateOrders::new` requires.
    sent.sort_by_key(|(_, rows)| rows.key());
    // Sends only the first of several orders with the same key: if they also had the same id, the
    // items of the second would be stored as items of the first.
    sent.dedup_by_key(|(_, rows)| rows.key());
    let statement = CreateOrders::new(&sent, also);
    let rows: Vec<(i64, CreatedRow)> = match stores {
        Stores::Any => statement.load(connection)?,
        Stores::One => CreateOrdersOfStore(statement).load(connection)?,
    };
    let mut outcomes: HashMap<i64, CreatedRow> = rows.into_iter().collect();
    let places: HashMap<_, _> = (1_i64..)
        .zip(&sent)
        .map(|(place, (_, rows))| (rows.key(), (place, rows.priced_with)))
        .collect();
    Ok(new
        .iter()
        .map(|rows| {
            let (place, priced_with) = places.get(&rows.key()).ok_or_else(missing)?;
            let (prefix, number, sequence, catalog) =
                outcomes.get_mut(place).ok_or_else(missing)?;
            // The first order with this key takes the number; further orders with the key are
            // duplicates. If the sent order was priced with another catalog, none of them is
            // stored.
            let outcome = (prefix.clone(), number.take(), *sequence, *catalog);
            created(rows, *priced_with, outcome)
        })
        .collect())
}

fn created(
    rows: &NewRows,
    priced_with: Option<i64>,
    (prefix, number, sequence, catalog): CreatedRow,
) -> Created {
    let store_id = &rows.order.store_id;
    let Some(prefix) = prefix else {
        return Err(RepositoryError::Refused(
            format!("there is no store {store_id}").into(),
        ));
    };
    let prefix = prefix.parse().map_err(|error| RepositoryError::Corrupt {
        kind: "stores",
        field: "prefix",
        key: store_id.clone(),
        source: Box::new(error) as _,
    })?;
    match number.zip(sequence) {
        Some((number, sequence)) => Ok((ServiceOrderId { prefix, number }, sequence)),
        None if priced_with.is_some_and(|version| version != catalog) => {
            Err(RepositoryError::CatalogChanged)
        }
        None => Err(RepositoryError::Duplicate("an order with this id")),
    }
}

pub(crate) struct CreateOrder<'a> {
    rows: &'a NewRows,
    items: ItemColumns<'a>,
}

impl<'a> CreateOrder<'a> {
    pub(crate) fn new(rows: &'a NewRows) -> Self {
        let items = ItemColumns::of(&rows.items);
        Self { rows, items }
    }
}

impl Parameters<Pg> for CreateOrder<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let rows = self.rows;
        match name {
            "store_id" => out.push_bind_param::<Text, _>(&rows.order.store_id),
            "order" => rows.order.push_values(out),
            "first" => {
                push_first_state(&rows.state, out)?;
                out.push_sql(", ");
                push_first_event(&rows.event, out)
            }
            "words" => out.push_bind_param::<Text, _>(&rows.words),
            "priced_with" => out.push_bind_param::<Nullable<BigInt>, _>(&rows.priced_with),
            "items" => self.items.push(out),
            _ => Err(unknown_parameter(name)),
        }
    }
}

statement_text!(
    CreateOrder<'_>,
    CreateOrder<'static>,
    Pg,
    CreatedRowSql,
    SqlText::new(
        include_str!("../sql/create_one.sql"),
        &[&words::PARTS[..], &FIRST].concat()
    )
);

pub(crate) struct CreateOrders<'a> {
    stores: Vec<&'a str>,
    /// Store of all orders, for a statement that writes a single store; otherwise the first of
    /// `stores`. `None` without orders.
    store_id: Option<&'a str>,
    /// Stores with event counters to lock.
    event_stores: Vec<&'a str>,
    orders: OrderColumns<'a>,
    states: FirstStateColumns<'a>,
    events: FirstEventColumns<'a>,
    /// For each order, its position among the orders of its store, from 1, in order of arrival.
    places_in_store: Vec<i64>,
    words: Vec<&'a str>,
    priced_with: Vec<Option<i64>>,
    items: ItemColumns<'a>,
    /// For each item, the position of its order in the statement, from 1.
    item_refs: Vec<i64>,
}

impl<'a> CreateOrders<'a> {
    /// Also locks the event counters of the stores `also`. `sent` must be sorted by store; each
    /// order comes with its position among the orders of its store, from 1.
    pub(crate) fn new(sent: &[(i64, &'a NewRows)], also: &'a [String]) -> Self {
        let rows = || sent.iter().map(|(_, rows)| *rows);
        let mut stores: Vec<&str> = rows().map(|rows| rows.order.store_id.as_str()).collect();
        stores.dedup();
        let also = also.iter().map(String::as_str);
        Self {
            event_stores: stores.iter().copied().chain(also).collect(),
            store_id: stores.first().copied(),
            stores,
            orders: OrderColumns::of(rows().map(|rows| &rows.order)),
            states: FirstStateColumns::of(rows().map(|rows| &rows.state)),
            events: FirstEventColumns::of(rows().map(|rows| &rows.event)),
            places_in_store: sent.iter().map(|(place, _)| *place).collect(),
            words: rows().map(|rows| rows.words.as_str()).collect(),
            priced_with: rows().map(|rows| rows.priced_with).collect(),
            items: ItemColumns::of(rows().flat_map(|rows| &rows.items)),
            item_refs: (1_i64..)
                .zip(rows())
                .flat_map(|(place, rows)| rows.items.iter().map(move |_| place))
                .collect(),
        }
    }
}

impl Parameters<Pg> for CreateOrders<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "stores" => out.push_bind_param::<Array<Text>, _>(&self.stores),
            "store_id" => out.push_bind_param::<Nullable<Text>, _>(&self.store_id),
            "event_stores" => out.push_bind_param::<Array<Text>, _>(&self.event_stores),
            "orders" => self.orders.push(out),
            "first" => {
                self.states.push(out)?;
                out.push_sql(", ");
                self.events.push(out)
            }
            "places_in_store" => out.push_bind_param::<Array<BigInt>, _>(&self.places_in_store),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            "priced_with" => out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.priced_with),
            "items" => self.items.push(out),
            "item_places" => out.push_bind_param::<Array<BigInt>, _>(&self.item_refs),
            _ => Err(unknown_parameter(name)),
        }
    }
}

statement_text!(
    CreateOrders<'_>,
    CreateOrders<'static>,
    Pg,
    (BigInt, CreatedRowSql),
    Stores::Any.text(include_str!("../sql/create.sql"), &[])
);

statement! {
    pub(crate) struct CreateOrdersOfStore<'a>(CreateOrders) for Pg,
    returns (BigInt, CreatedRowSql),
    text Stores::One.text(include_str!("../sql/create.sql"), &[]),
}
