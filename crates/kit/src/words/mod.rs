//! The words an order is found by: how texts are folded and cut into words, and how a search key is
//! matched to them.
//!
//! A word of a key matches where it *begins* a word of the texts. Texts and keys go through the
//! same [`fold`], so neither case nor accents matter. Nothing has a special meaning here: `%`, `_`,
//! `*` and quotes are characters.
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[cfg(test)]
mod tests;

/// Longest search key, in characters as sent.
pub const MAX_KEY_CHARS: usize = 255;
/// Most words a search key may have.
pub const MAX_KEY_WORDS: usize = 10;
/// Words, of texts and of keys, are cut here, in characters after folding, so that index rows stay
/// bounded.
pub const MAX_WORD_CHARS: usize = 255;
/// Words count that begin within this many characters of a text or key after folding. No text of an
/// order is longer, but some grow: U+3316 becomes six characters.
pub const MAX_TEXT_CHARS: usize = 255;
/// Most bytes of all the words of one order or variant, [`WORD_OVERHEAD`] of each included. Below 1
/// MiB by more than the words of an order's number take, which is not known before the order is
/// stored.
pub const MAX_WORDS_BYTES: usize = 1_000_000;
/// Bytes that an index stores with each word, at most: the store's prefix (12) with a colon, and an
/// entry of 4.
pub const WORD_OVERHEAD: usize = 17;

/// The text without regard to case and accents: `Đỗ` becomes `do`.
///
/// Compatibility forms are resolved (`ﬁ`, full-width letters), accents dropped, Latin letters that
/// aren't a letter and an accent (`đ`, `ø`, `ß`) written in ASCII, decimal digits of all scripts
/// too; other scripts stay themselves. Characters that can't be seen (zero-width, direction marks)
/// are dropped: they come along with pasted phone numbers. Folding what is folded changes nothing.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_accent(*c) && !is_invisible(*c))
        .flat_map(Folded::of)
        .nfc()
        .collect()
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

/// The Unicode blocks of combining diacritical marks. The marks of other blocks are vowels and the
/// like, not accents.
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

/// The folded words of a text: its parts between white space, whole and split at punctuation.
///
/// `shop-1-8533` has the words `shop-1-8533`, `shop`, `1` and `8533`. There are two exceptions: a
/// UUID is one word, and an e-mail address has the whole address, the parts before the `@`, and the
/// domain as one word. The words are in the order of the text; a word may come twice.
///
/// A word counts where it begins within the first [`MAX_TEXT_CHARS`] characters of the folded text.
/// This bounds the words of texts that grow when they are folded, and keeps each word findable by
/// all its beginnings.
#[must_use]
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    add_words(&fold(text), &mut words);
    words
}

