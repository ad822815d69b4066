//! Search keys in the forms that the statements need.

use pressline_kit::words::SearchKey;

use crate::words::{self, end_of};

/// The words of a search key, numbered from 1.
#[derive(Debug)]
pub struct Key {
    pub(crate) tsquery: String,
    /// Prefixes to search for, in UTF-8. Each word of the key has one prefix, or several if it may
    /// belong to a phone number or has an apostrophe.
    pub(crate) starts: Vec<Vec<u8>>,
    /// For each prefix in `starts`, the smallest byte string above all words with the prefix.
    pub(crate) ends: Vec<Vec<u8>>,
    /// For each prefix in `starts`, the number of its word.
    pub(crate) of_words: Vec<i32>,
}

impl Key {
    pub(crate) fn new(key: &SearchKey) -> Self {
        let numbered = (1..).zip(key.words());
        let (of_words, starts): (Vec<i32>, Vec<Vec<u8>>) = numbered
            .flat_map(|(number, word)| {
                let alternatives = word.alternatives();
                alternatives.map(move |start| (number, start.as_bytes().to_vec()))
            })
            .unzip();
        Self {
            tsquery: words::tsquery(key),
            ends: starts.iter().map(|start| end_of(start)).collect(),
            starts,
            of_words,
        }
    }

    pub(crate) fn words_without(&self, words: &[i32]) -> Vec<i32> {
        let mut others = self.of_words.clone();
        others.dedup();
        others.retain(|number| !words.contains(number));
        others
    }

    /// Returns the prefixes of the word with the number `word`, each with its index in `starts`.
    pub(crate) fn starts_of(&self, word: i32) -> impl Iterator<Item = (usize, &[u8])> {
        let starts = self.of_words.iter().zip(&self.starts).enumerate();
        starts
            .filter(move |(_, (number, _))| **number == word)
            .map(|(place, (_, start))| (place, start.as_slice()))
    }
}
