//! The statements that read a page of orders, newest first: whole orders up to a limit of bytes,
//! the other orders as references.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Text};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{SqlText, Window, statement};

use super::find::PARTS;
use super::key::Key;
use super::lists::{self, PORTION};
use super::page_row::{NOT_CONTINUED, PAGE, PageRow, PageSql, Search, bytes, page};
use super::segment::SEGMENTS;
use crate::error::Failure;
use crate::words;

/// Maximum number of attempts of a search. An attempt fails if a word list that it reads is rebuilt
/// meanwhile. After a rebuild the builder pauses for nine times as long, so that even a second
/// attempt is rare.
const ATTEMPTS: u32 = 10;

statement! {
    pub(crate) struct SelectNewest<'a> for Pg, returns PageSql,
    text SqlText::new(
        PAGE,
        &[&[("source", include_str!("sql/newest.sql")), NOT_CONTINUED], &PARTS[..]].concat(),
    ),
    {
        store_id: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Reads a page of matches. If orders without word lists do not fill the page, and older orders
    /// have lists, it instead returns up to `portion` segments of lists, newest first.
    pub(crate) struct SelectMatching<'a> for Pg, returns PageSql,
    text matching_text(""),
    {
        store_id: &'a str = Text,
        /// The search key: `tsquery`, `starts`, `ends` and `of_words` are fields of [`Key`].
        tsquery: &'a str = Text,
        starts: &'a [Vec<u8>] = Array<Binary>,
        ends: &'a [Vec<u8>] = Array<Binary>,
        of_words: &'a [i32] = Array<Integer>,
        portion: i32 = Integer,
        /// Number of matches to find: `offset` plus `limit`.
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Variant of [`SelectMatching`] for distributed tables. An additional condition routes the
    /// statement to the store's node, which plans the statement for this store. On a single node
    /// the condition would be harmful: a plan for any store would read all orders of a large store
    /// by the primary key.
    pub(crate) struct SelectMatchingOnNode<'a>(SelectMatching) for Pg, returns PageSql,
    text matching_text("order_words.store_id = :store_id AND"),
}

/// Adds the condition `of_store` on `order_words`, with `AND` at its end; empty for none.
fn matching_text(of_store: &str) -> SqlText {
    SqlText::new(
        &format!("{}{PAGE}", include_str!("sql/hits.sql")),
        &[
            &[
                ("source", "hits WHERE NOT EXISTS (SELECT FROM continued)"),
                ("of_store", of_store),
                ("continued", include_str!("sql/continued.sql")),
                SEGMENTS,
                ("given", include_str!("sql/newest_segments.sql")),
            ],
            &words::PARTS[..],
            &PARTS,
        ]
        .concat(),
    )
}

pub(crate) fn newest<'a>(store_id: &'a str, window: &'a Window) -> SelectNewest<'a> {
    SelectNewest {
        store_id,
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: bytes(window),
    }
}

pub(crate) fn matching<'a>(
    store_id: &'a str,
    key: &'a Key,
    window: &'a Window,
) -> SelectMatching<'a> {
    SelectMatching {
        store_id,
        tsquery: &key.tsquery,
        starts: &key.starts,
        ends: &key.ends,
        of_words: &key.of_words,
        portion: PORTION,
        wanted: window.offset.saturating_add(window.limit),
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: bytes(window),
    }
}

impl Search<'_> {
    /// Includes the first order after the page. Fails after [`ATTEMPTS`] rebuilds of word lists.
    pub(crate) fn with_words(
        &self,
        connection: &mut PgConnection,
        key: &Key,
    ) -> Result<Vec<PageRow>, Failure> {
        for _ in 0..ATTEMPTS {
            let mut rows = self.matching(connection, key)?;
            let Some(newer) = rows.first_mut().and_then(|row| row.newer.take()) else {
                return Ok(page(rows));
            };
            // The newer orders do not fill the page, so that the search goes on in the lists.
            let segments = rows.into_iter().filter_map(|row| row.segment).collect();
            if let Some(rows) = lists::search(connection, self, key, &newer, segments)? {
                return Ok(rows);
            }
        }
        Err(
            RepositoryError::Unavailable("word lists were rebuilt during each attempt".into())
                .into(),
        )
    }

    fn matching(&self, connection: &mut PgConnection, key: &Key) -> QueryResult<Vec<PageRow>> {
        let matching = matching(self.store_id, key, self.window);
        match self.distributed {
            true => SelectMatchingOnNode(matching).load(connection),
            false => matching.load(connection),
        }
    }
}
