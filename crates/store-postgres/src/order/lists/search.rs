//! Searches in the lists of words: behind the newer orders, which have none, and up to the end of the
//! page.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use fixedbitset::FixedBitSet;
use pressline_domain::error::RepositoryError;
use pressline_kit::words::SearchKey;

use super::matches;
use super::read::{Segment, SelectFound, read};
use crate::error::Failure;
use crate::order::page::{PageRow, Search};
use crate::words;

/// Segments that are read first, with all words of the key. They show which words are rare.
const FIRST_PORTION: i32 = 4;
/// Segments of each further portion. A round trip costs as much as reading about ten segments.
const PORTION: i32 = 64;
/// Words whose lists are read at a time, the rarest first; further words only where orders have all of
/// these. Most segments have then no match, and the lists of the common words, which are long, are
/// not read.
const WORDS_AT_A_TIME: usize = 4;
/// Words more common than the rarest one by this factor are not read with it.
const COMMON: usize = 16;
/// How often a search begins again because lists that it reads have been built again. That takes a
/// tenth of a second, after a pause, so that once is rare.
const ATTEMPTS: u32 = 10;

/// The words of a key as the statements take them.
pub(crate) struct Key {
    /// As [`words::tsquery`] makes it.
    pub(crate) tsquery: String,
    /// The alternatives of each word.
    words: Vec<Vec<String>>,
}

impl Key {
    pub(crate) fn of(key: &SearchKey) -> Self {
        let alternatives = key.words().iter().map(|word| {
            let alternatives = word.alternatives().map(str::to_owned);
            alternatives.collect::<Vec<_>>()
        });
        let mut words: Vec<Vec<String>> = alternatives.collect();
        words.sort();
        words.dedup();
        Self {
            tsquery: words::tsquery(key),
            words,
        }
    }
}

/// Where a search goes on in the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rest {
    /// Matches of newer orders.
    pub(crate) found: i64,
    /// The lists are read for orders below this id.
    pub(crate) before_id: String,
    /// The newest segment that has such orders.
    pub(crate) segment: i32,
}

/// Why a search in lists did not end.
enum Stopped {
    /// The lists of a segment have been built again since they were read.
    Rebuilt,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Returns the rows of the page whose first orders are these, which are newer than those in the lists.
///
/// # Errors
/// As the database fails; [`RepositoryError::Unavailable`] where lists are built again and again.
pub(crate) fn search(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: &Key,
    rest: &Rest,
    newer: Vec<PageRow>,
) -> Result<Vec<PageRow>, Failure> {
    let newer_ids: Vec<String> = newer.iter().filter_map(|row| row.id.clone()).collect();
    for _ in 0..ATTEMPTS {
        let mut found = Found::after(search, rest, &newer_ids);
        match find(connection, search, key, rest, &mut found) {
            Ok(()) if found.ids.len() == newer_ids.len() && found.positions.is_empty() => {
                return Ok(newer);
            }
            Ok(()) => {}
            Err(Stopped::Rebuilt) => continue,
            Err(Stopped::Failed(failure)) => return Err(failure),
        }
        let rows = found.rows(connection, search)?;
        // Fewer where positions are those of other lists.
        if rows.len() == found.ids.len() + found.positions.len() {
            return Ok(rows);
        }
    }
    Err(RepositoryError::Unavailable("lists of words are built again and again".into()).into())
}

/// Reads lists until the page is full.
fn find(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: &Key,
    rest: &Rest,
    found: &mut Found,
) -> Result<(), Stopped> {
    let mut lists = Lists {
        connection,
        search,
        key,
        rest,
        stages: vec![key.words.iter().collect()],
    };
    let (mut newest, mut portion) = (rest.segment, FIRST_PORTION);
    while newest > 0 && !found.is_full() {
        let oldest = (newest - portion).max(0) + 1;
        let wanted: Vec<i32> = (oldest..=newest).rev().collect();
        let segments = lists.matches(&wanted)?;
        // The window does not reach to older ones.
        let is_last = segments.len() < wanted.len();
        for (segment, positions) in segments {
            found.add(search, rest, &segment, positions);
        }
        if is_last {
            break;
        }
        newest = oldest - 1;
        portion = PORTION;
    }
    Ok(())
}

/// Reads the lists of a key's words.
struct Lists<'a> {
    connection: &'a mut PgConnection,
    search: &'a Search<'a>,
    key: &'a Key,
    rest: &'a Rest,
    /// The words in the order in which their lists are read, and which of them together.
    stages: Vec<Vec<&'a Vec<String>>>,
}

impl<'a> Lists<'a> {
    /// Returns those of these segments that the window reaches to, newest first, with the positions of the
    /// orders that have all words in the lists.
    fn matches(&mut self, wanted: &[i32]) -> Result<Vec<(Segment, FixedBitSet)>, Stopped> {
        let stages = self.stages.clone();
        let mut stages = stages.iter();
        let mut segments = Vec::new();
        let Some(first_words) = stages.next() else {
            return Ok(segments);
        };
        let mut counts = vec![0; first_words.len()];
        for segment in self.read(wanted, first_words)? {
            let of_words = matches::positions(&segment, first_words)?;
            for (count, positions) in counts.iter_mut().zip(&of_words) {
                *count += positions.count_ones(..);
            }
            segments.push((segment, common(of_words)));
        }
        if self.stages.len() == 1 {
            self.stages = stages_by(counts, &self.key.words);
        }
        for words in stages {
            self.narrow(&mut segments, words)?;
        }
        Ok(segments)
    }

