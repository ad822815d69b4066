//! The statements that read word lists, and the orders found with them.

use diesel::pg::Pg;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Text};
use pressline_store_kit::{SqlText, statement};

use crate::order::find::PARTS;
use crate::order::page_row::{NOT_CONTINUED, PAGE, PageSql};
use crate::order::segment::{SEGMENTS, SegmentSql};
use crate::words;

statement! {
    /// Skips segments without order ids from `from_id` to below `before_id`.
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
        /// Numbers of the key's words with lists to read.
        words: &'a [i32] = Array<Integer>,
        /// Prefixes of the key's words: `starts`, `ends` and `of_words` are fields of [`Key`].
        starts: &'a [Vec<u8>] = Array<Binary>,
        ends: &'a [Vec<u8>] = Array<Binary>,
        of_words: &'a [i32] = Array<Integer>,
        /// Whole search key, for orders that have changed since the lists were built.
        tsquery: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
    }
}

const POSITIONS: (&str, &str) = ("positions", include_str!("../sql/positions.sql"));

statement! {
    /// Returns whether orders, named by segment and position in the segment, match `tsquery`.
    /// Leaves out segments with another build number than in `builds`.
    pub(crate) struct ComparePage<'a> for Pg, returns (Integer, Integer, Bool),
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
    /// Reads a page of orders given by `ids`, and by their positions in segments.
    pub(crate) struct SelectPage<'a> for Pg, returns PageSql,
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
