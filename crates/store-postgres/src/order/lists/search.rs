//! Continues a search in the word lists of older orders, if the newer orders, which have no lists,
//! do not fill the page.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use fixedbitset::FixedBitSet;

use super::matches;
use super::read::{ComparePage, ReadLists, SelectPage};
use crate::error::Failure;
use crate::order::key::Key;
use crate::order::page_row::{PageRow, Search, page};
use crate::order::segment::{Newer, Segment};

/// Maximum number of segments that a statement reads. Most stores have fewer; a round trip costs as
/// much as reading the lists of three words in about five segments.
pub(crate) const PORTION: i32 = 32;

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

/// Returns the orders of `newer`, followed by matches in word lists; `None` if a segment was
/// rebuilt meanwhile, so that the search must start again. `segments` are up to [`PORTION`].
pub(crate) fn search(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: &Key,
    newer: &Newer,
    segments: Vec<Segment>,
) -> Result<Option<Vec<PageRow>>, Failure> {
    let mut found = PageState::after(search, newer);
    let mut lists = Lists {
        connection,
        search,
        key,
        newer,
    };
    match lists.find(segments, &mut found) {
        Ok(()) => {}
        Err(Stopped::Rebuilt) => return Ok(None),
        Err(Stopped::Failed(failure)) => return Err(failure),
    }
    // Saves a statement.
    if found.count() == 0 {
        return Ok(Some(Vec::new()));
    }
    let rows = select_page(connection, search, &found.ids, &found.listed)?;
    // Fewer rows if a segment was rebuilt, because the statement compares build numbers.
    Ok((rows.len() == found.count()).then_some(rows))
}

struct Lists<'a> {
    connection: &'a mut PgConnection,
    search: &'a Search<'a>,
    key: &'a Key,
    newer: &'a Newer,
}

impl Lists<'_> {
    /// Adds the matches in `segments` and then in older segments, until the page is full.
    fn find(&mut self, segments: Vec<Segment>, found: &mut PageState) -> Result<(), Stopped> {
        let mut segments = segments;
        loop {
            let older = older_than(&segments);
            for (segment, positions) in self.matches(segments)? {
                found.add(self.search, &self.newer.before_id, &segment, positions);
            }
            if found.is_full() || older.is_empty() {
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
        let left = segments
            .iter_mut()
            .filter(|(_, positions)| !positions.is_clear());
        let mut left: Vec<_> = left.collect();
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
        let statement = ComparePage {
            store_id: self.search.store_id,
            segments: &orders.segments,
            builds: &orders.builds,
            positions: &orders.positions,
            tsquery: &self.key.tsquery,
        };
        let compared: Vec<(i32, i32, bool)> = statement.load(self.connection)?;
        if compared.len() != orders.positions.len() {
            return Err(Stopped::Rebuilt);
        }
        for (segment, position, _) in compared.into_iter().filter(|(.., is_hit)| !is_hit) {
            let of_segment = left.iter_mut().find(|(other, _)| other.segment == segment);
            if let (Some((_, positions)), Ok(position)) = (of_segment, usize::try_from(position)) {
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
        let statement = ReadLists {
            store_id: self.search.store_id,
            segments,
            words,
            starts: &self.key.starts,
            ends: &self.key.ends,
            of_words: &self.key.of_words,
            tsquery: &self.key.tsquery,
            from_id: &self.search.window.from,
            before_id: &self.newer.before_id,
        };
        statement.load(self.connection)
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
    ids: Vec<String>,
    listed: Positions,
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
            ids: newer.ids.clone(),
            listed: Positions::default(),
            // Negative, and so 0, if the newer orders reach into the page.
            skipped: usize::try_from(window.offset - newer.found).unwrap_or(0),
            wanted: limit.saturating_sub(newer.ids.len()),
        }
    }

    fn is_full(&self) -> bool {
        self.wanted == 0
    }

    fn count(&self) -> usize {
        self.ids.len() + self.listed.positions.len()
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
        let Some(ids) = &segment.ids else {
            self.add_positions(segment, &positions);
            return;
        };
        let window = (search.window.from.as_str(), before_id);
        let most = self.skipped.saturating_add(self.wanted);
        let ids = matches::ids(segment, ids, positions, window, most);
        let skipped = self.skipped.min(ids.len());
        self.skipped -= skipped;
        let ids = ids.into_iter().skip(skipped).take(self.wanted);
        let before = self.ids.len();
        self.ids.extend(ids);
        self.wanted -= self.ids.len() - before;
    }

    fn add_positions(&mut self, segment: &Segment, positions: &FixedBitSet) {
        let count = positions.count_ones(..);
        let skipped = self.skipped.min(count);
        self.skipped -= skipped;
        let newest_first = positions.ones().rev().skip(skipped).take(self.wanted);
        let added = self.listed.add(segment, newest_first);
        self.wanted -= added;
    }
}

/// Entries at the same index name an order: its segment, the segment's build, its position.
#[derive(Default)]
struct Positions {
    segments: Vec<i32>,
    builds: Vec<i32>,
    positions: Vec<i32>,
}

impl Positions {
    /// Returns the number of added orders.
    fn add(&mut self, segment: &Segment, positions: impl Iterator<Item = usize>) -> usize {
        let before = self.positions.len();
        self.positions
            .extend(positions.filter_map(|position| i32::try_from(position).ok()));
        let count = self.positions.len();
        self.segments.resize(count, segment.segment);
        self.builds.resize(count, segment.build);
        count - before
    }
}

pub(crate) fn by_ids(
    connection: &mut PgConnection,
    search: &Search<'_>,
    ids: &[String],
) -> QueryResult<Vec<PageRow>> {
    select_page(connection, search, ids, &Positions::default())
}

fn select_page(
    connection: &mut PgConnection,
    search: &Search<'_>,
    ids: &[String],
    listed: &Positions,
) -> QueryResult<Vec<PageRow>> {
    let statement = SelectPage {
        store_id: search.store_id,
        ids,
        segments: &listed.segments,
        builds: &listed.builds,
        positions: &listed.positions,
        offset: 0,
        limit: search.window.limit,
        bytes: search.bytes(),
    };
    Ok(page(statement.load(connection)?))
}
