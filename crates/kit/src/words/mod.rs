//! The words an order is found by: how texts are folded and cut into words, and how a search key is
//! matched to them.
//!
//! A word of a key matches where it *begins* a word of the texts. Texts and keys go through the
//! same [`fold`], so neither case nor accents matter. Nothing has a special meaning here: `%`, `_`,
//! `*` and quotes are characters.
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

mod set;
#[cfg(test)]
mod tests;

pub use set::{WordSet, fit};

/// Longest search key, in characters as sent.
pub const MAX_KEY_CHARS: usize = 255;
/// Most words a search key may have.
pub const MAX_KEY_WORDS: usize = 10;
/// Maximum length of a word in characters after folding, so that index rows stay bounded.
pub const MAX_WORD_CHARS: usize = 255;
/// Words count that begin within this many characters of a text or key after folding. No text of an
/// order is longer, but some grow: U+3316 becomes six characters.
pub const MAX_TEXT_CHARS: usize = 255;
/// Most bytes of all the words of one order or variant, [`WORD_OVERHEAD`] of each included. Below 1
/// MiB by more than the words of an order's number take, which is not known before the order is
/// stored.
pub const MAX_WORDS_BYTES: usize = 1_000_000;
/// Bytes that count with each word: more than an index stores with it.
pub const WORD_OVERHEAD: usize = 17;

/// The text without regard to case and accents: `Đỗ` becomes `do`.
///
/// Compatibility forms are resolved (`ﬁ`, full-width letters), accents dropped, Latin letters that
/// aren't a letter and an accent (`đ`, `ø`, `ß`) written in ASCII, decimal digits of all scripts
/// too; other scripts stay themselves. Characters that can't be seen (zero-width, direction marks)
/// are dropped: they come along with pasted phone numbers. Folding what is folded changes nothing.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

fn fold_into(text: &str, to: &mut String) {
    if text.is_ascii() {
        let start = to.len();
        to.push_str(text);
        if let Some(folded) = to.get_mut(start..) {
            folded.make_ascii_lowercase();
        }
        return;
    }
    let folded = text
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_accent(*c) && !is_invisible(*c))
        .flat_map(Folded::of)
        .nfc();
    to.extend(folded);
}

/// One character, or the ASCII letters in its place.
enum Folded {
    Same(Option<char>),
    Ascii(std::str::Chars<'static>),
}

impl Folded {
    fn of(c: char) -> Self {
        match c {
            // A final sigma and an iota below are what lower case makes of Σ and Ι in some places
            // only.
            'ς' => Self::Same(Some('σ')),
            '\u{345}' => Self::Same(Some('ι')),
            _ => match ascii_of(c) {
                Some(ascii) => Self::Ascii(ascii.chars()),
                None => Self::Same(Some(c)),
            },
        }
    }
}

impl Iterator for Folded {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self {
            Self::Same(c) => c.take(),
            Self::Ascii(chars) => chars.next().map(|c| c.to_ascii_lowercase()),
        }
    }
}

/// How ASCII writes a Latin letter or a decimal digit of another script; none for everything else.
fn ascii_of(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    let latin = matches!(c, '\u{c0}'..='\u{2af}' | '\u{1d00}'..='\u{1d7f}' | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}');
    // deunicode also transliterates other scripts, whose words are searched as they are written.
    let ascii = deunicode::deunicode_char(c)?;
    let letters = latin && !ascii.is_empty() && ascii.bytes().all(|b| b.is_ascii_alphabetic());
    let digit = c.is_numeric() && ascii.len() == 1 && ascii.bytes().all(|b| b.is_ascii_digit());
    (letters || digit).then_some(ascii)
}

