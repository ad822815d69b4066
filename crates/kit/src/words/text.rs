//! How texts are folded and cut into words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

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

pub(super) fn fold_into(text: &str, to: &mut String) {
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
        .flat_map(Folded::from_char)
        .nfc();
    to.extend(folded);
}

/// One character, or the ASCII letters in its place.
enum Folded {
    Same(Option<char>),
    Ascii(std::str::Chars<'static>),
}

impl Folded {
    fn from_char(c: char) -> Self {
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

/// The parts between separators that are not empty, each with the byte at which it begins.
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

/// Byte at which character number `count` begins; the length of a shorter text.
pub(super) fn byte_of_char(text: &str, count: usize) -> usize {
    // Counting characters is only needed where there are more bytes than characters allowed.
    if text.len() <= count {
        return text.len();
    }
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at)
}

/// Control characters separate words too: they cannot be typed, and NUL cannot be stored.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// What is neither letter nor digit. Vowel signs of other scripts belong to their letter.
pub(super) fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c)
}

pub(super) fn cut(word: &str) -> &str {
    let end = byte_of_char(word, MAX_WORD_CHARS);
    word.get(..end).unwrap_or(word)
}
