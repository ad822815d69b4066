//! Counts the items of several stores by status, for operators.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_backoffice::queue::{ItemCount, ItemCounts};
use pressline_store_kit::{Db, SqlText, StatusFilter, item_counts, statement, uniform_bitmasks};

use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::order::status::OfStatus;

statement! {
    /// Expects the `status_bitmask` of orders with all items in a single status.
    struct CountItems<'a> for Sqlite, returns Nullable<BigInt>,
    text SqlText::new(include_str!("../sql/items_of_bitmask.sql"), &[]),
    {
        store_id: &'a str = Text,
        status_bitmask: i16 = SmallInt,
        limit: i64 = BigInt,
    }
}

statement! {
    struct CountByStatus<'a> for Sqlite, returns (Text, BigInt),
    text SqlText::new(include_str!("../sql/item_counts.sql"), &[]),
    {
        store_id: &'a str = Text,
        status_bitmask: i16 = SmallInt,
        limit: i64 = BigInt,
    }
}

pub(in crate::order) fn count_items(
    connection: &mut SqliteConnection,
    count: &ItemCount,
) -> Result<ItemCounts, Failure> {
    let filter = StatusFilter::choosing(&count.statuses, &BTreeSet::new());
    let uniform: HashMap<i16, _> = uniform_bitmasks().into_iter().collect();
    let limit = i64::try_from(count.most_orders()).unwrap_or(i64::MAX);
    connection.transaction(|connection| {
        let mut rows: Vec<(String, i64)> = Vec::new();
        for store_id in &Db::new(connection, &DIALECT).store_ids(&count.stores)? {
            for status_bitmask in OfStatus::new(connection, store_id, filter)?.bitmasks() {
                let status_bitmask = *status_bitmask;
                match uniform.get(&status_bitmask) {
                    Some(status) => {
                        let statement = CountItems {
                            store_id,
                            status_bitmask,
                            limit,
                        };
                        let items: Option<i64> = statement.get_result(connection)?;
                        rows.extend(items.map(|items| (status.to_string(), items)));
                    }
                    None => {
                        let statement = CountByStatus {
                            store_id,
                            status_bitmask,
                            limit,
                        };
                        rows.extend(statement.load::<(String, i64)>(connection)?);
                    }
                }
            }
        }
        Ok(item_counts(&rows, count)?)
    })
}
