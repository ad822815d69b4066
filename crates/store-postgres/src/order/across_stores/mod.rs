//! The statements over several stores: they find what is due, shipments, and orders and
//! items for operators. No request of a store sends
//! one of these.

pub(crate) mod walk;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{DueOrder, FoundShipment, ShipmentLookup};
use pressline_domain::time::Timestamp;
use pressline_store_kit::{FoundShipmentRow, SqlText, due_order, found_shipment, statement};

use crate::error::Failure;

pub(crate) use walk::{count_items, walk};

/// Orders of one store that are taken at a time, so that a store with many does not keep the others
/// waiting.
const OF_STORE: i64 = 64;

statement! {
    /// Takes orders of any stores that are due.
    pub(crate) struct TakeDue<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due_of_any.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        until: i64 = BigInt,
        of_store: i64 = BigInt,
        count: i64 = BigInt,
    }
}

statement! {
    /// Takes orders of a store that are due.
    pub(crate) struct TakeDueOfStore<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due_of_one.sql"), &[]),
    {
        store_id: &'a str = Text,
        now: i64 = BigInt,
        until: i64 = BigInt,
        of_store: i64 = BigInt,
    }
}

/// Store, order, prefix, number and document of a shipment.
type FoundSql = (Text, Text, Text, BigInt, Text);

/// The text of a statement that looks shipments up by a condition.
fn looking_up(text: &str, is_wanted: &str) -> SqlText {
    SqlText::new(text, &[("is_wanted", is_wanted)])
}

const OF_ANY: &str = include_str!("../sql/shipments_of_any.sql");
const OF_ONE: &str = include_str!("../sql/shipments_of_one.sql");
const HAS_ID: &str = "shipments.id = :wanted";
const HAS_NUMBER: &str = "tracking_number = :wanted";

statement! {
    /// Looks a shipment up by its id.
    pub(crate) struct ShipmentWithId<'a> for Pg, returns FoundSql,
    text looking_up(OF_ANY, HAS_ID),
    {
        stores: Option<&'a [String]> = Nullable<Array<Text>>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Looks shipments up by the tracking number.
    pub(crate) struct ShipmentsWithNumber<'a> for Pg, returns FoundSql,
    text looking_up(OF_ANY, HAS_NUMBER),
    {
        stores: Option<&'a [String]> = Nullable<Array<Text>>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Looks a shipment of a store up by its id.
    pub(crate) struct ShipmentOfStoreWithId<'a> for Pg, returns FoundSql,
    text looking_up(OF_ONE, HAS_ID),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Looks shipments of a store up by the tracking number.
    pub(crate) struct ShipmentsOfStoreWithNumber<'a> for Pg, returns FoundSql,
    text looking_up(OF_ONE, HAS_NUMBER),
    {
        store_id: &'a str = Text,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

diesel::table! {
    /// The ids of all stores.
    stores (store_id) {
        /// The store.
        store_id -> Text,
    }
}

/// Takes orders that are due, at most about so many, and leaves them to this server until a moment.
pub(crate) fn take(
    connection: &mut PgConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
    distributed: bool,
) -> Result<Vec<DueOrder>, Failure> {
    let (now, until) = (now.as_millis(), until.as_millis());
    let (count, of_store) = (i64::from(count), OF_STORE.min(i64::from(count)));
    let mut rows: Vec<(String, String)> = Vec::new();
    if distributed {
        // A statement names one store there. An order that is taken beyond the count is done as well.
        let ids = all_stores(connection)?;
        for store_id in &ids {
            if i64::try_from(rows.len()).unwrap_or(i64::MAX) >= count {
                break;
            }
            let statement = TakeDueOfStore {
                store_id,
                now,
                until,
                of_store,
            };
            rows.extend(statement.load::<(String, String)>(connection)?);
        }
    } else {
        let statement = TakeDue {
            now: &now,
            until,
            of_store,
            count,
        };
        rows = statement.load(connection)?;
    }
    let due = rows.iter().map(|(store, order)| due_order(store, order));
    Ok(due.collect::<Result<_, RepositoryError>>()?)
}

fn all_stores(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    stores::table.select(stores::store_id).load(connection)
}

/// Looks shipments of these stores up, or of all stores.
pub(crate) fn shipments(
    connection: &mut PgConnection,
    stores: Option<&[String]>,
    lookup: &ShipmentLookup,
    count: u32,
    distributed: bool,
) -> Result<Vec<FoundShipment>, Failure> {
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
) -> QueryResult<Vec<FoundShipmentRow>> {
    let ids = match stores {
        Some(stores) => stores.to_vec(),
        None => all_stores(connection)?,
    };
    let mut rows: Vec<FoundShipmentRow> = Vec::new();
    for store_id in &ids {
        let found: Vec<FoundShipmentRow> = match lookup {
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
        };
        rows.extend(found);
    }
    // By the id of the order. Those of one order are in their order already.
    rows.sort_by(|a, b| b.1.cmp(&a.1));
    rows.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    Ok(rows)
}
