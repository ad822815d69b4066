//! The statements over several stores: for due orders, and for operators' queries of orders and
//! items. No request of a store sends them.

pub(crate) mod count;
pub(crate) mod due;
pub(crate) mod page;

use std::collections::BTreeSet;

use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_store_kit::schema::stores;

pub(crate) use count::count_items;
pub(crate) use due::take;
pub(crate) use page::page;

fn all_stores(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    stores::table.select(stores::store_id).load(connection)
}

/// Includes test stores if `test` is `true`.
fn stores_with(connection: &mut PgConnection, test: bool) -> QueryResult<BTreeSet<String>> {
    let all = stores::table.filter(stores::test.le(test));
    let ids: Vec<String> = all.select(stores::store_id).load(connection)?;
    Ok(ids.into_iter().collect())
}
