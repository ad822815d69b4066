//! Lists of the orders that have each word, for the older orders of a store. A background task builds
//! them; searches read them where the newer orders do not fill the page. docs/adr/0018 says why.

mod block;
mod build;
mod builder;
mod matches;
mod read;
mod search;
mod segment;

pub(crate) use block::end_of;
#[cfg(any(test, feature = "test-support"))]
pub(crate) use build::build_one;
pub(crate) use builder::{ClosedChunks, ListBuilder, Pace};
pub(crate) use search::{PORTION, by_ids, search};
pub(crate) use segment::{Newer, SEGMENTS, Segment, SegmentSql};

/// The statements, for tests.
#[cfg(any(test, feature = "test-support"))]
pub(crate) mod statements {
    pub(crate) use super::build::{
        BeginSegment, DeleteLists, ForgetChanges, InsertLists, SegmentWords, SetListed,
        SetListedChanges, TakeSegment,
    };
    pub(crate) use super::read::{ComparePage, ReadLists, SelectPage};
}

/// Sizes of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListSizes {
    /// Orders of a segment when it begins.
    pub(crate) orders: i64,
    /// Changed orders of a segment from which on its lists are built again. A search compares each
    /// of them with its key, which takes 3 µs; building takes 0.3 s.
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
