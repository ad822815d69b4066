//! Where a search continues in word lists.

use pressline_store_kit::Row;

use super::read::prefixes;
use super::segment::{Newer, Segment};
use crate::arrays::Values;
use crate::order::key::Key;

/// Maximum number of segments that a statement reads. Most stores have fewer; a round trip costs as
/// much as reading the lists of three words in about five segments.
pub(super) const PORTION: i32 = 32;

/// Columns of a search's statement about word lists. They are NULL if the search ends among the
/// newer orders.
#[derive(Row)]
#[row(read)]
pub(crate) struct ContinuationRow {
    newer: Option<Newer>,
    segment: Option<Segment>,
}

/// Matches among the newer orders, and the first lists to read.
pub(crate) struct Continuation {
    pub(super) newer: Newer,
    /// Up to [`PORTION`] segments, newest first.
    pub(super) segments: Vec<Segment>,
}

impl Continuation {
    /// Returns the parameters of a statement with the columns of [`ContinuationRow`].
    pub(crate) fn values(key: &Key) -> Values<'_> {
        let mut values = prefixes(key);
        values.push(("portion", PORTION.into()));
        values
    }

    /// Returns `None` if the search ends among the newer orders.
    pub(crate) fn new(rows: Vec<ContinuationRow>) -> Option<Self> {
        let (newer, segments): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|row| (row.newer, row.segment)).unzip();
        Some(Self {
            newer: newer.into_iter().next().flatten()?,
            segments: segments.into_iter().flatten().collect(),
        })
    }
}
