//! Word lists for the older orders of a store: for each word, the orders that have it. A background
//! thread builds the lists; searches read them if the newer orders do not fill the page. ADR 18 has
//! the reasons.

mod block;
pub(crate) mod build;
mod builder;
mod matches;
pub(crate) mod read;
mod search;

pub(crate) use builder::{ClosedChunks, ListBuilder, Pace};
pub(crate) use search::{PORTION, by_ids, search};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListSizes {
    /// Number of orders of a new segment.
    pub(crate) orders: i64,
    /// Number of changed orders above which the lists of a segment are rebuilt. A search compares
    /// each changed order with the search key, which takes 3 µs; rebuilding takes 0.3 s.
    pub(crate) changes: i64,
}

impl Default for ListSizes {
    fn default() -> Self {
        Self {
            orders: 16_384,
            changes: 64,
        }
    }
}