/// Combining diacritical marks. The marks of other Unicode blocks are vowels and the like.
fn is_accent(c: char) -> bool {
    c != '\u{345}'
        && matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Format characters without width (soft hyphen, joiners, direction marks, variation selectors,
/// byte order mark).
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Why a search key isn't one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchKeyError {
    /// Too long, in characters as sent.
    #[error("must have at most {MAX_KEY_CHARS} characters, not {0}")]
    TooLong(usize),
    /// Too many words.
    #[error("must have at most {MAX_KEY_WORDS} words, not {0}")]
    TooManyWords(usize),
}

/// What is looked for: orders of which every word of the key begins some word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchKey {
    words: Vec<KeyWord>,
}

/// One word of a search key: it matches where one of its alternatives does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyWord {
    folded: String,
    digits: Option<String>,
}

impl SearchKey {
    /// Returns the key of a text; `None` if it is blank, which means no filter.
    ///
    /// # Errors
    /// If the text is longer than [`MAX_KEY_CHARS`] or has more than [`MAX_KEY_WORDS`] words.
    pub fn parse(text: &str) -> Result<Option<Self>, SearchKeyError> {
        let chars = text.chars().count();
        if chars > MAX_KEY_CHARS {
            return Err(SearchKeyError::TooLong(chars));
        }
        let folded = fold(text);
        let folded = folded.trim_start_matches(is_space);
        let count = parts(folded, is_space).count();
        if count > MAX_KEY_WORDS {
            return Err(SearchKeyError::TooManyWords(count));
        }
        // As for the words of texts, so that a whole text finds itself however much it grows when
        // it is folded. The first word always counts: a key that is not blank never becomes "no
        // filter".
        let end = byte_of_char(folded, MAX_TEXT_CHARS);
        let counted = parts(folded, is_space).filter(|(at, _)| *at < end);
        let words: Vec<KeyWord> = counted.map(|(_, part)| KeyWord::of(part)).collect();
        Ok((!words.is_empty()).then_some(Self { words }))
    }

    /// Its words, in the order of the text, at least one.
    pub fn words(&self) -> &[KeyWord] {
        &self.words
    }

    /// Whether it finds an order with these words.
    pub fn matches(&self, words: &WordSet) -> bool {
        self.words.iter().all(|key| key.begins_any(words))
    }
}

impl KeyWord {
    /// A word of a key, without the punctuation around it: people type `#1001` and `Souza,`. A word
    /// of punctuation alone is left as it is and matches nothing, because no word of a text begins
    /// with punctuation.
    fn of(folded: &str) -> Self {
        let trimmed = folded.trim_matches(is_punctuation);
        let word = if trimmed.is_empty() { folded } else { trimmed };
        let phone = |c| matches!(c, '0'..='9' | '+' | '-' | '.' | '(' | ')');
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let tried = word.chars().all(phone) && !digits.is_empty() && digits != word;
        Self {
            folded: cut(word).to_owned(),
            digits: tried.then(|| cut(&digits).to_owned()),
        }
    }

    /// One or two beginnings of words to look for: the folded word, and the digits of a phone
    /// number.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.folded.as_str()).chain(self.digits.as_deref())
    }

    fn begins_any(&self, words: &WordSet) -> bool {
        self.alternatives()
            .any(|start| words.iter().any(|word| word.starts_with(start)))
    }
}

/// The parts between separators that are not empty, each with the byte at which it begins.
fn parts(text: &str, separates: fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive(separates).filter_map(move |part| {
        let at = next;
        next += part.len();
        let part = part.trim_end_matches(separates);
        (!part.is_empty()).then_some((at, part))
    })
}

/// Byte at which character number `count` begins; the length of a shorter text.
fn byte_of_char(text: &str, count: usize) -> usize {
    // Counting characters is only needed where there are more bytes than characters allowed.
    if text.len() <= count {
        return text.len();
    }
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at)
}

/// Control characters separate words too: they cannot be typed, and NUL cannot be stored.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// What is neither letter nor digit. Vowel signs of other scripts belong to their letter.
fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c)
}

fn cut(word: &str) -> &str {
    let end = byte_of_char(word, MAX_WORD_CHARS);
    word.get(..end).unwrap_or(word)
}