fn add_words(folded: &str, words: &mut Vec<String>) {
    let folded = folded.trim_start_matches(is_space);
    let end = byte_of_char(folded, MAX_TEXT_CHARS);
    for (at, part) in parts(folded, is_space) {
        let whole = part.trim_matches(is_punctuation);
        let at = at + part.len() - part.trim_start_matches(is_punctuation).len();
        if whole.is_empty() || at >= end {
            continue;
        }
        words.push(cut(whole));
        // People search for whole UUIDs only; their parts would fill the index.
        if is_uuid(whole) {
            continue;
        }
        let (split, domain) = match email_parts(whole) {
            Some((local, domain)) => (local, Some(domain)),
            None => (whole, None),
        };
        let pieces = parts(split, is_punctuation).filter(|(place, _)| at + place < end);
        words.extend(
            pieces
                .map(|(_, piece)| piece)
                // A piece of the same length is the whole, which is in the list already.
                .filter(|piece| piece.len() < whole.len())
                .map(cut),
        );
        let domain = domain.filter(|domain| at + whole.len() - domain.len() < end);
        words.extend(domain.map(cut));
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

/// Where a character begins, counted from 0; the length of the text where it has no more than so
/// many.
fn byte_of_char(text: &str, count: usize) -> usize {
    // Counting characters is only needed where there are more bytes than characters allowed.
    if text.len() <= count {
        return text.len();
    }
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at)
}

/// True for a UUID as it is usually written: 8, 4, 4, 4 and 12 hexadecimal digits with hyphens
/// between them.
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

/// What is before and after the `@` of an e-mail address; `None` for anything else.
fn email_parts(part: &str) -> Option<(&str, &str)> {
    let (local, domain) = part.split_once('@')?;
    let of_domain = |c: char| !is_punctuation(c) || matches!(c, '.' | '-');
    (!local.is_empty() && !domain.is_empty() && domain.chars().all(of_domain))
        .then_some((local, domain))
}

/// The words of a phone number: those of any text, and its digits from the start of each group to
/// the end.
///
/// `+84 90-123` also has `8490123`, `90123` and `123`, so that it is found with or without the
/// country code.
#[must_use]
pub fn phone_words(text: &str) -> Vec<String> {
    let mut words = words_of(text);
    let folded = fold(text);
    let mut digits = String::new();
    let mut starts = Vec::new();
    let mut in_group = false;
    for c in folded.chars().take(MAX_TEXT_CHARS) {
        // The digits of all groups are joined: how a number is grouped does not matter.
        if c.is_ascii_digit() && !in_group {
            starts.push(digits.len());
        }
        in_group = c.is_ascii_digit();
        if in_group {
            digits.push(c);
        }
    }
    words.extend(
        starts
            .iter()
            .filter_map(|start| digits.get(*start..))
            .map(cut),
    );
    words
}

/// True where the words of one order, or of one variant, are few and short enough to be stored.
///
/// PostgreSQL's `tsvector` holds at most 1 MiB of text. It does not check that where it is made of
/// an array: what is beyond is stored broken, is not found, and keeps `pg_dump` from reading the
/// database. So each adapter refuses what does not fit, before it stores anything. The rule is the
/// same for all adapters, so that no order depends on where it is stored.
#[must_use]
pub fn fit(words: &[String]) -> bool {
    words
        .iter()
        .map(|word| word.len() + WORD_OVERHEAD)
        .sum::<usize>()
        <= MAX_WORDS_BYTES
}

/// Collects the words of all the texts of an order.
#[derive(Debug, Clone, Default)]
pub struct WordSet {
    words: Vec<String>,
}

impl WordSet {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the words of a text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.words.extend(words_of(text));
        self
    }

    /// Takes in the words of a phone number.
    pub fn phone(&mut self, text: &str) -> &mut Self {
        self.words.extend(phone_words(text));
        self
    }

    /// The words, sorted by their bytes, without those that begin another one: whatever finds these
    /// finds that one.
    ///
    /// None is left out for their number; whether an adapter can store them all is what [`fit`]
    /// says.
    #[must_use]
    pub fn into_words(mut self) -> Vec<String> {
        // Sorted backwards, a word that begins others, or is another one again, stands right behind
        // the last of them.
        self.words.sort_unstable_by(|a, b| b.cmp(a));
        self.words
            .dedup_by(|word, longer| longer.starts_with(word.as_str()));
        self.words.reverse();
        self.words
    }
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
    #[must_use]
    pub fn words(&self) -> &[KeyWord] {
        &self.words
    }

    /// Whether it finds an order with these words, as [`WordSet::into_words`] or [`words_of`] gives
    /// them.
    #[must_use]
    pub fn matches(&self, words: &[String]) -> bool {
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
            folded: cut(word),
            digits: tried.then(|| cut(&digits)),
        }
    }

    /// The beginnings of words to look for, one or two and different: the folded word, and of phone
    /// characters its digits.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.folded.as_str()).chain(self.digits.as_deref())
    }

    fn begins_any(&self, words: &[String]) -> bool {
        self.alternatives()
            .any(|start| words.iter().any(|word| word.starts_with(start)))
    }
}

/// Control characters separate words too: they cannot be typed, and NUL cannot be stored.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// What is neither letter nor digit. Vowel signs of other scripts belong to their letter.
fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c)
}

fn cut(word: &str) -> String {
    // Counting characters is only needed where there are more bytes than characters allowed.
    if word.len() <= MAX_WORD_CHARS {
        return word.to_owned();
    }
    word.chars().take(MAX_WORD_CHARS).collect()
}
