//! Words by which orders are found: folds texts, cuts them into words, and matches search keys to
//! the words.
//!
//! A word of a key matches if a word of the texts *begins* with it. Texts and keys go through the
//! same [`fold`], so that case and accents are ignored. No character has a special meaning: `%`,
//! `_`, `*` and quotes are ordinary characters.
mod key;
mod set;
#[cfg(test)]
mod tests;
mod text;

pub use key::{KeyWord, MAX_KEY_CHARS, MAX_KEY_WORDS, SearchKey, SearchKeyError};
pub use set::{WordSet, fit};
pub use text::{MAX_TEXT_CHARS, MAX_WORD_CHARS, MAX_WORDS_BYTES, WORD_OVERHEAD, fold};
