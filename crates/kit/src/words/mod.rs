//! Words by which orders are found: folds texts, cuts them into words, and matches search keys to
//! the words.
//!
//! A word of a key matches if a word of the texts *begins* with it. Texts and keys go through the
//! same [`fold`], so that case and accents are ignored. No character has a special meaning: `%`,
//! `_`, `*` and quotes are ordinary characters.
mod key;
mod phone;
mod set;
#[cfg(test)]
mod tests;
mod text;
mod variants;

/// Number of the form in which texts become words. Raise it with every change of folding or of the
/// words of a text or phone number, and write it into the migrations of the databases: keys of this
/// form do not find stored words of another form.
///
/// As long as a database has a single migration, a change of it makes another build refuse the
/// database in words. From 0.1.0 on, a new form needs a migration that stores all words again.
pub const FORM: u32 = 2;

pub use key::{KeyWord, MAX_KEY_CHARS, MAX_KEY_WORDS, SearchKey, SearchKeyError};
pub use set::{WordSet, fit};
pub use text::{MAX_TEXT_CHARS, MAX_WORD_CHARS, MAX_WORDS_BYTES, WORD_OVERHEAD, fold};
