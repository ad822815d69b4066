//! Counts the items of several stores by status, for operators.

use std::collections::BTreeSet;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, SmallInt, Text};
use pressline_backoffice::queue::{ItemCount, ItemCounts};
use pressline_store_kit::{SqlText, StatusFilter, item_counts, statement, uniform_bitmasks};

use super::page::{OF_ANY, OF_ONE, StoreParameters};
use crate::error::Failure;

statement! {
    pub(crate) struct CountItems<'a> for Pg, returns (Text, BigInt),
    text SqlText::new(include_str!("../sql/item_counts.sql"), &OF_ANY),
    {
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

statement! {
    pub(crate) struct CountItemsOfStore<'a> for Pg, returns (Text, BigInt),
    text SqlText::new(include_str!("../sql/item_counts.sql"), &OF_ONE),
    {
        store_id: &'a str = Text,
        bitmasks: &'a [i16] = Array<SmallInt>,
        statuses: &'a [&'a str] = Array<Text>,
        wanted: i16 = SmallInt,
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
    let mut rows: Vec<(String, i64)> = Vec::new();
    if one_by_one {
        for store_id in &parameters.stores {
            let statement = CountItemsOfStore {
                store_id,
                bitmasks,
                statuses,
                wanted,
                limit,
            };
            rows.extend(statement.load::<(String, i64)>(connection)?);
        }
    } else {
        let statement = CountItems {
            with_test: parameters.with_test,
            every: parameters.every,
            stores: &parameters.stores,
            bitmasks,
            statuses,
            wanted,
            limit,
        };
        rows = statement.load(connection)?;
    }
    Ok(item_counts(&rows, count)?)
}