    /// Keeps the positions of those orders that have these words, too.
    fn narrow(
        &mut self,
        segments: &mut [(Segment, FixedBitSet)],
        words: &[&Vec<String>],
    ) -> Result<(), Stopped> {
        let left = segments
            .iter_mut()
            .filter(|(_, positions)| !positions.is_clear());
        let mut left: Vec<_> = left.collect();
        let wanted: Vec<i32> = left.iter().map(|(segment, _)| segment.segment).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let read = self.read(&wanted, words)?;
        if read.len() != left.len() {
            return Err(Stopped::Rebuilt);
        }
        for (again, (segment, positions)) in read.into_iter().zip(&mut left) {
            if (again.segment, again.build) != (segment.segment, segment.build) {
                return Err(Stopped::Rebuilt);
            }
            for of_word in matches::positions(&again, words)? {
                positions.intersect_with(&of_word);
            }
            // Orders that have changed since the segment was read first are now among the changed ones.
            *segment = again;
        }
        Ok(())
    }

    fn read(&mut self, wanted: &[i32], words: &[&Vec<String>]) -> QueryResult<Vec<Segment>> {
        read(
            self.connection,
            self.search,
            self.key,
            self.rest,
            wanted,
            words,
        )
    }
}

/// The positions that all these sets have.
fn common(sets: Vec<FixedBitSet>) -> FixedBitSet {
    let mut sets = sets.into_iter();
    let mut common = sets.next().unwrap_or_default();
    sets.for_each(|set| common.intersect_with(&set));
    common
}

/// Divides the words into those that are read together, the rarest first. The counts are how many orders
/// of some segments have each.
fn stages_by(counts: Vec<usize>, words: &[Vec<String>]) -> Vec<Vec<&Vec<String>>> {
    let mut by_count: Vec<(usize, &Vec<String>)> = counts.into_iter().zip(words).collect();
    by_count.sort_by_key(|(count, _)| *count);
    let mut stages: Vec<Vec<&Vec<String>>> = Vec::new();
    let mut rarest = 0;
    for (count, word) in by_count {
        match stages.last_mut() {
            Some(stage) if stage.len() < WORDS_AT_A_TIME && count <= (rarest + 1) * COMMON => {
                stage.push(word);
            }
            _ => {
                rarest = count;
                stages.push(vec![word]);
            }
        }
    }
    stages
}

/// The orders of the page that have been found so far.
struct Found {
    ids: Vec<String>,
    /// Segments, their builds, and positions in them.
    segments: Vec<i32>,
    builds: Vec<i32>,
    positions: Vec<i32>,
    /// Matches that the page still has to pass over.
    skipped: usize,
    /// Orders that the page has room for.
    wanted: usize,
}

impl Found {
    fn after(search: &Search<'_>, rest: &Rest, newer: &[String]) -> Self {
        let window = search.window;
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        Self {
            ids: newer.to_vec(),
            segments: Vec::new(),
            builds: Vec::new(),
            positions: Vec::new(),
            skipped: usize::try_from(window.offset - rest.found).unwrap_or(0),
            wanted: limit.saturating_sub(newer.len()),
        }
    }

    fn is_full(&self) -> bool {
        self.wanted == 0
    }

    /// Adds the matching orders of a segment that is older than all before.
    fn add(&mut self, search: &Search<'_>, rest: &Rest, segment: &Segment, positions: FixedBitSet) {
        let Some(ids) = &segment.ids else {
            self.add_positions(segment, &positions);
            return;
        };
        let window = (search.window.from.as_str(), rest.before_id.as_str());
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
        let before = self.positions.len();
        self.positions
            .extend(newest_first.filter_map(|position| i32::try_from(position).ok()));
        let added = self.positions.len() - before;
        self.segments.resize(before + added, segment.segment);
        self.builds.resize(before + added, segment.build);
        self.wanted -= added;
    }

    /// Reads the rows of the page.
    fn rows(
        &self,
        connection: &mut PgConnection,
        search: &Search<'_>,
    ) -> QueryResult<Vec<PageRow>> {
        let places = [&self.segments, &self.builds, &self.positions].map(Vec::as_slice);
        found(connection, search, &self.ids, places)
    }
}

/// Reads the rows of the orders of a page, by their ids.
pub(crate) fn by_ids(
    connection: &mut PgConnection,
    search: &Search<'_>,
    ids: &[String],
) -> QueryResult<Vec<PageRow>> {
    found(connection, search, ids, [&[]; 3])
}

/// Reads the rows of the orders of a page, by their ids and by their segments, builds and positions.
fn found(
    connection: &mut PgConnection,
    search: &Search<'_>,
    ids: &[String],
    [segments, builds, positions]: [&[i32]; 3],
) -> QueryResult<Vec<PageRow>> {
    let statement = SelectFound {
        store_id: search.store_id,
        ids,
        segments,
        builds,
        positions,
        offset: 0,
        limit: search.window.limit,
        bytes: search.bytes(),
    };
    let rows: Vec<PageRow> = statement.load(connection)?;
    Ok(rows.into_iter().filter(|row| row.id.is_some()).collect())
}
