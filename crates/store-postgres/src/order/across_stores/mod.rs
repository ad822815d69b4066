//! The statements over several stores: due orders, shipments, and orders and items for operators.
//! No request of a store sends them.

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

/// Completes the SQL `text` of a shipment look-up with the condition `is_wanted`.
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
    /// Reads the shipments of the newest orders with ids below `wanted`.
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
    /// Reads the shipments of a store's newest orders with ids below `wanted`.
    pub(crate) struct ShipmentsOfStoreBefore<'a> for Pg, returns ShipmentMatchSql,
    text looking_up(OF_ONE, IS_BEFORE),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

diesel::table! {
    /// The ids of all stores, and whether they are test stores.
    stores (store_id) {
        store_id -> Text,
        test -> Bool,
    }
}

fn all_stores(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    stores::table.select(stores::store_id).load(connection)
}

/// Returns the ids of all stores, including test stores if `test`.
fn stores_with(connection: &mut PgConnection, test: bool) -> QueryResult<BTreeSet<String>> {
    let all = stores::table.filter(stores::test.le(test));
    let ids: Vec<String> = all.select(stores::store_id).load(connection)?;
    Ok(ids.into_iter().collect())
}

/// Looks up shipments of `stores`, or of all stores if `None`, newest order first.
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

/// Same as [`shipments`], with a statement for each store.
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
    // By the id of the order. The sort is stable: shipments of an order are already sorted.
    rows.sort_by(|a, b| b.1.cmp(&a.1));
    rows.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    Ok(rows)
}
