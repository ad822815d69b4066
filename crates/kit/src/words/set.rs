//! Sets of the words of texts.

use std::ops::Range;

use super::phone;
use super::text::{
    APOSTROPHE, MAX_TEXT_CHARS, MAX_WORDS_BYTES, WORD_OVERHEAD, byte_of_char, cut, fold_into,
    is_punctuation, is_space, parts,
};

/// The words of any number of texts. All words share a buffer, because an order has about a hundred
/// words.
///
/// The words of a text are its folded parts between white space, both whole and split at
/// punctuation: `shop-1-8533` has the words `shop-1-8533`, `shop`, `1` and `8533`. There are two
/// exceptions: a UUID is a single word, and an e-mail address has as words the whole address, the
/// parts before the `@`, and the whole domain. Parts with an apostrophe are added once more without
/// it: `o'brien` has the words `o'brien`, `o`, `brien` and `obrien`.
///
/// A word counts if it begins within the first [`MAX_TEXT_CHARS`] characters of the folded text.
/// This limits the number of words even if folding lengthens a text. A word that continues after
/// the limit is not cut there, so that all its prefixes find it.
#[derive(Debug, Clone, Default)]
pub struct WordSet {
    /// Folded texts, and the digits of phone numbers.
    buffer: String,
    /// Byte range of each word in `buffer`.
    places: Vec<Range<usize>>,
}

impl WordSet {
    /// Adds the words of `text` in its order, including words that the set already contains.
    pub fn text(&mut self, text: &str) -> &mut Self {
        let start = self.buffer.len();
        fold_into(text, &mut self.buffer);
        let folded = self.buffer.get(start..).unwrap_or_default();
        let joined = without_apostrophes(folded);
        self.words_from(start);
        if let Some(joined) = joined {
            let start = self.buffer.len();
            self.buffer.push_str(&joined);
            self.words_from(start);
        }
        self
    }

    /// Adds the words of the folded text that begins at `start` in the buffer.
    fn words_from(&mut self, start: usize) {
        let folded = self.buffer.get(start..).unwrap_or_default();
        let places = &mut self.places;
        each_word(folded, |at, word| {
            let at = start + at;
            places.push(at..at + cut(word).len());
        });
    }

    /// Adds the words of a phone number: the words of any text, and its digits from the start of
    /// each group to the end. `+84 90-123` also has `8490123`, `90123` and `123`. A whole number
    /// also has the words that other forms of it are found by.
    pub fn phone(&mut self, text: &str) -> &mut Self {
        let start = self.buffer.len();
        self.text(text);
        let folded = self.buffer.get(start..).unwrap_or_default();
        let end = start + byte_of_char(folded, MAX_TEXT_CHARS);
        let folded_end = end;
        let groups = self.places.len();
        let mut in_group = false;
        // Folded digits are ASCII, so that no byte of another character is mistaken for a digit.
        for at in start..end {
            let byte = self.buffer.as_bytes().get(at).copied();
            let digit = byte.filter(u8::is_ascii_digit);
            if digit.is_some() && !in_group {
                // The end is set below, when the digits of all groups are known.
                self.places.push(self.buffer.len()..self.buffer.len());
            }
            in_group = digit.is_some();
            // Joins the digits of all groups: the grouping of a number does not matter.
            self.buffer.extend(digit.map(char::from));
        }
        let end = self.buffer.len();
        for place in self.places.iter_mut().skip(groups) {
            place.end = end;
        }
        let folded = self.buffer.get(start..folded_end).unwrap_or_default();
        for word in phone::stored_words(folded) {
            let start = self.buffer.len();
            self.buffer.push_str(&word);
            self.places.push(start..self.buffer.len());
        }
        self
    }

    /// Returns the words sorted by their bytes, without words that are prefixes of other words: a
    /// key that finds a prefix also finds the longer word. The number of words is not limited, see
    /// [`fit`].
    #[must_use]
    pub fn reduced(mut self) -> Self {
        let buffer = &self.buffer;
        let word = |place: &Range<usize>| buffer.get(place.clone()).unwrap_or_default();
        // In reverse order, a prefix or duplicate of words follows directly after the last of them.
        self.places.sort_unstable_by(|a, b| word(b).cmp(word(a)));
        self.places
            .dedup_by(|place, longer| word(longer).starts_with(word(place)));
        self.places.reverse();
        self
    }

    /// Returns the words as added; sorted by their bytes after [`reduced`](Self::reduced).
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let places = self.places.iter();
        places.map(|place| self.buffer.get(place.clone()).unwrap_or_default())
    }
}

/// Returns whether the words of an order or variant are few and short enough to be stored.
///
/// PostgreSQL's `tsvector` holds at most 1 MiB of text. The conversion of an array does not check
/// this limit: further text is stored broken, is not found, and keeps `pg_dump` from reading the
/// database. Each adapter therefore refuses words that do not fit before it stores anything. All
/// adapters share this rule, so that no order depends on its database.
pub fn fit(words: &WordSet) -> bool {
    let bytes = words.places.iter().map(|place| place.len() + WORD_OVERHEAD);
    bytes.sum::<usize>() <= MAX_WORDS_BYTES
}

/// Calls `show` with the byte position and the text of each word, not cut to the maximum length.
fn each_word(folded: &str, mut show: impl FnMut(usize, &str)) {
    let text = folded.trim_start_matches(is_space);
    let start = folded.len() - text.len();
    let end = byte_of_char(text, MAX_TEXT_CHARS);
    for (at, part) in parts(text, is_space) {
        let whole = part.trim_matches(is_punctuation);
        let at = at + part.len() - part.trim_start_matches(is_punctuation).len();
        if whole.is_empty() || at >= end {
            continue;
        }
        show(start + at, whole);
        // People search for whole UUIDs only; their parts would fill the index.
        if is_uuid(whole) {
            continue;
        }
        let (split, domain) = match email_parts(whole) {
            Some((local, domain)) => (local, Some(domain)),
            None => (whole, None),
        };
        for (place, piece) in parts(split, is_punctuation) {
            // A piece of the same length is the whole word, already shown.
            if at + place < end && piece.len() < whole.len() {
                show(start + at + place, piece);
            }
        }
        if let Some(domain) = domain {
            let place = at + whole.len() - domain.len();
            if place < end {
                show(start + place, domain);
            }
        }
    }
}

/// Returns the parts of `folded` that have an apostrophe between other characters, without their
/// apostrophes; `None` if there are none.
fn without_apostrophes(folded: &str) -> Option<String> {
    if !folded.contains(APOSTROPHE) {
        return None;
    }
    let inner = parts(folded, is_space)
        .map(|(_, part)| part.trim_matches(is_punctuation))
        .filter(|part| part.contains(APOSTROPHE));
    let joined: Vec<String> = inner.map(|part| part.replace(APOSTROPHE, "")).collect();
    (!joined.is_empty()).then(|| joined.join(" "))
}

fn is_uuid(part: &str) -> bool {
    let hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    part.len() == 36
        && part.bytes().enumerate().all(|(at, b)| {
            if hyphen(at) {
                b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

fn email_parts(part: &str) -> Option<(&str, &str)> {
    let (local, domain) = part.split_once('@')?;
    let of_domain = |c: char| !is_punctuation(c) || matches!(c, '.' | '-');
    // No word begins with punctuation, because keys lose their leading punctuation.
    let begins = domain.chars().next().is_some_and(|c| !is_punctuation(c));
    (!local.is_empty() && begins && domain.chars().all(of_domain)).then_some((local, domain))
}
