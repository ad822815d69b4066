//! Continues a search in the word lists of older orders, if the newer orders, which have no lists,
//! do not fill the page.

use diesel::pg::PgConnection;
use diesel::result::QueryResult;
use fixedbitset::FixedBitSet;

use super::continuation::{Continuation, PORTION};
use super::matches;
use super::positions::Positions;
use super::read::{self, COMPARE, ComparedRow, PAGE, READ_LISTS};
use super::segment::{Newer, Segment};
use crate::arrays::load;
use crate::error::Failure;
use crate::order::key::Key;
use crate::order::page_row::{PageRow, Search};

/// Number of orders compared with the key in the time of reading a common word's list.
const ORDERS_PER_LIST: usize = 4;

enum Stopped {
    /// The lists of a segment have been rebuilt since they were read.
    Rebuilt,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Returns the newer matches of `continuation`, followed by the matches in word lists, up to the
/// first order after the page of `search`. Returns `None` if lists were rebuilt meanwhile, so that
/// the search must start again.
pub(crate) fn candidates(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: &Key,
    continuation: Continuation,
) -> Result<Option<Candidates>, Failure> {
    let Continuation { newer, segments } = continuation;
    let mut state = PageState::after(search, &newer);
    let mut lists = Lists {
        connection,
        search,
        key,
        newer: &newer,
    };
    match lists.find(segments, &mut state) {
        Ok(()) => Ok(Some(state.candidates)),
        Err(Stopped::Rebuilt) => Ok(None),
        Err(Stopped::Failed(failure)) => Err(failure),
    }
}

/// Orders of a page, newest first, before they are read. An order from a list is only known by its
/// position in the segment.
pub(crate) struct Candidates {
    ids: Vec<String>,
    listed: Positions,
}

impl Candidates {
    pub(crate) fn from_ids(ids: Vec<String>) -> Self {
        Self {
            ids,
            listed: Positions::default(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.ids.len() + self.listed.positions.len()
    }

    /// Reads the orders. Returns fewer than [`count`](Self::count) if lists were rebuilt since, so
    /// that positions no longer name orders.
    pub(crate) fn rows(
        &self,
        connection: &mut PgConnection,
        search: &Search<'_>,
    ) -> QueryResult<Vec<PageRow>> {
        // Saves a statement.
        if self.count() == 0 {
            return Ok(Vec::new());
        }
        let window = search.window;
        let limits = (window.limit, window.bytes);
        let values = read::page(search.store_id, &self.ids, &self.listed, limits);
        load(connection, &PAGE, &values)
    }
}

struct Lists<'a> {
    connection: &'a mut PgConnection,
    search: &'a Search<'a>,
    key: &'a Key,
    newer: &'a Newer,
}

impl Lists<'_> {
    /// Adds the matches in `segments` and then in older segments, until the page is full.
    fn find(&mut self, segments: Vec<Segment>, state: &mut PageState) -> Result<(), Stopped> {
        let mut segments = segments;
        loop {
            let older = older_than(&segments);
            for (segment, positions) in self.matches(segments)? {
                state.add(self.search, &self.newer.before_id, &segment, positions);
            }
            if state.is_full() || older.is_empty() {
                return Ok(());
            }
            segments = self.read(&older, &self.newer.words)?;
        }
    }

    /// Expects `segments` with the lists of `newer.words`, the rarest words.
    fn matches(&mut self, segments: Vec<Segment>) -> Result<Vec<(Segment, FixedBitSet)>, Stopped> {
        let mut matching = Vec::with_capacity(segments.len());
        for segment in segments {
            let positions = matches::positions(&segment, self.key, &self.newer.words)?;
            matching.push((segment, positions));
        }
        let others = self.key.words_without(&self.newer.words);
        if !others.is_empty() {
            self.narrow(&mut matching, &others)?;
        }
        Ok(matching)
    }

    /// Leaves only orders with all of `words`, which are numbers of the key's words.
    fn narrow(
        &mut self,
        segments: &mut [(Segment, FixedBitSet)],
        words: &[i32],
    ) -> Result<(), Stopped> {
        let mut left: Vec<_> = segments
            .iter_mut()
            .filter(|(_, positions)| !positions.is_clear())
            .collect();
        let counts = left.iter().map(|(_, positions)| positions.count_ones(..));
        let orders: usize = counts.sum();
        if orders == 0 {
            return Ok(());
        }
        // Few candidates are cheaper to compare than the long lists of the other words.
        match orders <= left.len() * words.len() * ORDERS_PER_LIST {
            true => self.compare(&mut left),
            false => self.intersect(&mut left, words),
        }
    }

