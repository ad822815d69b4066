//! Counts the items of several stores by status, for operators.

use std::collections::{BTreeSet, HashMap};

use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_backoffice::queue::{ItemCount, ItemCounts};
use pressline_store_kit::{Db, Sql, StatusFilter, item_counts, uniform_bitmasks};

use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::order::status::OfStatus;
use crate::sql::{load, load_first};

static ITEMS_OF_BITMASK: Sql = Sql::new(include_str!("../sql/items_of_bitmask.sql"));
static ITEM_COUNTS: Sql = Sql::new(include_str!("../sql/item_counts.sql"));

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
                let values = [
                    ("store_id", store_id.into()),
                    ("status_bitmask", status_bitmask.into()),
                    ("limit", limit.into()),
                ];
                match uniform.get(status_bitmask) {
                    Some(status) => {
                        let sum: Option<Option<i64>> =
                            load_first(connection, &ITEMS_OF_BITMASK, &values)?;
                        let items = sum.flatten();
                        rows.extend(items.map(|items| (status.to_string(), items)));
                    }
                    None => rows.extend(load::<(String, i64)>(connection, &ITEM_COUNTS, &values)?),
                }
            }
        }
        Ok(item_counts(&rows, count)?)
    })
}
