//! The statements that read a page of orders, newest first: whole orders up to a limit of bytes,
//! the other orders as references.

use diesel::pg::PgConnection;
use diesel::result::QueryResult;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Sql, Window};

use super::key::Key;
use super::lists::{Candidates, Continuation, ContinuationRow, candidates};
use super::page_row::{PageRow, Search, page_values};
use crate::arrays::{Values, load};
use crate::error::Failure;

/// Maximum number of attempts of a search. An attempt fails if a word list that it reads is rebuilt
/// meanwhile. After a rebuild the builder pauses for nine times as long, so that even a second
/// attempt is rare.
const ATTEMPTS: u32 = 10;

pub(crate) static NEWEST: Sql = Sql::new(include_str!("sql/newest.sql"));
/// Reads a page of matches. If orders without word lists do not fill the page, and older orders
/// have lists, it instead returns up to `portion` segments of lists, newest first.
pub(crate) static MATCHING: Sql = Sql::new(include_str!("sql/matching.sql"));

/// Returns the parameters of [`NEWEST`].
pub(crate) fn newest<'a>(store_id: &'a str, window: &'a Window) -> Values<'a> {
    page_values(store_id, window)
}

/// Returns the parameters of [`MATCHING`].
pub(crate) fn matching<'a>(store_id: &'a str, key: &'a Key, window: &'a Window) -> Values<'a> {
    let mut values = page_values(store_id, window);
    let wanted = window.offset.saturating_add(window.limit);
    values.extend([
        ("tsquery", (&key.tsquery).into()),
        // The number of matches to find, up to the end of the page.
        ("wanted", wanted.into()),
    ]);
    values.extend(Continuation::values(key));
    values
}

impl Search<'_> {
    /// Includes the first order after the page. Fails after [`ATTEMPTS`] rebuilds of word lists.
    pub(crate) fn with_words(
        &self,
        connection: &mut PgConnection,
        key: &Key,
    ) -> Result<Vec<PageRow>, Failure> {
        for _ in 0..ATTEMPTS {
            let (continued, page) = self.matching(connection, key)?;
            let Some(continuation) = Continuation::new(continued) else {
                return Ok(page.into_iter().filter(|row| row.id.is_some()).collect());
            };
            // The newer orders do not fill the page, so that the search goes on in the lists.
            let Some(candidates) = candidates(connection, self, key, continuation)? else {
                continue;
            };
            let page = candidates.rows(connection, self)?;
            if page.len() == candidates.count() {
                return Ok(page);
            }
        }
        Err(
            RepositoryError::Unavailable("word lists were rebuilt during each attempt".into())
                .into(),
        )
    }

    /// Returns the orders `ids`, which are sorted newest first, like a page.
    pub(crate) fn with_ids(
        &self,
        connection: &mut PgConnection,
        ids: Vec<String>,
    ) -> QueryResult<Vec<PageRow>> {
        Candidates::from_ids(ids).rows(connection, self)
    }

    /// Returns the columns of each row of [`MATCHING`]: where the search continues, and an order. The
    /// only row of an empty page has neither.
    fn matching(
        &self,
        connection: &mut PgConnection,
        key: &Key,
    ) -> QueryResult<(Vec<ContinuationRow>, Vec<PageRow>)> {
        let text = self.nodes.matching(&MATCHING);
        let values = matching(self.store_id, key, self.window);
        let rows: Vec<(ContinuationRow, PageRow)> = load(connection, text, &values)?;
        Ok(rows.into_iter().unzip())
    }
}
