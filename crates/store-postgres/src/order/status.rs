//! Searches for orders by the statuses of their items and by type, alone and together with words.

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

/// Orders that the first step of a search for status and words looks at: enough to fill most pages.
pub(crate) const FIRST_PORTION: i64 = 200;
/// By how much each further step looks at more, so that their number stays small.
const GROWTH: i64 = 4;

const OF_STATUS: &str = include_str!("sql/of_status.sql");

statement! {
    /// Reads a page of the newest orders of a store that a filter finds, within the window.
    pub(crate) struct SelectOfStatus<'a> for Pg, returns PageSql,
    text SqlText::new(
        &format!("{OF_STATUS}{PAGE}"),
        &[&[("source", "of_status"), NOT_CONTINUED], &PARTS[..]].concat(),
    ),
    {
        store_id: &'a str = Text,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
        /// Up to which of the orders of each mask the window can reach.
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Finds out which of the newest orders that a filter finds have the words of a key.
    pub(crate) struct StatusHits<'a> for Pg, returns (Array<Text>, Nullable<Text>),
    text SqlText::new(
        &format!("{OF_STATUS}{}", include_str!("sql/status_hits.sql")),
        &words::PARTS,
    ),
    {
        store_id: &'a str = Text,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
        /// How many orders it looks at.
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        tsquery: &'a str = Text,
    }
}

statement! {
    /// Finds out which orders a filter finds.
    pub(crate) struct HavingStatus<'a> for Pg, returns Text,
    text SqlText::new(include_str!("sql/having_status.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
    }
}

/// The newest orders of a store that a filter finds, within a window.
pub(crate) fn of_status<'a>(
    store_id: &'a str,
    mask: StatusFilter,
    window: &'a Window,
) -> SelectOfStatus<'a> {
    SelectOfStatus {
        store_id,
        statuses: mask.statuses,
        kinds: mask.kinds,
        wanted: window.offset.saturating_add(window.limit),
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: i64::try_from(window.bytes).unwrap_or(i64::MAX),
    }
}

/// Reads the rows of a page of orders that a filter finds, and of the order behind it.
pub(super) fn rows(
    connection: &mut PgConnection,
    search: &Search<'_>,
    mask: StatusFilter,
    key: Option<&Key>,
) -> Result<Vec<PageRow>, Failure> {
    let Some(key) = key else {
        let statement = of_status(search.store_id, mask, search.window);
        return Ok(page(statement.load(connection)?));
    };
    let ids = Both { search, mask, key }.ids(connection)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(lists::by_ids(connection, search, &ids)?)
}

/// A search for orders with a status and words.
///
/// Either the orders of the status or those with the words can be by far the more common ones, and it
/// is not known which. So it takes steps from both sides in turn: of the next orders of the status it
/// finds out which have the words, and of the next orders with the words which have the status. Each
/// step goes on where the one before ended. The whole costs at most about twice as much as the cheaper
/// side alone.
struct Both<'a> {
    search: &'a Search<'a>,
    mask: StatusFilter,
    key: &'a Key,
}

/// Orders that a step has found, newest first, and the id below which the next step goes on; `None`
/// where there are no others.
struct Step {
    found: Vec<String>,
    before: Option<String>,
}

impl Both<'_> {
    /// Returns the ids of the page and of the order behind it.
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

    /// Looks at the next orders of the status.
    fn by_status(
        &self,
        connection: &mut PgConnection,
        before: String,
        portion: i64,
    ) -> Result<Step, Failure> {
        let statement = StatusHits {
            store_id: self.search.store_id,
            statuses: self.mask.statuses,
            kinds: self.mask.kinds,
            wanted: portion,
            from_id: &self.search.window.from,
            before_id: &before,
            tsquery: &self.key.tsquery,
        };
        let (found, before) = statement.get_result(connection)?;
        Ok(Step { found, before })
    }

    /// Looks at the next orders with the words.
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
            // None is read whole but the first.
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
            statuses: self.mask.statuses,
            kinds: self.mask.kinds,
        };
        let found = statement.load(connection)?;
        Ok(Step { found, before })
    }
}
