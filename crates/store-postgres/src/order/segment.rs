//! Segments of word lists, and the point where a search continues in them.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, Text};

/// Part of statements that reads segments.
pub(crate) const SEGMENTS: (&str, &str) = ("segments", include_str!("sql/segments.sql"));

pub(crate) type SegmentSql = (
    Integer,
    Integer,
    Integer,
    Nullable<Binary>,
    Array<BigInt>,
    Array<Binary>,
    Array<Text>,
    Array<Text>,
);

/// A segment with the lists of some words.
#[derive(Queryable)]
pub(crate) struct Segment {
    pub(super) segment: i32,
    /// Number of times that its lists have been built.
    pub(super) build: i32,
    /// Number of orders in the segment.
    pub(super) orders: i32,
    /// Ids in ascending order, 16 bytes each. `None` if they are not needed: the window contains
    /// the whole segment and no order of it has changed.
    pub(super) ids: Option<Vec<u8>>,
    /// For each block of `lists`, the position, from 1, of the prefix in the key's `starts` for
    /// which the block was read.
    places: Vec<i64>,
    lists: Vec<Vec<u8>>,
    /// Orders with changed words. `hits` are the changed orders that match the key.
    pub(super) changed: Vec<String>,
    pub(super) hits: Vec<String>,
}

impl Segment {
    /// Returns the blocks of the prefix at position `start`, from 0, of the key's `starts`.
    pub(super) fn blocks(&self, start: usize) -> impl Iterator<Item = &[u8]> {
        let blocks = self.places.iter().zip(&self.lists);
        blocks
            .filter(move |(place, _)| usize::try_from(**place) == Ok(start + 1))
            .map(|(_, block)| block.as_slice())
    }
}

/// Result of the first statement of a search, and where the search continues in the lists.
#[derive(Debug, Queryable)]
pub(crate) struct Newer {
    /// Orders of the page so far, newest first.
    pub(super) ids: Vec<String>,
    /// Number of matches so far, including the matches before the page.
    pub(super) found: i64,
    /// The lists are searched for orders below this id.
    pub(super) before_id: String,
    /// Numbers of the words with the lists to read first: the rarest words among the latest orders.
    /// The longer lists of the other words are only read for orders that have all rare words.
    pub(super) words: Vec<i32>,
}
