//! The orders of a chunk that have the words of a key.
//!
//! The index of words reads all orders of the chunk that have a word, for each word that is asked for. So of a
//! key with many words only the rarest ones are asked for, and the few orders that have these are
//! compared with the others.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::order::search::BATCH_BYTES;
use pressline_kit::words::{KeyWord, SearchKey};
use pressline_store_kit::{SqlText, statement};

use super::chunk;
use super::page::with_ids;
use super::row_ids::of_rows;
use crate::error::Failure;
use crate::words;

/// The index is asked for all words of a key that has no more.
const FEW_WORDS: usize = 3;

/// Most orders of a chunk that are compared. Of more, the index is asked for all words.
const FEW_ORDERS: usize = 16;

/// A word that so many orders of a chunk have shows how common others are.
const MANY_ORDERS: f64 = 1000.0;

/// The index reads so many orders of a word in the time in which one order is compared.
const READ_PER_COMPARED: f64 = 2500.0;

/// The range of all ids.
const ALL_IDS: (&str, &str) = ("", "~");

statement! {
    /// Reads the `row_id`s of orders of a chunk with the words.
    struct SelectHits<'a> for Sqlite, returns BigInt,
    text SqlText::new(include_str!("sql/hits.sql"), &[]),
    {
        words: &'a str = Text,
    }
}

/// A search of a store for a key, chunk by chunk.
#[derive(Debug)]
pub(super) struct Hits<'a> {
    store_id: &'a str,
    key: &'a SearchKey,
    lookup: IndexLookup<'a>,
}

/// The words that the index is asked for.
#[derive(Debug)]
enum IndexLookup<'a> {
    /// All, one by one, until it is known how many orders have each: in so many chunks at most.
    Each { chunks: usize },
    /// The rarest ones.
    Rarest(Vec<&'a KeyWord>),
}

impl<'a> Hits<'a> {
    pub(super) fn new(store_id: &'a str, key: &'a SearchKey) -> Self {
        let lookup = match key.words() {
            few if few.len() <= FEW_WORDS => IndexLookup::Rarest(few.iter().collect()),
            _ => IndexLookup::Each { chunks: 2 },
        };
        Self {
            store_id,
            key,
            lookup,
        }
    }

    /// Returns the `row_id`s of the chunk's orders that have all words, in ascending order.
    pub(super) fn in_chunk(
        &mut self,
        connection: &mut SqliteConnection,
        chunk: i64,
    ) -> Result<Vec<i64>, Failure> {
        let all = self.key.words();
        match &mut self.lookup {
            IndexLookup::Each { chunks } => {
                let is_last = *chunks == 1;
                *chunks -= 1;
                Ok(self.measure(connection, chunk, is_last)?)
            }
            IndexLookup::Rarest(rarest) => {
                let hits = with_words(connection, chunk, rarest.iter().copied())?;
                if rarest.len() == all.len() || hits.is_empty() {
                    return Ok(hits);
                }
                match self.compare(connection, &hits)? {
                    Some(hits) => Ok(hits),
                    None => Ok(with_words(connection, chunk, all)?),
                }
            }
        }
    }

    /// Reads the orders of each word, and returns the orders that have all words. Decides which words the
    /// index is asked for from now on, unless the chunk has few orders, as the latest one may have, and
    /// is not the last to say so.
    fn measure(
        &mut self,
        connection: &mut SqliteConnection,
        chunk: i64,
        is_last: bool,
    ) -> QueryResult<Vec<i64>> {
        let words = self.key.words().iter();
        let read = |word| Ok((word, with_words(connection, chunk, [word])?));
        let mut found: Vec<(&KeyWord, Vec<i64>)> = words.map(read).collect::<QueryResult<_>>()?;
        found.sort_by_key(|(_, orders)| orders.len());
        let counts: Vec<f64> = found
            .iter()
            .map(|(_, orders)| as_f64(orders.len()))
            .collect();
        if is_last || counts.last().is_some_and(|limit| *limit >= MANY_ORDERS) {
            let rarest = found.iter().take(cheapest(&counts)).map(|(word, _)| *word);
            self.lookup = IndexLookup::Rarest(rarest.collect());
        }

        let mut all = found.into_iter().map(|(_, orders)| orders);
        let mut hits = all.next().unwrap_or_default();
        for orders in all {
            hits.retain(|row_id| orders.binary_search(row_id).is_ok());
        }
        Ok(hits)
    }

    /// Returns those of the orders with these `row_id`s that have all words; `None` if there are too many
    /// to compare.
    fn compare(
        &self,
        connection: &mut SqliteConnection,
        rows: &[i64],
    ) -> Result<Option<Vec<i64>>, Failure> {
        if rows.len() > FEW_ORDERS {
            return Ok(None);
        }
        let found = of_rows(connection, self.store_id, rows, ALL_IDS)?;
        let ids: Vec<String> = found.iter().map(|(id, _)| id.clone()).collect();
        let orders = with_ids(connection, self.store_id, &ids, BATCH_BYTES)?;
        if orders.len() < ids.len() {
            return Ok(None);
        }
        let compared = found.into_iter().zip(orders);
        let hits = compared.filter(|(_, order)| self.key.matches(&order.words()));
        let mut hits: Vec<i64> = hits.map(|((_, row_id), _)| row_id).collect();
        hits.sort_unstable();
        Ok(Some(hits))
    }
}

/// How many of the words, of which so many orders have each, rarest first, are asked for at the least cost, if
/// the words are independent of each other. The most common word shows how many orders were counted.
fn cheapest(counts: &[f64]) -> usize {
    let of_chunk = as_f64(usize::try_from(chunk::ORDERS).unwrap_or(usize::MAX));
    let counted = counts.last().copied().unwrap_or_default().max(1.0);
    let shares = counts.iter().map(|count| count / counted);
    let all: f64 = shares.clone().sum();
    let (mut read, mut left) = (0.0, 1.0);
    let costs = shares.enumerate().map(|(place, share)| {
        read += share;
        left *= share;
        let compared = left * of_chunk;
        let rest = match compared > as_f64(FEW_ORDERS) {
            _ if place + 1 == counts.len() => 0.0,
            true => all * of_chunk,
            false => compared * READ_PER_COMPARED,
        };
        (place + 1, read * of_chunk + rest)
    });
    let cheapest = costs.min_by(|one, other| one.1.total_cmp(&other.1));
    cheapest.map_or(0, |(words, _)| words)
}

/// Returns the `row_id`s of the chunk's orders that have these words, in ascending order.
fn with_words<'w>(
    connection: &mut SqliteConnection,
    chunk: i64,
    words: impl IntoIterator<Item = &'w KeyWord>,
) -> QueryResult<Vec<i64>> {
    let words = &words::query(chunk, words);
    SelectHits { words }.load(connection)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of a chunk's orders is far below 2^52"
)]
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_asked_for_as_long_as_they_cost_less_than_comparing_orders() {
        // Two names leave 0.8 orders of a chunk: comparing these costs less than reading a word that half
        // of the orders have.
        assert_eq!(cheapest(&[81.0, 81.0, 4096.0, 8192.0]), 2);
        // 20 orders would be left, too many to compare; with a third word, one.
        assert_eq!(cheapest(&[400.0, 400.0, 500.0, 8192.0]), 3);
        assert_eq!(cheapest(&[0.0, 81.0, 600.0]), 1);
        assert_eq!(cheapest(&[8192.0, 8192.0]), 2);
        // The same of a chunk with an eighth of the orders.
        assert_eq!(cheapest(&[10.0, 10.0, 512.0, 1024.0]), 2);
    }
}
