//! The statements that read word lists, and the orders found with them.

use pressline_store_kit::{Row, Sql};

use super::positions::Positions;
use crate::arrays::{Kind, Values, array};
use crate::order::key::Key;

/// Reads the lists of segments. Skips segments without order ids from `from_id` to below
/// `before_id`.
pub(crate) static READ_LISTS: Sql = Sql::new(include_str!("sql/read.sql"));
/// Compares orders, named by segment and position in the segment, with `tsquery`. Leaves out
/// segments with another build number than in `builds`.
pub(crate) static COMPARE: Sql = Sql::new(include_str!("sql/compared.sql"));
/// Reads a page of orders given by `ids`, and by their positions in segments.
pub(crate) static PAGE: Sql = Sql::new(include_str!("sql/page.sql"));

/// Row of [`COMPARE`].
#[derive(Row)]
pub(super) struct ComparedRow {
    pub(super) segment: i32,
    pub(super) position: i32,
    pub(super) is_hit: bool,
}

/// Returns the prefixes of a key's words as parameters of a statement.
pub(super) fn prefixes(key: &Key) -> Values<'_> {
    vec![
        ("starts", array(Kind::Binary, &key.starts)),
        ("ends", array(Kind::Binary, &key.ends)),
        ("of_words", array(Kind::Integer, &key.of_words)),
    ]
}

/// Returns the parameters of [`READ_LISTS`]. `words` has the numbers of the key's words with lists to
/// read. The whole key is for orders that have changed since the lists were built.
pub(crate) fn read_lists<'a>(
    store_id: &'a str,
    key: &'a Key,
    (segments, words): (&'a [i32], &'a [i32]),
    (from_id, before_id): (&'a str, &'a str),
) -> Values<'a> {
    let mut values = prefixes(key);
    values.extend([
        ("tsquery", (&key.tsquery).into()),
        ("store_id", store_id.into()),
        ("segments", array(Kind::Integer, segments)),
        ("words", array(Kind::Integer, words)),
        ("from_id", from_id.into()),
        ("before_id", before_id.into()),
    ]);
    values
}

/// Returns the parameters of [`COMPARE`].
pub(crate) fn compare<'a>(
    store_id: &'a str,
    orders: &'a Positions,
    tsquery: &'a str,
) -> Values<'a> {
    let mut values = orders.values();
    values.extend([("store_id", store_id.into()), ("tsquery", tsquery.into())]);
    values
}

/// Returns the parameters of [`PAGE`].
pub(crate) fn page<'a>(
    store_id: &'a str,
    ids: &'a [String],
    listed: &'a Positions,
    (limit, bytes): (i64, u64),
) -> Values<'a> {
    let mut values = listed.values();
    values.extend([
        ("store_id", store_id.into()),
        ("ids", array(Kind::Text, ids)),
        ("offset", 0_i64.into()),
        ("limit", limit.into()),
        ("bytes", bytes.into()),
    ]);
    values
}
