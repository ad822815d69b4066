//! Folds texts and cuts them into words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::variants::typed;
use crate::text::is_invisible;

/// Maximum length of a folded word, in characters. It limits the rows of a search index.
pub const MAX_WORD_CHARS: usize = 255;
/// Number of leading characters of a folded text or key. A word that begins after them is ignored.
/// No text of an order is longer, but folding lengthens some: `U+3316` becomes six characters.
pub const MAX_TEXT_CHARS: usize = 255;
/// Maximum total size of the words of an order or variant in bytes, with [`WORD_OVERHEAD`] for
/// each. It leaves room below 1 MiB for the words of an order's number, which is assigned later.
pub const MAX_WORDS_BYTES: usize = 1_000_000;
/// Bytes added to each word's length for [`MAX_WORDS_BYTES`]: more than an index needs for it.
pub const WORD_OVERHEAD: usize = 17;

/// The apostrophe of folded texts.
pub(super) const APOSTROPHE: char = '\'';

/// Returns `text` without case and accents: `Đỗ` becomes `do`.
///
/// Resolves compatibility forms (`ﬁ`, full-width letters) and drops accents. Replaces with ASCII
/// the decimal digits of all scripts, and Latin letters that are not a letter with an accent (`đ`,
/// `ø`, `ß`). Other scripts are unchanged. Replaces variants of `'`, `"`, `-` and the space
/// (`’`, `″`, `–`, a no-break space), because a name is often stored with a variant and typed with
/// a keyboard. Drops invisible characters (zero-width, direction marks), because they
/// come along with pasted phone numbers. Folding a folded text changes nothing.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

pub(super) fn fold_into(text: &str, to: &mut String) {
    if text.is_ascii() {
        // The usual case needs no Unicode tables.
        let start = to.len();
        to.push_str(text);
        if let Some(folded) = to.get_mut(start..) {
            folded.make_ascii_lowercase();
        }
        // The backtick is the only ASCII variant of another character, and rare.
        if text.contains('`') {
            let folded = to.split_off(start);
            to.extend(folded.chars().map(typed));
        }
        return;
    }
    let folded = text
        .chars()
        // Before the decomposition, which makes a space and an accent of `´`.
        .map(typed)
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_accent(*c) && !is_invisible(*c))
        // Again, because `ŉ` contains an apostrophe.
        .map(typed)
        .flat_map(Folded::from_char)
        .nfc();
    to.extend(folded);
}

enum Folded {
    Same(Option<char>),
    Ascii(std::str::Chars<'static>),
}

impl Folded {
    fn from_char(c: char) -> Self {
        match c {
            // Lower case of Σ and Ι that depends on the position in a word.
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

/// Returns the ASCII form of a Latin letter or decimal digit outside of ASCII; else `None`.
fn ascii_of(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    let latin = matches!(c, '\u{c0}'..='\u{2af}' | '\u{1d00}'..='\u{1d7f}' | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}');
    // deunicode would also transliterate other scripts, but their words are searched as written.
    let ascii = deunicode::deunicode_char(c)?;
    let letters = latin && !ascii.is_empty() && ascii.bytes().all(|b| b.is_ascii_alphabetic());
    let digit = c.is_numeric() && ascii.len() == 1 && ascii.bytes().all(|b| b.is_ascii_digit());
    (letters || digit).then_some(ascii)
}

/// Marks in other Unicode blocks are not accents: many write vowels.
fn is_accent(c: char) -> bool {
    c != '\u{345}'
        && matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Returns the non-empty parts of `text`, each with its byte position.
pub(super) fn parts(
    text: &str,
    separates: fn(char) -> bool,
) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive(separates).filter_map(move |part| {
        let at = next;
        next += part.len();
        let part = part.trim_end_matches(separates);
        (!part.is_empty()).then_some((at, part))
    })
}

/// Counts from 0. Returns the length of `text` if it is shorter.
pub(super) fn byte_of_char(text: &str, count: usize) -> usize {
    // Counting is needless if even the bytes are few enough.
    if text.len() <= count {
        return text.len();
    }
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at)
}

/// Includes control characters: they cannot be typed, and NUL cannot be stored.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// A vowel sign or other combining mark belongs to its letter, not to punctuation.
pub(super) fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c)
}

pub(super) fn cut(word: &str) -> &str {
    let end = byte_of_char(word, MAX_WORD_CHARS);
    word.get(..end).unwrap_or(word)
}
