//! The statements that read lists, and the orders that are found with them.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text};
use pressline_store_kit::{SqlText, statement};

use crate::order::find::PARTS;
use crate::order::key::Key;
use crate::order::page::{self, NOT_CONTINUED, PAGE, PageSql};
use crate::words;

/// The part of statements that reads segments.
pub(crate) const SEGMENTS: (&str, &str) = ("segments", include_str!("../sql/segments.sql"));

statement! {
    /// Reads the lists of words of segments, as far as these overlap the window.
    pub(crate) struct ReadLists<'a> for Pg, returns SegmentSql,
    text SqlText::new(
        "{segments}",
        &[
            &[SEGMENTS, ("given", include_str!("../sql/given_segments.sql"))],
            &words::PARTS[..],
        ]
        .concat(),
    ),
    {
        store_id: &'a str = Text,
        segments: &'a [i32] = Array<Integer>,
        /// The numbers of the words whose lists are read.
        words: &'a [i32] = Array<Integer>,
        /// As in [`Key`].
        starts: &'a [Vec<u8>] = Array<Binary>,
        ends: &'a [Vec<u8>] = Array<Binary>,
        of_words: &'a [i32] = Array<Integer>,
        /// All words of the key, for changed orders.
        tsquery: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
    }
}

/// The part of statements that finds orders by their positions.
const POSITIONS: (&str, &str) = ("positions", include_str!("../sql/positions.sql"));

statement! {
    /// Finds out which orders have the words of a key.
    pub(crate) struct CompareFound<'a> for Pg, returns (Integer, Integer, Bool),
    text SqlText::new(
        include_str!("../sql/compared.sql"),
        &[&[POSITIONS], &words::PARTS[..]].concat(),
    ),
    {
        store_id: &'a str = Text,
        segments: &'a [i32] = Array<Integer>,
        builds: &'a [i32] = Array<Integer>,
        positions: &'a [i32] = Array<Integer>,
        tsquery: &'a str = Text,
    }
}

statement! {
    /// Reads a page of orders that a search has found, by their ids and by their positions in segments.
    pub(crate) struct SelectFound<'a> for Pg, returns PageSql,
    text SqlText::new(
        PAGE,
        &[
            &[("source", include_str!("../sql/found.sql")), POSITIONS, NOT_CONTINUED],
            &PARTS[..],
        ]
        .concat(),
    ),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        segments: &'a [i32] = Array<Integer>,
        builds: &'a [i32] = Array<Integer>,
        positions: &'a [i32] = Array<Integer>,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

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

/// Reads the lists of some words of a key, newest segment first.
pub(super) fn read(
    connection: &mut PgConnection,
    search: &page::Search<'_>,
    key: &Key,
    before_id: &str,
    segments: &[i32],
    words: &[i32],
) -> QueryResult<Vec<Segment>> {
    let statement = ReadLists {
        store_id: search.store_id,
        segments,
        words,
        starts: &key.starts,
        ends: &key.ends,
        of_words: &key.of_words,
        tsquery: &key.tsquery,
        from_id: &search.window.from,
        before_id,
    };
    statement.load(connection)
}
