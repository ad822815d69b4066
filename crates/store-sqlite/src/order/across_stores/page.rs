//! Queries for the orders of several stores, for operators.

use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_backoffice::queue::{CrossStoreQuery, Direction, OrderRef};
use pressline_store_kit::{Db, Sql, StatusFilter, order_ref, restore_all};

use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::order::matching;
use crate::order::row_ids::{IdAndRow, json};
use crate::order::status::{OfStatus, sort};
use crate::sql::load;

static SIZES: Sql = Sql::new(include_str!("../sql/sizes.sql"));

pub(in crate::order) fn page(
    connection: &mut SqliteConnection,
    query: &CrossStoreQuery,
) -> Result<Vec<OrderRef>, Failure> {
    connection.transaction(|connection| {
        let filter = StatusFilter::choosing(&query.statuses, &query.kinds);
        let count = usize::try_from(query.count).unwrap_or(usize::MAX);
        let mut range = (query.from.to_string(), query.before.to_string());
        let mut orders: Vec<IdAndRow> = Vec::new();
        for store_id in Db::new(connection, &DIALECT).store_ids(&query.stores)? {
            let of_status = OfStatus::new(connection, &store_id, filter)?;
            let of_store = match &query.key {
                None => {
                    of_status
                        .first(connection, &range, i64::from(query.count), query.direction)?
                        .0
                }
                Some(key) => {
                    let of_status = (filter != StatusFilter::ANY).then_some(&of_status);
                    let search = (key, of_status);
                    matching::first(connection, &store_id, search, &range, query)?
                }
            };
            orders.extend(of_store);
            sort(&mut orders, query.direction);
            orders.truncate(count);
            narrow(
                &mut range,
                orders.get(count.saturating_sub(1)),
                query.direction,
            );
        }
        let rows: Vec<i64> = orders.into_iter().map(|(_, row_id)| row_id).collect();
        let values = [("rows", json(&rows).into())];
        let places: Vec<(String, String, i32)> = load(connection, &SIZES, &values)?;
        restore_all(places, |(store, id, size)| order_ref(&store, &id, size))
    })
}

/// Ends `range` at `last`, the last order of a full page; `None` if the page is not full.
fn narrow(range: &mut (String, String), last: Option<&IdAndRow>, direction: Direction) {
    let Some((last, _)) = last else {
        return;
    };
    match direction {
        Direction::OldestFirst => range.1.clone_from(last),
        Direction::NewestFirst => range.0.clone_from(last),
    }
}
