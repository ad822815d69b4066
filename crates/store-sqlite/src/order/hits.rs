//! Finds the orders of a chunk that match a key.
//!
//! For each queried word, the word index reads all orders of the chunk with that word. For a key of
//! many words, only the rarest words are therefore queried, and the few orders found are compared
//! with the rest of the key.

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_domain::order::search::BATCH_BYTES;
use pressline_kit::words::{KeyWord, SearchKey};
use pressline_store_kit::Sql;

use super::chunk;
use super::page::with_ids;
use super::row_ids::of_rows;
use crate::error::Failure;
use crate::sql::load;
use crate::words;

/// Maximum number of search words to look up in each chunk by a single query. For a longer key, the
/// first chunks show which words are rarest; in other chunks only the rarest words are looked up.
const FEW_WORDS: usize = 3;

/// Maximum number of a chunk's orders to compare with the key. If more orders have the rarest
/// words, all words are looked up in the index instead.
const FEW_ORDERS: usize = 16;

/// Minimum number of orders with the most common word, to show how common the words are.
const MANY_ORDERS: f64 = 1000.0;

/// Number of index entries read in the time of comparing an order with the key.
const READ_PER_COMPARED: f64 = 2500.0;

/// Lower and upper bound of a range that contains all order ids.
const ALL_IDS: (&str, &str) = ("", "~");

static HITS: Sql = Sql::new(include_str!("sql/hits.sql"));

#[derive(Debug)]
pub(super) struct Hits<'a> {
    store_id: &'a str,
    key: &'a SearchKey,
    lookup: IndexLookup<'a>,
}

#[derive(Debug)]
enum IndexLookup<'a> {
    /// Each word by a query of its own, to count its orders, in up to `chunks` further chunks.
    Each { chunks: usize },
    /// The rarest words, or all words of a short key, in a single query.
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

    /// Returns the `row_id`s of the orders in `chunk` that match the key, in ascending order.
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

    /// Looks up each word separately. If the chunk has enough orders to compare the words'
    /// frequencies, or `is_last` is `true`, also chooses the words to look up in later chunks.
    fn measure(
        &mut self,
        connection: &mut SqliteConnection,
        chunk: i64,
        is_last: bool,
    ) -> QueryResult<Vec<i64>> {
        let words = self.key.words().iter();
        let read = |word| Ok((word, with_words(connection, chunk, [word])?));
        let mut orders_by_word: Vec<(&KeyWord, Vec<i64>)> =
            words.map(read).collect::<QueryResult<_>>()?;
        orders_by_word.sort_by_key(|(_, orders)| orders.len());
        let counts: Vec<f64> = orders_by_word
            .iter()
            .map(|(_, orders)| as_f64(orders.len()))
            .collect();
        if is_last || counts.last().is_some_and(|limit| *limit >= MANY_ORDERS) {
            let rarest = orders_by_word
                .iter()
                .take(cheapest(&counts))
                .map(|(word, _)| *word);
            self.lookup = IndexLookup::Rarest(rarest.collect());
        }

        let mut all = orders_by_word.into_iter().map(|(_, orders)| orders);
        let mut hits = all.next().unwrap_or_default();
        for orders in all {
            // The statement returns row ids in ascending order.
            hits.retain(|row_id| orders.binary_search(row_id).is_ok());
        }
        Ok(hits)
    }

    /// Returns matching `row_id`s, lowest first; `None` if the orders are too many or too large.
    fn compare(
        &self,
        connection: &mut SqliteConnection,
        rows: &[i64],
    ) -> Result<Option<Vec<i64>>, Failure> {
        if rows.len() > FEW_ORDERS {
            return Ok(None);
        }
        let order_rows = of_rows(connection, self.store_id, rows, ALL_IDS)?;
        let ids: Vec<String> = order_rows.iter().map(|(id, _)| id.clone()).collect();
        let orders = with_ids(connection, self.store_id, &ids, BATCH_BYTES)?;
        // The orders are too large together: `BATCH_BYTES` limits how many are read.
        if orders.len() < ids.len() {
            return Ok(None);
        }
        let compared = order_rows.into_iter().zip(orders);
        let mut hits: Vec<i64> = compared
            .filter(|(_, order)| self.key.matches(&order.words()))
            .map(|((_, row_id), _)| row_id)
            .collect();
        hits.sort_unstable();
        Ok(Some(hits))
    }
}

/// Returns how many of the rarest words to look up, so that look-ups and comparisons cost least.
/// `counts` has the number of orders with each word, ascending. Assumes that words occur
/// independently of each other, and that all counted orders have the most common word.
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
            // All words are queried, so that nothing is left to compare.
            _ if place + 1 == counts.len() => 0.0,
            // Too many orders to compare: all words are queried in addition.
            true => all * of_chunk,
            false => compared * READ_PER_COMPARED,
        };
        (place + 1, read * of_chunk + rest)
    });
    let cheapest = costs.min_by(|one, other| one.1.total_cmp(&other.1));
    cheapest.map_or(0, |(words, _)| words)
}

/// Returns the `row_id`s of the orders in `chunk` that have all of `words`, in ascending order.
fn with_words<'w>(
    connection: &mut SqliteConnection,
    chunk: i64,
    words: impl IntoIterator<Item = &'w KeyWord>,
) -> QueryResult<Vec<i64>> {
    let words = words::query(chunk, words);
    load(connection, &HITS, &[("words", words.into())])
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
        // Two names leave 0.8 orders of a chunk: comparing them costs less than reading a word of
        // every second order.
        assert_eq!(cheapest(&[81.0, 81.0, 4096.0, 8192.0]), 2);
        // 20 orders would be left, too many to compare; a third word leaves one.
        assert_eq!(cheapest(&[400.0, 400.0, 500.0, 8192.0]), 3);
        assert_eq!(cheapest(&[0.0, 81.0, 600.0]), 1);
        assert_eq!(cheapest(&[8192.0, 8192.0]), 2);
        // The same shares in a chunk with an eighth of the orders.
        assert_eq!(cheapest(&[10.0, 10.0, 512.0, 1024.0]), 2);
    }
}
