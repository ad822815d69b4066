//! Takes due orders of all stores.

use diesel::pg::PgConnection;
use pressline_domain::order::DueOrder;
use pressline_domain::value::Timestamp;
use pressline_store_kit::{Sql, due_order, restore_all};

use crate::arrays::load;
use crate::citus::Nodes;
use crate::error::Failure;

/// Takes due orders of any stores.
pub(crate) static TAKE_DUE: Sql = Sql::new(include_str!("../sql/due_of_any.sql"));
/// Takes due orders of a store.
pub(crate) static TAKE_DUE_OF_STORE: Sql = Sql::new(include_str!("../sql/due_of_one.sql"));

/// Takes about `count` orders. No other server takes them before `until`, their new due time.
pub(crate) fn take(
    connection: &mut PgConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
    nodes: Nodes,
) -> Result<Vec<DueOrder>, Failure> {
    let (now, until, count) = (now.as_millis(), until.as_millis(), i64::from(count));
    let rows: Vec<(String, String)> = match nodes.due_stores(connection, now, count)? {
        Some(stores) => take_by_store(connection, &stores, (now, until), count)?,
        None => {
            let values = [
                ("now", now.into()),
                ("count", count.into()),
                ("until", until.into()),
            ];
            load(connection, &TAKE_DUE, &values)?
        }
    };
    restore_all(&rows, |(store, order)| due_order(store, order))
}

/// Takes due orders by a statement for each of `stores`.
fn take_by_store(
    connection: &mut PgConnection,
    stores: &[String],
    (now, until): (i64, i64),
    count: i64,
) -> Result<Vec<(String, String)>, Failure> {
    // An equal share for each store, so that no store delays the others.
    let shares = i64::try_from(stores.len().max(1)).unwrap_or(i64::MAX);
    let of_store = (count / shares).max(1);
    let mut rows = Vec::new();
    for store_id in stores {
        let values = [
            ("store_id", store_id.into()),
            ("now", now.into()),
            ("of_store", of_store.into()),
            ("until", until.into()),
        ];
        rows.extend(load::<(String, String)>(
            connection,
            &TAKE_DUE_OF_STORE,
            &values,
        )?);
    }
    Ok(rows)
}
