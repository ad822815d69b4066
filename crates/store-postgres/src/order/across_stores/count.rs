//! Counts the items of several stores by status, for operators.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, SmallInt, Text};
use pressline_backoffice::queue::{ItemCount, ItemCounts};
use pressline_store_kit::{SqlText, StatusFilter, item_counts, statement, uniform_bitmasks};

use super::page::{OF_ANY, OF_ONE, StoreParameters};
use crate::error::Failure;

static TEXTS: LazyLock<[(bool, SqlText); 2]> = LazyLock::new(|| {
    [(false, &OF_ANY), (true, &OF_ONE)].map(|(of_one, parts)| {
        let text = SqlText::new(include_str!("../sql/item_counts.sql"), parts);
        (of_one, text)
    })
});

statement! {
    pub(crate) struct CountItems<'a> for Pg, returns (Text, BigInt),
    chosen by of_one: bool, texts TEXTS,
    {
        store_id: &'a str = Text,
        with_test: bool = Bool,
        every: bool = Bool,
        stores: &'a [String] = Array<Text>,
        /// Status bitmasks of orders with all items in a single status, from [`uniform_bitmasks`].
        bitmasks: &'a [i16] = Array<SmallInt>,
        statuses: &'a [&'a str] = Array<Text>,
        /// Bits of the statuses to count.
        wanted: i16 = SmallInt,
        /// Maximum number of orders to count per status bitmask, in all stores together.
        limit: i64 = BigInt,
    }
}

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
    one_by_one: bool,
) -> Result<ItemCounts, Failure> {
    let parameters = StoreParameters::new(connection, &count.stores, one_by_one)?;
    let (bitmasks, statuses) = &uniform();
    let wanted = StatusFilter::choosing(&count.statuses, &BTreeSet::new()).statuses;
    let limit = i64::try_from(count.most_orders()).unwrap_or(i64::MAX);
    let mut statement = CountItems {
        of_one: one_by_one,
        store_id: "",
        with_test: parameters.with_test,
        every: parameters.every,
        stores: &parameters.stores,
        bitmasks,
        statuses,
        wanted,
        limit,
    };
    let mut rows: Vec<(String, i64)> = Vec::new();
    if one_by_one {
        for store_id in &parameters.stores {
            statement.store_id = store_id;
            rows.extend(statement.load::<(String, i64)>(connection)?);
        }
    } else {
        rows = statement.load(connection)?;
    }
    Ok(item_counts(&rows, count)?)
}
