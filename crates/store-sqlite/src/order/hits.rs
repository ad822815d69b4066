//! The orders of a chunk that have the words of a key, as the index of words has them.
//!
//! The index reads all orders of the chunk that have a word, for each word of the key, before it compares
//! them. So of a key with many words only the rarest ones are looked for, as few as rule out nearly
//! all orders of a chunk; all words are, in a chunk with an order that has the rarest ones.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_kit::words::{KeyWord, SearchKey};
use pressline_store_kit::{SqlText, statement};

use super::chunk;
use crate::words;

/// All words are looked for in each chunk if the key has no more.
const FEW_WORDS: usize = 3;

/// Words are rare enough if they are expected in one of so many chunks.
const CHUNKS_PER_ORDER: f64 = 16.0;

statement! {
    /// Reads the `row_id`s of orders of a chunk with the words.
    struct SelectHits<'a> for Sqlite, returns BigInt,
    text SqlText::new(include_str!("sql/hits.sql"), &[]),
    {
        words: &'a str = Text,
    }
}

/// A search for a key, chunk by chunk.
#[derive(Debug)]
pub(super) struct Hits<'k> {
    key: &'k SearchKey,
    rarest: Rarest<'k>,
}

/// What is known about how many orders have the words.
#[derive(Debug)]
enum Rarest<'k> {
    /// The latest chunk, which comes first or last, may have few orders, which say little.
    Unknown {
        chunks: usize,
    },
    Known(Vec<&'k KeyWord>),
}

impl<'k> Hits<'k> {
    pub(super) fn of(key: &'k SearchKey) -> Self {
        let rarest = match key.words() {
            few if few.len() <= FEW_WORDS => Rarest::Known(few.iter().collect()),
            _ => Rarest::Unknown { chunks: 0 },
        };
        Self { key, rarest }
    }

    /// Returns the `row_id`s of the chunk's orders that have all words, in ascending order.
    pub(super) fn in_chunk(
        &mut self,
        connection: &mut SqliteConnection,
        chunk: i64,
    ) -> QueryResult<Vec<i64>> {
        match &mut self.rarest {
            Rarest::Unknown { chunks: chunks @ 0 } => {
                *chunks = 1;
                with_words(connection, chunk, self.key.words())
            }
            Rarest::Unknown { .. } => self.measure(connection, chunk),
            Rarest::Known(rarest) => {
                let hits = with_words(connection, chunk, rarest.iter().copied())?;
                if hits.is_empty() || rarest.len() == self.key.words().len() {
                    return Ok(hits);
                }
                with_words(connection, chunk, self.key.words())
            }
        }
    }

    /// Reads the orders of each word, notes which words are the rarest, and returns the orders that have
    /// all words.
    fn measure(&mut self, connection: &mut SqliteConnection, chunk: i64) -> QueryResult<Vec<i64>> {
        let words = self.key.words().iter();
        let read = |word| Ok((word, with_words(connection, chunk, [word])?));
        let mut found: Vec<(&KeyWord, Vec<i64>)> = words.map(read).collect::<QueryResult<_>>()?;
        found.sort_by_key(|(_, orders)| orders.len());
        let counts: Vec<usize> = found.iter().map(|(_, orders)| orders.len()).collect();
        let rarest = found.iter().take(enough(&counts)).map(|(word, _)| *word);
        self.rarest = Rarest::Known(rarest.collect());

        let mut all = found.into_iter().map(|(_, orders)| orders);
        let mut hits = all.next().unwrap_or_default();
        for orders in all {
            hits.retain(|row_id| orders.binary_search(row_id).is_ok());
        }
        Ok(hits)
    }
}

/// How many of the words, of which so many orders of a chunk have each, rarest first, together rule
/// out nearly all orders, if the words are independent of each other.
fn enough(counts: &[usize]) -> usize {
    let of_chunk = as_f64(chunk::ORDERS);
    let mut expected = of_chunk;
    let rare = counts.iter().position(|count| {
        expected *= as_f64(i64::try_from(*count).unwrap_or(i64::MAX)) / of_chunk;
        expected * CHUNKS_PER_ORDER <= 1.0
    });
    rare.map_or(counts.len(), |position| position + 1)
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
fn as_f64(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_words_are_looked_for_as_rule_out_nearly_all_orders() {
        // Two of 81 orders each are expected in 0.8 orders of a chunk.
        assert_eq!(enough(&[81, 81, 4096, 8192]), 4);
        assert_eq!(enough(&[81, 81, 600, 8192]), 3);
        assert_eq!(enough(&[0, 81, 600]), 1);
        assert_eq!(enough(&[2, 81, 600]), 2);
        assert_eq!(enough(&[8192, 8192]), 2);
    }
}
