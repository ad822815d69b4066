//! The statements over several stores: they find what is due, shipments, and orders and
//! items for operators. No request of a store sends
//! one of these.

mod walk;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{DueOrder, FoundShipment, ShipmentLookup};
use pressline_domain::time::Timestamp;
use pressline_store_kit::{FoundShipmentRow, SqlText, due_order, found_shipment, statement};

use crate::error::Failure;

pub(in crate::order) use walk::{count_items, walk};

statement! {
    /// Asks whether an order is due.
    struct AnyDue<'a> for Sqlite, returns Bool,
    text SqlText::new(include_str!("../sql/any_due.sql"), &[]),
    {
        now: &'a i64 = BigInt,
    }
}

statement! {
    /// Takes orders that are due.
    struct TakeDue<'a> for Sqlite, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        until: i64 = BigInt,
        count: i64 = BigInt,
    }
}

/// Store, order, prefix, number and document of a shipment.
type FoundSql = (Text, Text, Text, BigInt, Text);

/// The text of the statement that looks shipments up by a condition, with an index.
fn looking_up(is_wanted: &str, index: &str) -> SqlText {
    let parts = [("is_wanted", is_wanted), ("index", index)];
    SqlText::new(include_str!("../sql/shipments_of_any.sql"), &parts)
}

statement! {
    /// Looks a shipment up by its id.
    pub(crate) struct ShipmentWithId<'a> for Sqlite, returns FoundSql,
    text looking_up("wanted.id = :wanted", "shipments_by_id"),
    {
        stores: Option<&'a str> = Nullable<Text>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

statement! {
    /// Looks shipments up by the tracking number.
    pub(crate) struct ShipmentsWithNumber<'a> for Sqlite, returns FoundSql,
    text looking_up("wanted.tracking_number = :wanted", "shipments_by_number"),
    {
        stores: Option<&'a str> = Nullable<Text>,
        wanted: &'a str = Text,
        count: i64 = BigInt,
    }
}

/// Returns whether an order is due.
pub(super) fn is_any(connection: &mut SqliteConnection, now: Timestamp) -> Result<bool, Failure> {
    let now = &now.as_millis();
    Ok(AnyDue { now }.get_result(connection)?)
}

/// Takes orders that are due, at most so many, and moves their due times.
pub(super) fn take(
    connection: &mut SqliteConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
) -> Result<Vec<DueOrder>, Failure> {
    let statement = TakeDue {
        now: &now.as_millis(),
        until: until.as_millis(),
        count: i64::from(count),
    };
    let rows: Vec<(String, String)> =
        connection.immediate_transaction(|connection| statement.load(connection))?;
    let due = rows.iter().map(|(store, order)| due_order(store, order));
    Ok(due.collect::<Result<_, RepositoryError>>()?)
}

/// Looks shipments up, of the stores of a JSON list or of all stores.
pub(super) fn shipments(
    connection: &mut SqliteConnection,
    stores: Option<&str>,
    lookup: &ShipmentLookup,
    count: u32,
) -> Result<Vec<FoundShipment>, Failure> {
    let count = i64::from(count);
    let rows: Vec<FoundShipmentRow> = match lookup {
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
    };
    let found = rows.into_iter().map(found_shipment);
    Ok(found.collect::<Result<_, RepositoryError>>()?)
}
