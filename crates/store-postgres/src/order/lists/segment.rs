//! Segments of word lists, and the matches before them.

use pressline_store_kit::Row;

use crate::arrays::List;

/// Range of a store's orders, with the lists of some words of a search key.
#[derive(Row)]
#[row(read)]
pub(super) struct Segment {
    pub(super) segment: i32,
    /// Number of times that the segment's lists have been built.
    pub(super) build: i32,
    pub(super) orders: i32,
    /// Order ids in ascending order, 16 bytes each. `None` if they are not needed: the window
    /// contains the whole segment, and no order of the segment has changed.
    pub(super) ids: Option<Vec<u8>>,
    /// For each block in `lists`, the prefix that the block was read for: a position in the key's
    /// `starts`, from 1.
    places: List<i64>,
    lists: List<Vec<u8>>,
    /// Ids of the orders with words that have changed since the lists were built. `hits` has the
    /// ids of the changed orders that match the key.
    pub(super) changed: List<String>,
    pub(super) hits: List<String>,
}

impl Segment {
    /// Returns the blocks of the prefix at the index `start` of the key's `starts`.
    pub(super) fn blocks(&self, start: usize) -> impl Iterator<Item = &[u8]> {
        let blocks = self.places.iter().zip(self.lists.iter());
        blocks
            .filter(move |(place, _)| usize::try_from(**place) == Ok(start + 1))
            .map(|(_, block)| block.as_slice())
    }
}

/// Result of a search among newer orders, and the point at which it continues in word lists.
#[derive(Debug, Row)]
#[row(read)]
pub(super) struct Newer {
    /// Ids of the orders on the page so far, newest first.
    pub(super) ids: List<String>,
    /// Number of matches found so far, including the matches before the page.
    pub(super) found: i64,
    /// Upper bound, exclusive, of the order ids to search for in word lists.
    pub(super) before_id: String,
    /// Numbers of the key's rarest words, counted among the latest orders. Their lists are read
    /// first. The longer lists of the other words are only read if orders have all rare words.
    pub(super) words: List<i32>,
}
