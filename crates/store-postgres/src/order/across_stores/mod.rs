//! The statements over several stores: they find what is due, shipments, and orders and items for operators.
//! No request of a store sends one of these.

pub(crate) mod count;
mod due;
pub(crate) mod page;

use std::collections::BTreeSet;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{ShipmentLookup, ShipmentMatch};
use pressline_store_kit::{ShipmentMatchRow, SqlText, found_shipment, statement};

use crate::error::Failure;

pub(crate) use count::count_items;
pub(crate) use due::take;
#[cfg(any(test, feature = "test-support"))]
pub(crate) use due::{TakeDue, TakeDueOfStore};
pub(crate) use page::page;

/// Store, order, prefix, number and document of a shipment.
type ShipmentMatchSql = (Text, Text, Text, BigInt, Text);

/// The text of a statement that looks shipments up by a condition.
fn looking_up(text: &str, is_wanted: &str) -> SqlText {
    SqlText::new(text, &[("is_wanted", is_wanted)])
}

const OF_ANY: &str = include_str!("../sql/shipments_of_any.sql");
const OF_ONE: &str = include_str!("../sql/shipments_of_one.sql");
const HAS_ID: &str = "shipments.id = :wanted";
const HAS_NUMBER: &str = "tracking_number = :wanted";
const IS_BEFORE: &str = "order_uuid < :wanted";

statement! {
    pub(crate) struct ShipmentWithId<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ANY, HAS_ID),
    {
        stores: Option<&'a [String]> = Nullable<Array<Text>>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct ShipmentsWithNumber<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ANY, HAS_NUMBER),
    {
        stores: Option<&'a [String]> = Nullable<Array<Text>>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Reads the shipments of the newest orders below an id.
    pub(crate) struct ShipmentsBefore<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ANY, IS_BEFORE),
    {
        stores: Option<&'a [String]> = Nullable<Array<Text>>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct ShipmentOfStoreWithId<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ONE, HAS_ID),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct ShipmentsOfStoreWithNumber<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ONE, HAS_NUMBER),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Reads the shipments of the newest orders of a store below an id.
    pub(crate) struct ShipmentsOfStoreBefore<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ONE, IS_BEFORE),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

diesel::table! {
    /// The ids of all stores, and which of them are test stores.
    stores (store_id) {
        store_id -> Text,
        test -> Bool,
    }
}

diesel::table! {
    event_counters (store_id) {
        store_id -> Text,
        last_sequence -> BigInt,
    }
}

fn all_stores(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    stores::table.select(stores::store_id).load(connection)
}

/// Returns the ids of all stores, with the test stores or without them.
fn stores_with(connection: &mut PgConnection, test: bool) -> QueryResult<BTreeSet<String>> {
    let all = stores::table.filter(stores::test.le(test));
    let ids: Vec<String> = all.select(stores::store_id).load(connection)?;
    Ok(ids.into_iter().collect())
}

/// Returns these stores, each with the sequence of its last event.
pub(crate) fn last_sequences(
    connection: &mut PgConnection,
    stores: &[String],
) -> QueryResult<Vec<(String, i64)>> {
    event_counters::table
        .filter(event_counters::store_id.eq_any(stores))
        .load(connection)
}

/// Looks shipments of these stores up, or of all stores.
pub(crate) fn shipments(
    connection: &mut PgConnection,
    stores: Option<&[String]>,
    lookup: &ShipmentLookup,
    count: u32,
    distributed: bool,
) -> Result<Vec<ShipmentMatch>, Failure> {
    let count = i64::from(count);
    let rows = if distributed {
        shipments_of_nodes(connection, stores, lookup, count)?
    } else {
        match lookup {
            ShipmentLookup::Id(id) => {
                let wanted = &id.to_string();
                let statement = ShipmentWithId {
                    stores,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
            ShipmentLookup::TrackingNumber(wanted) => {
                let statement = ShipmentsWithNumber {
                    stores,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
            ShipmentLookup::OfOrdersBefore(order) => {
                let wanted = &order.to_string();
                let statement = ShipmentsBefore {
                    stores,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
        }
    };
    let found = rows.into_iter().map(found_shipment);
    Ok(found.collect::<Result<_, RepositoryError>>()?)
}

/// As [`shipments`], where a statement names one store.
fn shipments_of_nodes(
    connection: &mut PgConnection,
    stores: Option<&[String]>,
    lookup: &ShipmentLookup,
    count: i64,
) -> QueryResult<Vec<ShipmentMatchRow>> {
    let ids = match stores {
        Some(stores) => stores.to_vec(),
        None => all_stores(connection)?,
    };
    let mut rows: Vec<ShipmentMatchRow> = Vec::new();
    for store_id in &ids {
        let found: Vec<ShipmentMatchRow> = match lookup {
            ShipmentLookup::Id(id) => {
                let wanted = &id.to_string();
                let statement = ShipmentOfStoreWithId {
                    store_id,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
            ShipmentLookup::TrackingNumber(wanted) => {
                let statement = ShipmentsOfStoreWithNumber {
                    store_id,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
            ShipmentLookup::OfOrdersBefore(order) => {
                let wanted = &order.to_string();
                let statement = ShipmentsOfStoreBefore {
                    store_id,
                    wanted,
                    count,
                };
                statement.load(connection)?
            }
        };
        rows.extend(found);
    }
    // By the id of the order. Those of one order are in their order already.
    rows.sort_by(|a, b| b.1.cmp(&a.1));
    rows.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    Ok(rows)
}
