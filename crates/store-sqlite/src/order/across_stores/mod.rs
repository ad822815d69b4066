//! The statements over several stores: due orders, shipments, and orders and items for operators.
//! No request of a store sends them.

mod count;
mod due;
mod page;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{ShipmentLookup, ShipmentMatch};
use pressline_domain::value::id::OrderId;
use pressline_store_kit::{ShipmentMatchRow, SqlText, found_shipment, statement};

use crate::error::Failure;

pub(in crate::order) use count::count_items;
pub(in crate::order) use due::{due_stores, take};
pub(in crate::order) use page::page;

/// Store, order, prefix, number and document of a shipment.
type ShipmentMatchSql = (Text, Text, Text, BigInt, Text);

/// Returns the SQL that selects shipments by the condition `is_wanted` and forces the use of the
/// index `index`.
fn looking_up(is_wanted: &str, index: &str) -> SqlText {
    let parts = [("is_wanted", is_wanted), ("index", index)];
    SqlText::new(include_str!("../sql/shipments_of_any.sql"), &parts)
}

statement! {
    pub(crate) struct ShipmentWithId<'a> for Sqlite, returns ShipmentMatchSql,
    text looking_up("wanted.id = :wanted", "shipments_by_id"),
    {
        stores: Option<&'a str> = Nullable<Text>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct ShipmentsWithNumber<'a> for Sqlite, returns ShipmentMatchSql,
    text looking_up("wanted.tracking_number = :wanted", "shipments_by_number"),
    {
        stores: Option<&'a str> = Nullable<Text>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Reads the shipments of a store's newest orders in a range of ids.
    pub(crate) struct ShipmentsBefore<'a> for Sqlite, returns ShipmentMatchSql,
    text SqlText::new(include_str!("../sql/shipments_before.sql"), &[]),
    {
        store_id: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        count: i64 = BigInt,
    }
}

/// The stores of a JSON list, or all stores if it is NULL.
const NAMED_STORES: &str = "
    SELECT store_id
    FROM stores
    WHERE :stores IS NULL
       OR store_id IN (SELECT value FROM json_each(:stores))";

statement! {
    /// Reads the ids of the stores of a JSON list, or of all stores.
    struct NamedStores<'a> for Sqlite, returns Text,
    text SqlText::new(NAMED_STORES, &[]),
    {
        stores: Option<&'a str> = Nullable<Text>,
    }
}

/// Looks up shipments of the stores in the JSON list `stores`, or of all stores if `None`, newest
/// order first.
pub(super) fn shipments(
    connection: &mut SqliteConnection,
    stores: Option<&str>,
    lookup: &ShipmentLookup,
    count: u32,
) -> Result<Vec<ShipmentMatch>, Failure> {
    let count = i64::from(count);
    let rows: Vec<ShipmentMatchRow> = match lookup {
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
        ShipmentLookup::OfOrdersBefore(order) => before(connection, stores, *order, count)?,
    };
    let found = rows.into_iter().map(found_shipment);
    Ok(found.collect::<Result<_, RepositoryError>>()?)
}

/// Reads the shipments of up to `count` of the newest orders with ids below `order`, store by
/// store.
fn before(
    connection: &mut SqliteConnection,
    stores: Option<&str>,
    order: OrderId,
    count: i64,
) -> Result<Vec<ShipmentMatchRow>, Failure> {
    let before_id = &order.to_string();
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    let mut from_id = OrderId::LOWEST.to_string();
    let mut rows: Vec<ShipmentMatchRow> = Vec::new();
    for store_id in &(NamedStores { stores }).load::<String>(connection)? {
        let statement = ShipmentsBefore {
            store_id,
            from_id: &from_id,
            before_id,
            count,
        };
        rows.extend(statement.load::<ShipmentMatchRow>(connection)?);
        // By the id of the order. The sort is stable: shipments of an order are already sorted.
        rows.sort_by(|a, b| b.1.cmp(&a.1));
        rows.truncate(limit);
        // A full list needs no older orders of the other stores.
        if let Some(last) = rows.last().filter(|_| rows.len() == limit) {
            from_id.clone_from(&last.1);
        }
    }
    Ok(rows)
}
