//! The statement that adds orders.

use std::collections::HashMap;

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{NewRows, Row, Sql};

use super::missing::missing;
use crate::arrays::{self, Kind, Values, array, load, load_first};
use crate::citus::Nodes;
use crate::error::Failure;

/// Number and event sequence of a stored order, or the reason why it was not stored.
type Created = Result<(ServiceOrderId, i64), RepositoryError>;

#[derive(Clone, Row)]
#[row(read)]
struct CreatedRow {
    /// Prefix of the store; `None` if the store does not exist.
    prefix: Option<String>,
    /// `None` if the order was not stored, as for `sequence`, the sequence of its event.
    number: Option<i64>,
    sequence: Option<i64>,
    /// Version of the catalog.
    catalog: i64,
}

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
    nodes: Nodes,
) -> Result<Vec<Created>, Failure> {
    // The usual case of a quiet server has a shorter statement without arrays.
    if let ([rows], [], Nodes::One) = (new, also, nodes) {
        let row = load_first(connection, &CREATE_ONE, &of_one(rows))?;
        return Ok(vec![created(
            rows,
            rows.priced_with,
            row.ok_or_else(missing)?,
        )]);
    }
    let mut counts: HashMap<&str, i64> = HashMap::new();
    let mut sent: Vec<(i64, &NewRows)> = Vec::with_capacity(new.len());
    for order in new {
        let place = counts.entry(&order.order.store_id).or_default();
        *place += 1;
        sent.push((*place, order));
    }
    // Sorted by store, as `of_many` requires.
    sent.sort_by_key(|(_, rows)| rows.key());
    // Sends only the first of several orders with the same key: if they also had the same id, the
    // items of the second would be stored as items of the first.
    sent.dedup_by_key(|(_, rows)| rows.key());
    let statement = nodes.create(&CREATE);
    let rows: Vec<(i64, CreatedRow)> = load(connection, statement, &of_many(&sent, also))?;
    let mut outcomes: HashMap<i64, CreatedRow> = rows.into_iter().collect();
    let places: HashMap<_, _> = (1_i64..)
        .zip(&sent)
        .map(|(place, (_, rows))| (rows.key(), (place, rows.priced_with)))
        .collect();
    Ok(new
        .iter()
        .map(|rows| {
            let (place, priced_with) = places.get(&rows.key()).ok_or_else(missing)?;
            let outcome = outcomes.get_mut(place).ok_or_else(missing)?;
            // The first order with this key takes the number; further orders with the key are
            // duplicates. If the sent order was priced with another catalog, none of them is
            // stored.
            let of_this = outcome.clone();
            outcome.number = None;
            created(rows, *priced_with, of_this)
        })
        .collect())
}

fn created(rows: &NewRows, priced_with: Option<i64>, row: CreatedRow) -> Created {
    let store_id = &rows.order.store_id;
    let Some(prefix_text) = row.prefix else {
        return Err(RepositoryError::Refused(
            format!("there is no store {store_id}").into(),
        ));
    };
    let prefix = prefix_text
        .parse()
        .map_err(|error| RepositoryError::Corrupt {
            kind: "stores",
            field: "prefix",
            key: store_id.clone(),
            source: Box::new(error) as _,
        })?;
    match row.number.zip(row.sequence) {
        Some((number, sequence)) => Ok((ServiceOrderId { prefix, number }, sequence)),
        None if priced_with.is_some_and(|version| version != row.catalog) => {
            Err(RepositoryError::CatalogChanged)
        }
        None => Err(RepositoryError::Duplicate("an order with this id")),
    }
}

/// Adds one order.
pub(crate) static CREATE_ONE: Sql = Sql::new(include_str!("../sql/create_one.sql"));
/// Adds orders of any stores.
pub(crate) static CREATE: Sql = Sql::new(include_str!("../sql/create.sql"));

/// Returns the values of [`CREATE_ONE`].
pub(crate) fn of_one(rows: &NewRows) -> Values<'_> {
    vec![
        ("store_id", (&rows.order.store_id).into()),
        ("order", arrays::row(&rows.order)),
        ("state", arrays::row(&rows.state)),
        ("event", arrays::row(&rows.event)),
        ("words", (&rows.words).into()),
        ("priced_with", rows.priced_with.into()),
        ("items", arrays::rows(&rows.items)),
    ]
}

/// Returns the values of [`Nodes::create`]. `sent` must be sorted by store; each
/// order comes with its position among the orders of its store, from 1. Orders of `also` only have
/// their event counters locked.
pub(crate) fn of_many<'a>(sent: &[(i64, &'a NewRows)], also: &'a [String]) -> Values<'a> {
    let rows = || sent.iter().map(|(_, rows)| *rows);
    let mut stores: Vec<&str> = rows().map(|rows| rows.order.store_id.as_str()).collect();
    stores.dedup();
    let event_stores = stores
        .iter()
        .copied()
        .chain(also.iter().map(String::as_str));
    let item_places = (1_i64..)
        .zip(rows())
        .flat_map(|(place, rows)| rows.items.iter().map(move |_| place));
    vec![
        // The store of the orders, if they have one store; NULL without orders.
        ("store_id", stores.first().copied().into()),
        ("event_stores", array(Kind::Text, event_stores)),
        ("stores", array(Kind::Text, stores.iter().copied())),
        ("orders", arrays::rows(rows().map(|rows| &rows.order))),
        ("states", arrays::rows(rows().map(|rows| &rows.state))),
        ("events", arrays::rows(rows().map(|rows| &rows.event))),
        (
            "places_in_store",
            array(Kind::BigInt, sent.iter().map(|(place, _)| *place)),
        ),
        ("words", array(Kind::Text, rows().map(|rows| &rows.words))),
        (
            "priced_with",
            array(Kind::BigInt, rows().map(|rows| rows.priced_with)),
        ),
        ("items", arrays::rows(rows().flat_map(|rows| &rows.items))),
        ("item_places", array(Kind::BigInt, item_places)),
    ]
}
