//! Segments of lists of words, and where a search goes on in them.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, Text};

/// The part of statements that reads segments.
pub(crate) const SEGMENTS: (&str, &str) = ("segments", include_str!("../sql/segments.sql"));

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
    /// How often its lists have been built.
    pub(super) build: i32,
    /// How many orders it has.
    pub(super) orders: i32,
    /// Their ids in ascending order, 16 bytes each: where the window does not have all of them, or
    /// some have changed.
    pub(super) ids: Option<Vec<u8>>,
    /// For each block, which of the key's `starts` it was read for, from 1.
    places: Vec<i64>,
    lists: Vec<Vec<u8>>,
    /// Orders whose words have changed, and those of them that match the key.
    pub(super) changed: Vec<String>,
    pub(super) hits: Vec<String>,
}

impl Segment {
    /// The blocks that were read for one of the key's `starts`, counted from 0.
    pub(super) fn blocks(&self, start: usize) -> impl Iterator<Item = &[u8]> {
        let blocks = self.places.iter().zip(&self.lists);
        blocks
            .filter(move |(place, _)| usize::try_from(**place) == Ok(start + 1))
            .map(|(_, block)| block.as_slice())
    }
}

/// What the first statement of a search found, and where the search goes on in the lists.
#[derive(Debug, Queryable)]
pub(crate) struct Newer {
    /// The orders of the page so far, newest first.
    pub(super) ids: Vec<String>,
    /// Matches so far, with those that the page passes over.
    pub(super) found: i64,
    /// The lists are read for orders below this id.
    pub(super) before_id: String,
    /// The numbers of the words whose lists are read first: the rarest ones, by the latest orders. The
    /// lists of the others, which are longer, are read only where orders have all of these.
    pub(super) words: Vec<i32>,
}