    /// Removes orders that do not match the key. Compares the orders themselves, not their lists.
    fn compare(&mut self, left: &mut [&mut (Segment, FixedBitSet)]) -> Result<(), Stopped> {
        let mut orders = Positions::default();
        for (segment, positions) in left.iter() {
            orders.add(segment, positions.ones());
        }
        let values = read::compare(self.search.store_id, &orders, &self.key.tsquery);
        let compared: Vec<ComparedRow> = load(self.connection, &COMPARE, &values)?;
        if compared.len() != orders.positions.len() {
            return Err(Stopped::Rebuilt);
        }
        for row in compared.into_iter().filter(|row| !row.is_hit) {
            let of_segment = left
                .iter_mut()
                .find(|(other, _)| other.segment == row.segment);
            let position = usize::try_from(row.position);
            if let (Some((_, positions)), Ok(position)) = (of_segment, position) {
                positions.set(position, false);
            }
        }
        Ok(())
    }

    fn intersect(
        &mut self,
        left: &mut [&mut (Segment, FixedBitSet)],
        words: &[i32],
    ) -> Result<(), Stopped> {
        let wanted: Vec<i32> = left.iter().map(|(segment, _)| segment.segment).collect();
        let read = self.read(&wanted, words)?;
        if read.len() != left.len() {
            return Err(Stopped::Rebuilt);
        }
        for (again, (segment, positions)) in read.into_iter().zip(left) {
            if (again.segment, again.build) != (segment.segment, segment.build) {
                return Err(Stopped::Rebuilt);
            }
            positions.intersect_with(&matches::positions(&again, self.key, words)?);
            // Orders that changed since the first read are now in the segment's `changed`.
            *segment = again;
        }
        Ok(())
    }

    fn read(&mut self, segments: &[i32], words: &[i32]) -> QueryResult<Vec<Segment>> {
        let window = (
            self.search.window.from.as_str(),
            self.newer.before_id.as_str(),
        );
        let values = read::read_lists(self.search.store_id, self.key, (segments, words), window);
        load(self.connection, &READ_LISTS, &values)
    }
}

/// Returns up to [`PORTION`] segments, newest first.
fn older_than(portion: &[Segment]) -> Vec<i32> {
    // A short portion contains the oldest segment of the window.
    let is_last = i32::try_from(portion.len()).is_ok_and(|count| count < PORTION);
    match portion.last() {
        Some(oldest) if !is_last => {
            let from = oldest.segment.saturating_sub(PORTION).max(1);
            (from..oldest.segment).rev().collect()
        }
        _ => Vec::new(),
    }
}

struct PageState {
    candidates: Candidates,
    /// Number of matches before the page that are still to be skipped.
    skipped: usize,
    /// Number of orders that the page still has room for.
    wanted: usize,
}

impl PageState {
    fn after(search: &Search<'_>, newer: &Newer) -> Self {
        let window = search.window;
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        Self {
            candidates: Candidates::from_ids(newer.ids.to_vec()),
            // Negative, and so 0, if the newer orders reach into the page.
            skipped: usize::try_from(window.offset - newer.found).unwrap_or(0),
            wanted: limit.saturating_sub(newer.ids.len()),
        }
    }

    fn is_full(&self) -> bool {
        self.wanted == 0
    }

    /// Must be called in descending order of segments. Leaves out orders that the page's offset
    /// skips, and orders outside the search's window.
    fn add(
        &mut self,
        search: &Search<'_>,
        before_id: &str,
        segment: &Segment,
        positions: FixedBitSet,
    ) {
        let Some(segment_ids) = &segment.ids else {
            self.add_positions(segment, &positions);
            return;
        };
        let window = (search.window.from.as_str(), before_id);
        let most = self.skipped.saturating_add(self.wanted);
        let matching_ids = matches::ids(segment, segment_ids, positions, window, most);
        let skipped = self.skipped.min(matching_ids.len());
        self.skipped -= skipped;
        let ids = matching_ids.into_iter().skip(skipped).take(self.wanted);
        let before = self.candidates.ids.len();
        self.candidates.ids.extend(ids);
        self.wanted -= self.candidates.ids.len() - before;
    }

    fn add_positions(&mut self, segment: &Segment, positions: &FixedBitSet) {
        let count = positions.count_ones(..);
        let skipped = self.skipped.min(count);
        self.skipped -= skipped;
        let newest_first = positions.ones().rev().skip(skipped).take(self.wanted);
        let added = self.candidates.listed.add(segment, newest_first);
        self.wanted -= added;
    }
}
