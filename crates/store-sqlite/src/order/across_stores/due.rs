//! Takes due orders of all stores.

use diesel::sqlite::SqliteConnection;
use pressline_domain::order::DueOrder;
use pressline_domain::value::Timestamp;
use pressline_store_kit::{Sql, due_order, restore_all};

use crate::error::Failure;
use crate::sql::load;

static DUE_STORES: Sql = Sql::new(include_str!("../sql/due_stores.sql"));
static TAKE_DUE: Sql = Sql::new(include_str!("../sql/due.sql"));

/// Returns store ids, the store that has waited longest first.
pub(in crate::order) fn due_stores(
    connection: &mut SqliteConnection,
    now: Timestamp,
    count: u32,
) -> Result<Vec<String>, Failure> {
    let values = [("now", now.into()), ("count", count.into())];
    Ok(load(connection, &DUE_STORES, &values)?)
}

/// Takes about `count` orders, an equal share of each store, so that no store delays the others. No
/// other server takes them before `until`, their new due time.
pub(in crate::order) fn take(
    connection: &mut SqliteConnection,
    stores: &[String],
    now: Timestamp,
    until: Timestamp,
    count: u32,
) -> Result<Vec<DueOrder>, Failure> {
    let of_store = i64::from(count) / i64::try_from(stores.len().max(1)).unwrap_or(i64::MAX);
    let rows = connection.immediate_transaction(|connection| {
        let mut rows: Vec<(String, String)> = Vec::new();
        for store_id in stores {
            let values = [
                ("until", until.into()),
                ("store_id", store_id.into()),
                ("now", now.into()),
                ("of_store", of_store.max(1).into()),
            ];
            rows.extend(load::<(String, String)>(connection, &TAKE_DUE, &values)?);
        }
        Ok::<_, diesel::result::Error>(rows)
    })?;
    restore_all(&rows, |(store, order)| due_order(store, order))
}
