//! Counts the items of several stores by status, for operators.

use std::collections::BTreeSet;

use diesel::pg::PgConnection;
use pressline_backoffice::queue::{ItemCount, ItemCounts};
use pressline_store_kit::{Sql, StatementScope, StatusFilter, item_counts, uniform_bitmasks};

use super::page::StoreParameters;
use crate::arrays::{Kind, array, load};
use crate::error::Failure;

/// Counts the items of any stores. `:bitmasks` and `:statuses` are the lists of [`uniform`],
/// `:wanted` has the bits of the statuses to count, and `:limit` is the maximum number of orders to
/// count per status bitmask, in all stores together.
pub(crate) static COUNT_ITEMS: Sql = Sql::new(include_str!("../sql/item_counts.sql"));
/// Counts the items of the store `:store_id`.
pub(crate) static COUNT_ITEMS_OF_STORE: Sql =
    Sql::new(include_str!("../sql/item_counts_of_store.sql"));

/// Splits [`uniform_bitmasks`] into two lists: bitmasks, and names of statuses.
pub(crate) fn uniform() -> (Vec<i16>, Vec<&'static str>) {
    let bitmasks = uniform_bitmasks().into_iter();
    bitmasks
        .map(|(bitmask, status)| (bitmask, status.as_str()))
        .unzip()
}

pub(crate) fn count_items(
    connection: &mut PgConnection,
    count: &ItemCount,
    scope: StatementScope,
) -> Result<ItemCounts, Failure> {
    let parameters = StoreParameters::new(connection, &count.stores, scope)?;
    let (bitmasks, statuses) = &uniform();
    let wanted = StatusFilter::choosing(&count.statuses, &BTreeSet::new()).statuses;
    let limit = i64::try_from(count.most_orders()).unwrap_or(i64::MAX);
    let mut values = vec![
        ("with_test", parameters.with_test.into()),
        ("every", parameters.every.into()),
        ("stores", array(Kind::Text, &parameters.stores)),
        ("bitmasks", array(Kind::SmallInt, bitmasks)),
        ("statuses", array(Kind::Text, statuses.iter().copied())),
        ("wanted", wanted.into()),
        ("limit", limit.into()),
    ];
    let mut rows: Vec<(String, i64)> = Vec::new();
    if scope == StatementScope::OneStore {
        for store_id in &parameters.stores {
            values.push(("store_id", store_id.into()));
            rows.extend(load::<(String, i64)>(
                connection,
                &COUNT_ITEMS_OF_STORE,
                &values,
            )?);
            values.pop();
        }
    } else {
        rows = load(connection, &COUNT_ITEMS, &values)?;
    }
    Ok(item_counts(&rows, count)?)
}
