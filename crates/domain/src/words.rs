//! The words an order is found by: how texts are folded and cut into words, and how a search key is matched to them.
//!
//! A word of a key matches where it *begins* a word of the texts. Texts and keys go through the same [`fold`], so
//! neither case nor accents matter. Nothing has a special meaning here: `%`, `_`, `*` and quotes are characters.
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[cfg(test)]
mod tests;

/// Longest search key, in characters as sent.
pub const MAX_KEY_CHARS: usize = 255;
/// Most words a search key may have.
pub const MAX_KEY_WORDS: usize = 10;
/// Words, of texts and of keys, are cut here, in characters after folding, so that index rows stay bounded.
pub const MAX_WORD_CHARS: usize = 255;

/// The text without regard to case and accents: `Đỗ` becomes `do`.
///
/// Compatibility forms are resolved (`ﬁ`, full-width letters), accents dropped, Latin letters that aren't a letter and an
/// accent (`đ`, `ø`, `ß`) written in ASCII, decimal digits of all scripts too; other scripts stay themselves.
/// Characters that can't be seen (zero-width, direction marks) are dropped: they come along with pasted phone numbers.
/// Folding what is folded changes nothing.
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

/// One character, or the ASCII letters that stand for it.
enum Folded {
    Same(Option<char>),
    Ascii(std::str::Chars<'static>),
}

impl Folded {
    fn of(c: char) -> Self {
        match c {
            // A final sigma and an iota below are what lower case makes of Σ and Ι in some places only.
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
    let ascii = deunicode::deunicode_char(c)?;
    let letters = latin && !ascii.is_empty() && ascii.bytes().all(|b| b.is_ascii_alphabetic());
    let digit = c.is_numeric() && ascii.len() == 1 && ascii.bytes().all(|b| b.is_ascii_digit());
    (letters || digit).then_some(ascii)
}

/// The Unicode blocks of combining diacritical marks. The marks of other blocks are vowels and the like, not accents.
fn is_accent(c: char) -> bool {
    c != '\u{345}'
        && matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Format characters without width (soft hyphen, joiners, direction marks, variation selectors, byte order mark).
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The folded words of a text: its parts between white space as they stand, and their parts at punctuation.
///
/// `shop-1-8533` has the words `shop-1-8533`, `shop`, `1` and `8533`. In the order of the text; a word may come twice.
#[must_use]
pub fn words_of(text: &str) -> Vec<String> {
    let text = fold(text);
    let mut words = Vec::new();
    for part in split_at_space(&text) {
        words.push(cut(part));
        let pieces = part.split(is_punctuation).filter(|piece| !piece.is_empty());
        words.extend(pieces.filter(|piece| piece.len() < part.len()).map(cut));
    }
    words
}

/// The words of a phone number: those of any text, and its digits from the start of each group to the end.
///
/// `+84 90-123` also has `8490123`, `90123` and `123`, so that it's found with or without the country code.
#[must_use]
pub fn phone_words(text: &str) -> Vec<String> {
    let mut words = words_of(text);
    let mut digits = String::new();
    let mut starts = Vec::new();
    let mut in_group = false;
    for c in fold(text).chars() {
        if c.is_ascii_digit() && !in_group {
            starts.push(digits.len());
        }
        in_group = c.is_ascii_digit();
        if in_group {
            digits.push(c);
        }
    }
    words.extend(starts.iter().filter_map(|start| digits.get(*start..)).map(cut));
    words
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

    /// The words, sorted by their bytes, without those that begin another one: whatever finds these finds that one.
    ///
    /// None is left out for their number, which is bounded by the texts: at most two words for each of their
    /// characters, each of at most [`MAX_WORD_CHARS`].
    #[must_use]
    pub fn into_words(mut self) -> Vec<String> {
        // Sorted backwards, a word that begins others, or is another one again, stands right behind the last of them.
        self.words.sort_unstable_by(|a, b| b.cmp(a));
        self.words.dedup_by(|word, longer| longer.starts_with(word.as_str()));
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchKey {
    words: Vec<KeyWord>,
}

/// One word of a search key: it matches where one of its alternatives does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWord {
    folded: String,
    digits: Option<String>,
}

impl SearchKey {
    /// The key that a text stands for; none if it's blank, which means no filter.
    ///
    /// # Errors
    /// If the text is longer than [`MAX_KEY_CHARS`] or has more than [`MAX_KEY_WORDS`] words.
    pub fn parse(text: &str) -> Result<Option<Self>, SearchKeyError> {
        let chars = text.chars().count();
        if chars > MAX_KEY_CHARS {
            return Err(SearchKeyError::TooLong(chars));
        }
        let folded = fold(text);
        let words: Vec<KeyWord> = split_at_space(&folded).map(KeyWord::of).collect();
        if words.len() > MAX_KEY_WORDS {
            return Err(SearchKeyError::TooManyWords(words.len()));
        }
        Ok((!words.is_empty()).then_some(Self { words }))
    }

    /// Its words, in the order of the text, at least one.
    #[must_use]
    pub fn words(&self) -> &[KeyWord] {
        &self.words
    }

    /// Whether it finds an order with these words, as [`WordSet::into_words`] or [`words_of`] gives them.
    #[must_use]
    pub fn matches(&self, words: &[String]) -> bool {
        self.words.iter().all(|key| key.begins_any(words))
    }
}

impl KeyWord {
    fn of(folded: &str) -> Self {
        let phone = |c| matches!(c, '0'..='9' | '+' | '-' | '.' | '(' | ')');
        let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
        let tried = folded.chars().all(phone) && !digits.is_empty() && digits != folded;
        Self { folded: cut(folded), digits: tried.then(|| cut(&digits)) }
    }

    /// The beginnings of words to look for, one or two and different: the folded word, and of phone characters its digits.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.folded.as_str()).chain(self.digits.as_deref())
    }

    fn begins_any(&self, words: &[String]) -> bool {
        self.alternatives().any(|start| words.iter().any(|word| word.starts_with(start)))
    }
}

/// Control characters part words too: they can't be typed, and NUL can't be stored.
fn split_at_space(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| c.is_whitespace() || c.is_control()).filter(|part| !part.is_empty())
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
