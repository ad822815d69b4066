//! Searches for orders by the statuses of their items and by type, with or without words.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, SmallInt, Text};
use pressline_store_kit::{SqlText, StatusFilter, Window, statement};

use super::find::PARTS;
use super::key::Key;
use super::lists;
use super::page_row::{NOT_CONTINUED, PAGE, PageRow, PageSql, Search, page};
use crate::error::Failure;
use crate::words;

/// Number of orders that a search by status and words reads first: enough to fill most pages.
pub(crate) const FIRST_PORTION: i64 = 200;
/// Growth of the number of orders from step to step, so that a search needs few statements.
const GROWTH: i64 = 4;

const OF_STATUS: &str = include_str!("sql/of_status.sql");

statement! {
    pub(crate) struct SelectOfStatus<'a> for Pg, returns PageSql,
    text SqlText::new(
        &format!("{OF_STATUS}{PAGE}"),
        &[&[("source", "of_status"), NOT_CONTINUED], &PARTS[..]].concat(),
    ),
    {
        store_id: &'a str = Text,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
        /// Maximum number of orders to read per status bitmask: `offset` plus `limit`.
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Compares the newest `wanted` orders of a status filter with `tsquery`. Selects the ids of
    /// matches, and the upper bound of ids for the next statement; NULL without older orders.
    pub(crate) struct StatusHits<'a> for Pg, returns (Array<Text>, Nullable<Text>),
    text SqlText::new(
        &format!("{OF_STATUS}{}", include_str!("sql/status_hits.sql")),
        &words::PARTS,
    ),
    {
        store_id: &'a str = Text,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        tsquery: &'a str = Text,
    }
}

statement! {
    /// Statement that selects from `ids` the orders that match a status filter, sorted as in `ids`.
    pub(crate) struct HavingStatus<'a> for Pg, returns Text,
    text SqlText::new(include_str!("sql/having_status.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
    }
}

pub(crate) fn of_status<'a>(
    store_id: &'a str,
    bitmask: StatusFilter,
    window: &'a Window,
) -> SelectOfStatus<'a> {
    SelectOfStatus {
        store_id,
        statuses: bitmask.statuses,
        kinds: bitmask.kinds,
        wanted: window.offset.saturating_add(window.limit),
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: i64::try_from(window.bytes).unwrap_or(i64::MAX),
    }
}

/// Returns the rows of a page, up to the first order after the page.
pub(super) fn rows(
    connection: &mut PgConnection,
    search: &Search<'_>,
    bitmask: StatusFilter,
    key: Option<&Key>,
) -> Result<Vec<PageRow>, Failure> {
    let Some(key) = key else {
        let statement = of_status(search.store_id, bitmask, search.window);
        return Ok(page(statement.load(connection)?));
    };
    let ids = Both {
        search,
        bitmask,
        key,
    }
    .ids(connection)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(lists::by_ids(connection, search, &ids)?)
}

/// A search by status and words. Either can match far fewer orders than the other, so the steps
/// alternate: a step by status tests the next orders with the status for the words, a step by words
/// tests the next orders with the words for the status. Each step starts at the end of the previous
/// step. In total the search costs at most about twice as much as the cheaper kind of step alone.
struct Both<'a> {
    search: &'a Search<'a>,
    bitmask: StatusFilter,
    key: &'a Key,
}

/// Ids of the matching orders, newest first, and the exclusive upper bound of ids for the next
/// step. `before` is `None` if there are no older orders.
struct Step {
    found: Vec<String>,
    before: Option<String>,
}

impl Both<'_> {
    /// Returns the ids of the orders on the page and of the first order after the page, if any.
    fn ids(&self, connection: &mut PgConnection) -> Result<Vec<String>, Failure> {
        let window = self.search.window;
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        let mut skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let mut ids: Vec<String> = Vec::new();
        let mut before = window.before.clone();
        let mut portion = self.search.portion;
        let mut by_status = true;
        loop {
            let step = match by_status {
                true => self.by_status(connection, before, portion)?,
                false => self.by_words(connection, before, portion)?,
            };
            let passed = skipped.min(step.found.len());
            skipped -= passed;
            ids.extend(step.found.into_iter().skip(passed));
            ids.truncate(limit);
            match step.before {
                Some(next) if ids.len() < limit => before = next,
                _ => return Ok(ids),
            }
            if !by_status {
                portion = portion.saturating_mul(GROWTH);
            }
            by_status = !by_status;
        }
    }

    /// Compares the next `portion` orders of the status, with ids below `before`, with the key.
    fn by_status(
        &self,
        connection: &mut PgConnection,
        before: String,
        portion: i64,
    ) -> Result<Step, Failure> {
        let statement = StatusHits {
            store_id: self.search.store_id,
            statuses: self.bitmask.statuses,
            kinds: self.bitmask.kinds,
            wanted: portion,
            from_id: &self.search.window.from,
            before_id: &before,
            tsquery: &self.key.tsquery,
        };
        let (found, before) = statement.get_result(connection)?;
        Ok(Step { found, before })
    }

    /// Checks the status of the next `portion` orders that match the key, with ids below `before`.
    fn by_words(
        &self,
        connection: &mut PgConnection,
        before: String,
        portion: i64,
    ) -> Result<Step, Failure> {
        let window = Window {
            before,
            offset: 0,
            limit: portion,
            // Only ids are needed. The first order is read whole nevertheless.
            bytes: 0,
            ..self.search.window.clone()
        };
        let search = Search {
            window: &window,
            ..*self.search
        };
        let rows = search.with_words(connection, self.key)?;
        let ids: Vec<String> = rows.into_iter().filter_map(|row| row.id).collect();
        let is_last = i64::try_from(ids.len()).is_ok_and(|count| count < portion);
        let before = ids.last().filter(|_| !is_last).cloned();
        let statement = HavingStatus {
            store_id: self.search.store_id,
            ids: &ids,
            statuses: self.bitmask.statuses,
            kinds: self.bitmask.kinds,
        };
        let found = statement.load(connection)?;
        Ok(Step { found, before })
    }
}
