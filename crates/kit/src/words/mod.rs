//! The words an order is found by: how texts are folded and cut into words, and how a search key is
//! matched to them.
//!
//! A word of a key matches where it *begins* a word of the texts. Texts and keys go through the
//! same [`fold`], so neither case nor accents matter. Nothing has a special meaning here: `%`, `_`,
//! `*` and quotes are characters.
mod key;
mod set;
#[cfg(test)]
mod tests;
mod text;

pub use key::{KeyWord, MAX_KEY_CHARS, MAX_KEY_WORDS, SearchKey, SearchKeyError};
pub use set::{WordSet, fit};
pub use text::{MAX_TEXT_CHARS, MAX_WORD_CHARS, MAX_WORDS_BYTES, WORD_OVERHEAD, fold};
