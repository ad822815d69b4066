//! Search keys.

use std::ops::Range;

use super::phone::{is_phone_char, key_words};
use super::set::WordSet;
use super::text::{
    APOSTROPHE, MAX_TEXT_CHARS, byte_of_char, cut, fold, is_punctuation, is_space, parts,
};

/// Maximum length of a search key before folding, in characters.
pub const MAX_KEY_CHARS: usize = 255;
/// Maximum number of words in a search key.
pub const MAX_KEY_WORDS: usize = 10;
/// Reason that a text is not a valid search key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchKeyError {
    /// The text has this number of characters, more than [`MAX_KEY_CHARS`].
    #[error("must have at most {MAX_KEY_CHARS} characters, not {0}")]
    TooLong(usize),
    /// The text has this number of words, more than [`MAX_KEY_WORDS`].
    #[error("must have at most {MAX_KEY_WORDS} words, not {0}")]
    TooManyWords(usize),
}

/// Search key. It matches if each of its words is the beginning of a word in the order or product.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchKey {
    words: Vec<KeyWord>,
}

/// A word of a search key. It matches if one of its [`alternatives`](Self::alternatives) matches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyWord {
    /// The folded word first; without duplicates.
    alternatives: Vec<String>,
}

impl SearchKey {
    /// Returns the search key of `text`; `None` if it is blank, which means no filter.
    ///
    /// # Errors
    /// Returns an error for more than [`MAX_KEY_CHARS`] characters or [`MAX_KEY_WORDS`] words.
    pub fn parse(text: &str) -> Result<Option<Self>, SearchKeyError> {
        let chars = text.chars().count();
        if chars > MAX_KEY_CHARS {
            return Err(SearchKeyError::TooLong(chars));
        }
        let whole = fold(text);
        let folded = whole.trim_start_matches(is_space);
        let count = parts(folded, is_space).count();
        if count > MAX_KEY_WORDS {
            return Err(SearchKeyError::TooManyWords(count));
        }
        // Limited like the words of texts, so that a whole text finds itself however much folding
        // lengthens it. The first word always counts: a key that is not blank never becomes "no
        // filter".
        let end = byte_of_char(folded, MAX_TEXT_CHARS);
        let with_positions = parts(folded, is_space).filter(|(at, _)| *at < end);
        let counted: Vec<&str> = with_positions.map(|(_, part)| part).collect();
        let mut words: Vec<KeyWord> = counted.iter().map(|part| KeyWord::new(part)).collect();
        for range in phone_numbers(&counted) {
            let number = counted.get(range.clone()).unwrap_or_default().join(" ");
            // `a b` or the number means `(a or the number) and (b or the number)`.
            for word in words.get_mut(range).unwrap_or_default() {
                key_words(&number)
                    .into_iter()
                    .for_each(|form| word.or(form));
            }
        }
        Ok((!words.is_empty()).then_some(Self { words }))
    }

    /// Returns the key's words in the order of its text; never empty.
    pub fn words(&self) -> &[KeyWord] {
        &self.words
    }

    /// Returns whether the key finds an order or a variant that has `words`.
    pub fn matches(&self, words: &WordSet) -> bool {
        self.words.iter().all(|key| key.begins_any(words))
    }
}

impl KeyWord {
    /// Drops the punctuation around `folded`, because people type `#1001` and `Souza,`. A word of
    /// punctuation only stays and matches nothing: no word of a text begins with it.
    fn new(folded: &str) -> Self {
        let trimmed = folded.trim_matches(is_punctuation);
        let word = if trimmed.is_empty() { folded } else { trimmed };
        let mut key = Self {
            alternatives: vec![cut(word).to_owned()],
        };
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        if word.chars().all(is_phone_char) && !digits.is_empty() {
            key.or(digits);
        }
        // The stored text may have no apostrophe: `OBrien`.
        if trimmed.contains(APOSTROPHE) {
            key.or(trimmed.replace(APOSTROPHE, ""));
        }
        key
    }

    fn or(&mut self, alternative: String) {
        let alternative = cut(&alternative);
        if self.alternatives.iter().all(|known| known != alternative) {
            self.alternatives.push(alternative.to_owned());
        }
    }

    /// Returns the prefixes to look up: the folded word first; then the word without apostrophes,
    /// or the digits and other forms of a phone number.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().map(String::as_str)
    }

    fn begins_any(&self, words: &WordSet) -> bool {
        self.alternatives()
            .any(|start| words.iter().any(|word| word.starts_with(start)))
    }
}

/// Returns the ranges of `parts` that can be a phone number together, for example
/// `+44 (0)20 7946 0958`.
fn phone_numbers(parts: &[&str]) -> Vec<Range<usize>> {
    let mut numbers: Vec<Range<usize>> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let trimmed = part.trim_end_matches([',', ';', ':']);
        let part = trimmed.strip_prefix("tel:").unwrap_or(trimmed);
        if !part.chars().all(is_phone_char) {
            continue;
        }
        match numbers.last_mut() {
            // A number does not end before a hyphen or brackets, but always before a `+`.
            Some(number) if number.end == at && !part.contains('+') => number.end = at + 1,
            _ => numbers.push(at..at + 1),
        }
    }
    numbers
}
