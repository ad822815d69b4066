//! Searches for orders by the statuses of their items and by type.

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_backoffice::queue::Direction;
use pressline_store_kit::{Sql, StatusFilter, Window};

use super::page::{Page, PageOf};
use super::row_ids::{IdAndRow, json};
use crate::error::Failure;
use crate::sql::load;

static BITMASKS: Sql = Sql::new(include_str!("sql/bitmasks.sql"));
static NEWEST_OF_BITMASK: Sql = Sql::new(include_str!("sql/newest_of_bitmask.sql"));
static OLDEST_OF_BITMASK: Sql = Sql::new(include_str!("sql/oldest_of_bitmask.sql"));

/// Maximum number of orders with the same status bitmask to read together and keep in memory.
const PORTION: i64 = 4096;

pub(super) fn sort(orders: &mut [IdAndRow], direction: Direction) {
    orders.sort_unstable_by(|(a, _), (b, _)| match direction {
        Direction::OldestFirst => a.cmp(b),
        Direction::NewestFirst => b.cmp(a),
    });
}

pub(super) struct OfStatus<'a> {
    store_id: &'a str,
    bitmasks: Vec<i16>,
}

impl<'a> OfStatus<'a> {
    pub(super) fn new(
        connection: &mut SqliteConnection,
        store_id: &'a str,
        filter: StatusFilter,
    ) -> QueryResult<Self> {
        let values = [("store_id", store_id.into())];
        let mut bitmasks: Vec<i16> = load(connection, &BITMASKS, &values)?;
        bitmasks.retain(|bitmask| filter.finds(*bitmask));
        Ok(Self { store_id, bitmasks })
    }

    pub(super) fn bitmasks(&self) -> &[i16] {
        &self.bitmasks
    }

    pub(super) fn within(
        &self,
        connection: &mut SqliteConnection,
        range: &(String, String),
    ) -> QueryResult<Vec<IdAndRow>> {
        let (orders, _) = self.first(connection, range, i64::MAX, Direction::NewestFirst)?;
        Ok(orders)
    }

    pub(super) fn page(
        &self,
        connection: &mut SqliteConnection,
        window: &Window,
    ) -> Result<Page, Failure> {
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        let mut skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let portion = window.offset.saturating_add(window.limit).min(PORTION);
        let mut rows: Vec<i64> = Vec::new();
        let mut range = (window.from.clone(), window.before.clone());
        while rows.len() < limit {
            let (orders, next) = self.first(connection, &range, portion, Direction::NewestFirst)?;
            let passed = skipped.min(orders.len());
            skipped -= passed;
            let added = orders.into_iter().skip(passed).map(|(_, row_id)| row_id);
            rows.extend(added.take(limit - rows.len()));
            match next {
                Some(next) => range.1 = next,
                None => break,
            }
        }
        let mut page = Page::new(window);
        let part = Window {
            offset: 0,
            ..window.clone()
        };
        page.read(connection, self.store_id, PageOf::Rows(&json(&rows)), &part)?;
        Ok(page)
    }

    /// Returns orders with ids in `range`, sorted in `direction`, up to `limit` for each status
    /// bitmask. Also returns the id of the last order if more matches may follow it.
    pub(super) fn first(
        &self,
        connection: &mut SqliteConnection,
        range: &(String, String),
        limit: i64,
        direction: Direction,
    ) -> QueryResult<(Vec<IdAndRow>, Option<String>)> {
        let mut orders: Vec<IdAndRow> = Vec::new();
        // All matches up to this id, in the direction, have been read.
        let mut end: Option<String> = None;
        for status_bitmask in &self.bitmasks {
            let for_bitmask =
                self.for_bitmask(connection, *status_bitmask, range, limit, direction)?;
            let is_full = i64::try_from(for_bitmask.len()).is_ok_and(|count| count == limit);
            if let Some((last, _)) = for_bitmask.last().filter(|_| is_full) {
                let is_nearer = end.as_ref().is_none_or(|end| match direction {
                    Direction::OldestFirst => last < end,
                    Direction::NewestFirst => last > end,
                });
                if is_nearer {
                    end = Some(last.clone());
                }
            }
            orders.extend(for_bitmask);
        }
        // Beyond `end`, matches of some bitmasks have not been read.
        if let Some(end) = &end {
            orders.retain(|(id, _)| match direction {
                Direction::OldestFirst => id <= end,
                Direction::NewestFirst => id >= end,
            });
        }
        sort(&mut orders, direction);
        Ok((orders, end))
    }

    fn for_bitmask(
        &self,
        connection: &mut SqliteConnection,
        status_bitmask: i16,
        (from_id, before_id): &(String, String),
        limit: i64,
        direction: Direction,
    ) -> QueryResult<Vec<IdAndRow>> {
        let text = match direction {
            Direction::OldestFirst => &OLDEST_OF_BITMASK,
            Direction::NewestFirst => &NEWEST_OF_BITMASK,
        };
        let values = [
            ("store_id", self.store_id.into()),
            ("status_bitmask", status_bitmask.into()),
            ("from_id", from_id.into()),
            ("before_id", before_id.into()),
            ("limit", limit.into()),
        ];
        load(connection, text, &values)
    }
}
