//! The statements over several stores: they find what is due, shipments, and orders and items for operators.
//! No request of a store sends one of these.

mod due;
mod walk;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{FoundShipment, ShipmentLookup};
use pressline_store_kit::{FoundShipmentRow, SqlText, found_shipment, statement};

use crate::error::Failure;

pub(in crate::order) use due::{due_stores, take};
pub(in crate::order) use walk::{count_items, walk};

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

statement! {
    /// Reads the sequences of the last events of the stores that a JSON list names.
    struct SelectLastSequences<'a> for Sqlite, returns (Text, BigInt),
    text SqlText::new(include_str!("../sql/last_sequences.sql"), &[]),
    {
        stores: &'a str = Text,
    }
}

/// Returns the stores of a JSON list, each with the sequence of its last event.
pub(super) fn last_sequences(
    connection: &mut SqliteConnection,
    stores: &str,
) -> Result<Vec<(String, i64)>, Failure> {
    Ok(SelectLastSequences { stores }.load(connection)?)
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
