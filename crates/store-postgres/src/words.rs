//! Search words as PostgreSQL keeps them: lexemes of a tsvector, each with the prefix of its store
//! before it, so that one inverted index serves all stores and a search reads only its own store's
//! part of it.
//!
//! Nothing passes through a text search configuration, so that no word is stemmed, dropped or cut.

use pressline_kit::words::{SearchKey, WordSet};

/// Stands between words where they are passed as one text, and for the store's prefix in a query.
/// Words hold no control characters: these part words.
pub(crate) const MARK: char = '\u{1}';

/// Words as one text with [`MARK`] between them.
pub(crate) fn joined(words: &WordSet) -> String {
    let mut joined = String::with_capacity(words.iter().map(|word| word.len() + 1).sum());
    for word in words.iter() {
        if !joined.is_empty() {
            joined.push(MARK);
        }
        joined.push_str(word);
    }
    joined
}

/// The lexemes of an order, `DEMO:mug`, made in SQL of its joined words and of its number, which
/// only the statement that stores it knows. The number's words are those that the domain makes of
/// `DEMO-17`.
pub(crate) const LEXEMES: &str = "array_to_tsvector(string_to_array(prefix || ':' || replace(\
    words || chr(1) || lower(prefix) || '-' || number || chr(1) || number, chr(1), chr(1) || prefix || ':'), chr(1)))";

/// Stands between the words of a query, and cannot be part of one: they hold no white space.
pub(crate) const AND: &str = " & ";

/// The key as a tsquery, with [`MARK`] in the place of the store's prefix: every word begins some
/// lexeme.
pub(crate) fn tsquery(key: &SearchKey) -> String {
    let words = key.words().iter().map(|word| {
        let alternatives: Vec<String> = word.alternatives().map(beginning).collect();
        format!("({})", alternatives.join(" | "))
    });
    words.collect::<Vec<_>>().join(AND)
}

/// Within quotes only the quote and the backslash mean something.
fn beginning(word: &str) -> String {
    let word = word.replace('\\', r"\\").replace('\'', "''");
    format!("'{MARK}:{word}':*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_becomes_beginnings_that_all_must_be_there() {
        let key = SearchKey::parse(r"O'Neil +84-90 a\b & | ! :*")
            .unwrap()
            .unwrap();
        assert_eq!(
            tsquery(&key).replace(MARK, "$"),
            r"('$:o''neil':*) & ('$:84-90':* | '$:8490':*) & ('$:a\\b':*) & ('$:&':*) & ('$:|':*) & ('$:!':*) & ('$::*':*)"
        );
    }
}
