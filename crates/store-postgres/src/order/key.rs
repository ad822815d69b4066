//! The words of a search key as the statements take them.

use pressline_kit::words::SearchKey;

use super::lists::end_of;
use crate::words;

/// The words of a search key, numbered from 1.
#[derive(Debug)]
pub struct Key {
    pub(crate) tsquery: String,
    /// What the words begin with, in UTF-8. A word may have two alternatives.
    pub(crate) starts: Vec<Vec<u8>>,
    /// For each of these, the least bytes above all that begin so.
    pub(crate) ends: Vec<Vec<u8>>,
    /// For each of these, the number of the word.
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

    /// The numbers of the words that are not among these.
    pub(crate) fn words_without(&self, words: &[i32]) -> Vec<i32> {
        let mut others = self.of_words.clone();
        others.dedup();
        others.retain(|number| !words.contains(number));
        others
    }

    /// What a word begins with, and the place of each in `starts`.
    pub(crate) fn starts_of(&self, word: i32) -> impl Iterator<Item = (usize, &[u8])> {
        let starts = self.of_words.iter().zip(&self.starts).enumerate();
        starts
            .filter(move |(_, (number, _))| **number == word)
            .map(|(place, (_, start))| (place, start.as_slice()))
    }
}
