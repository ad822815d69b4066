//! The statements that read lists, and the orders that are found with them.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, Text};
use pressline_store_kit::{SqlText, statement};

use super::block::end_of;
use super::search::{Key, Rest};
use crate::order::find::PARTS;
use crate::order::page::{self, NOT_CONTINUED, PAGE, PageSql};
use crate::words;

statement! {
    /// Reads the lists of words of segments, as far as these overlap the window.
    pub(crate) struct ReadLists<'a> for Pg, returns SegmentSql,
    text SqlText::new(include_str!("../sql/read_lists.sql"), &words::PARTS),
    {
        store_id: &'a str = Text,
        segments: &'a [i32] = Array<Integer>,
        /// What the words begin with, as bytes, and the least bytes behind.
        starts: &'a [Vec<u8>] = Array<Binary>,
        ends: &'a [Vec<u8>] = Array<Binary>,
        /// All words of the key, for changed orders.
        tsquery: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
    }
}

statement! {
    /// Reads a page of orders that a search has found, by their ids and by their positions in segments.
    pub(crate) struct SelectFound<'a> for Pg, returns PageSql,
    text SqlText::new(
        PAGE,
        &[&[("source", include_str!("../sql/found.sql")), NOT_CONTINUED], &PARTS[..]].concat(),
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

type SegmentSql = (
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
pub(super) struct Segment {
    pub(super) segment: i32,
    /// How often its lists have been built.
    pub(super) build: i32,
    /// How many orders it has.
    pub(super) orders: i32,
    /// Their ids in ascending order, 16 bytes each: where the window does not have all of them, or
    /// some have changed.
    pub(super) ids: Option<Vec<u8>>,
    /// For each block, which of the beginnings it was read for, from 1.
    places: Vec<i64>,
    lists: Vec<Vec<u8>>,
    /// Orders whose words have changed, and those of them that match the key.
    pub(super) changed: Vec<String>,
    pub(super) hits: Vec<String>,
}

impl Segment {
    /// The blocks that were read for a beginning, counted from 0.
    pub(super) fn blocks(&self, beginning: usize) -> impl Iterator<Item = &[u8]> {
        let blocks = self.places.iter().zip(&self.lists);
        blocks
            .filter(move |(place, _)| usize::try_from(**place) == Ok(beginning + 1))
            .map(|(_, block)| block.as_slice())
    }
}

/// Reads the lists of some words of a key, newest segment first.
pub(super) fn read(
    connection: &mut PgConnection,
    search: &page::Search<'_>,
    key: &Key,
    rest: &Rest,
    segments: &[i32],
    words: &[&Vec<String>],
) -> QueryResult<Vec<Segment>> {
    let starts = words.iter().copied().flatten();
    let starts: Vec<Vec<u8>> = starts.map(|start| start.clone().into_bytes()).collect();
    let ends: Vec<Vec<u8>> = starts.iter().map(|start| end_of(start)).collect();
    let statement = ReadLists {
        store_id: search.store_id,
        segments,
        starts: &starts,
        ends: &ends,
        tsquery: &key.tsquery,
        from_id: &search.window.from,
        before_id: &rest.before_id,
    };
    statement.load(connection)
}
