//! Searches for orders by the statuses of their items and by type, with or without words.

use diesel::pg::PgConnection;
use diesel::result::{Error as DieselError, QueryResult};
use pressline_store_kit::{Row, Sql, StatusFilter, Window};

use super::key::Key;
use super::page_row::{PageRow, Search, page_values};
use crate::arrays::{Kind, List, Values, array, load, load_first};
use crate::error::Failure;

/// Number of orders that a search by status and words reads first: enough to fill most pages.
pub(crate) const FIRST_PORTION: i64 = 200;
/// Growth of the number of orders from step to step, so that a search needs few statements.
const GROWTH: i64 = 4;

pub(crate) static OF_STATUS: Sql = Sql::new(include_str!("sql/of_status.sql"));
/// Compares the newest `wanted` orders of a status filter with `tsquery`.
pub(crate) static HITS: Sql = Sql::new(include_str!("sql/status_hits.sql"));
/// Selects from `ids` the orders that match a status filter, sorted as in `ids`.
pub(crate) static HAVING_STATUS: Sql = Sql::new(include_str!("sql/having_status.sql"));

/// Row of [`HITS`].
#[derive(Row)]
#[row(read)]
struct HitsRow {
    /// Ids of the matches, newest first.
    ids: List<String>,
    /// Upper bound of ids for the next statement, exclusive; `None` without older orders.
    before_id: Option<String>,
}

/// Returns the parameters of [`OF_STATUS`].
pub(crate) fn of_status<'a>(
    store_id: &'a str,
    bitmask: StatusFilter,
    window: &'a Window,
) -> Values<'a> {
    // Number of orders to read per status bitmask, up to the end of the page.
    let wanted = window.offset.saturating_add(window.limit);
    let mut values = page_values(store_id, window);
    values.push(("wanted", wanted.into()));
    values.extend(filter_values(bitmask));
    values
}

fn filter_values<'a>(bitmask: StatusFilter) -> Values<'a> {
    vec![
        ("statuses", bitmask.statuses.into()),
        ("kinds", bitmask.kinds.into()),
    ]
}

/// Returns the parameters of [`HITS`].
pub(crate) fn hits<'a>(
    search: &Search<'a>,
    bitmask: StatusFilter,
    key: &'a Key,
    before: &'a str,
    wanted: i64,
) -> Values<'a> {
    let mut values: Values<'a> = vec![
        ("store_id", search.store_id.into()),
        ("wanted", wanted.into()),
        ("from_id", (&search.window.from).into()),
        ("before_id", before.into()),
        ("tsquery", (&key.tsquery).into()),
    ];
    values.extend(filter_values(bitmask));
    values
}

/// Returns the parameters of [`HAVING_STATUS`].
pub(crate) fn having_status<'a>(
    store_id: &'a str,
    ids: &'a [String],
    bitmask: StatusFilter,
) -> Values<'a> {
    let mut values = vec![
        ("store_id", store_id.into()),
        ("ids", array(Kind::Text, ids)),
    ];
    values.extend(filter_values(bitmask));
    values
}

/// Returns the rows of a page, up to the first order after the page.
pub(super) fn rows(
    connection: &mut PgConnection,
    search: &Search<'_>,
    bitmask: StatusFilter,
    key: Option<&Key>,
) -> Result<Vec<PageRow>, Failure> {
    let Some(key) = key else {
        let values = of_status(search.store_id, bitmask, search.window);
        return Ok(load(connection, &OF_STATUS, &values)?);
    };
    let ids = Both {
        search,
        bitmask,
        key,
    }
    .ids(connection)?;
    Ok(search.with_ids(connection, ids)?)
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
        let values = hits(self.search, self.bitmask, self.key, &before, portion);
        let row: HitsRow = load_first(connection, &HITS, &values)?.ok_or(DieselError::NotFound)?;
        Ok(Step {
            found: row.ids.into(),
            before: row.before_id,
        })
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
        let values = having_status(self.search.store_id, &ids, self.bitmask);
        let matching_ids: QueryResult<Vec<String>> = load(connection, &HAVING_STATUS, &values);
        Ok(Step {
            found: matching_ids?,
            before,
        })
    }
}
