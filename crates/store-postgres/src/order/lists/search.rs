//! Searches in the lists of words: behind the newer orders, which have none, and up to the end of the
//! page.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::error::RepositoryError;
use pressline_kit::words::SearchKey;

use super::matches;
use super::read::{Segment, SelectFound, read};
use crate::error::Failure;
use crate::order::page::{PageRow, Search};
use crate::words;

/// Segments that are read first. Each further portion is larger by the factor.
const FIRST_PORTION: i32 = 2;
const FACTOR: i32 = 4;
/// Words that are looked for at first, the longest ones: the shorter a word is, the more words begin
/// with it. The others are read where orders have all of these.
const FIRST_WORDS: usize = 3;
/// How often a search begins again because lists that it reads have been built again. That takes a
/// tenth of a second, after a pause, so that once is rare.
const ATTEMPTS: u32 = 10;

/// The words of a key as the statements take them.
pub(crate) struct Key {
    /// As [`words::tsquery`] makes it.
    pub(crate) tsquery: String,
    /// The alternatives of each word, the longest words first.
    words: Vec<Vec<String>>,
}

impl Key {
    pub(crate) fn of(key: &SearchKey) -> Self {
        let alternatives = key.words().iter().map(|word| {
            let alternatives = word.alternatives().map(str::to_owned);
            alternatives.collect::<Vec<_>>()
        });
        let mut words: Vec<Vec<String>> = alternatives.collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.iter().map(String::len).min()));
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
    let (first_words, other_words) = key
        .words
        .split_at_checked(FIRST_WORDS)
        .unwrap_or((&key.words, &[]));
    let (mut newest, mut portion) = (rest.segment, FIRST_PORTION);
    while newest > 0 && !found.is_full() {
        let oldest = (newest - portion).max(0) + 1;
        let wanted: Vec<i32> = (oldest..=newest).rev().collect();
        let segments = read(connection, search, key, rest, &wanted, first_words)?;
        // The window does not reach to older ones.
        let is_last = segments.len() < wanted.len();
        for segment in segments {
            if found.is_full() {
                break;
            }
            let mut positions = matches::positions(&segment, first_words)?;
            if other_words.is_empty() || positions.is_clear() {
                found.add(search, rest, &segment, positions);
                continue;
            }
            let segment = read_others(connection, search, key, rest, &segment, other_words)?;
            positions.intersect_with(&matches::positions(&segment, other_words)?);
            found.add(search, rest, &segment, positions);
        }
        if is_last {
            break;
        }
        newest = oldest - 1;
        portion *= FACTOR;
    }
    Ok(())
}

/// Reads a segment again for the other words of the key. Orders that have changed since it was read
/// first are now among the changed ones.
fn read_others(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: &Key,
    rest: &Rest,
    segment: &Segment,
    words: &[Vec<String>],
) -> Result<Segment, Stopped> {
    let wanted = [segment.segment];
    let again = read(connection, search, key, rest, &wanted, words)?.pop();
    again
        .filter(|again| again.build == segment.build)
        .ok_or(Stopped::Rebuilt)
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
    fn add(
        &mut self,
        search: &Search<'_>,
        rest: &Rest,
        segment: &Segment,
        positions: fixedbitset::FixedBitSet,
    ) {
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

    fn add_positions(&mut self, segment: &Segment, positions: &fixedbitset::FixedBitSet) {
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
        let statement = SelectFound {
            store_id: search.store_id,
            ids: &self.ids,
            segments: &self.segments,
            builds: &self.builds,
            positions: &self.positions,
            offset: 0,
            limit: search.window.limit,
            bytes: search.bytes(),
        };
        let rows: Vec<PageRow> = statement.load(connection)?;
        Ok(rows.into_iter().filter(|row| row.id.is_some()).collect())
    }
}
