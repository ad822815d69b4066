//! Search words as PostgreSQL keeps them: lexemes of a tsvector. Each begins with a prefix for the
//! store and the chunk of its order, so that one inverted index serves all stores and chunks, and
//! a search reads only its own part of it.
//!
//! Nothing passes through a text search configuration, so that no word is stemmed, dropped or cut.

use pressline_kit::words::{SearchKey, WordSet};

/// Separates words that are passed as one text. In a query, it is replaced by [`WORD_PREFIX`].
/// Words contain no control characters, because these separate words.
pub(crate) const MARK: char = '\u{1}';

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

/// What the lexemes of a chunk of a store's orders begin with, in SQL: four characters, so that they
/// take little room in each lexeme. A few chunks may have the same ones, so that a search also
/// compares store and chunk.
const WORD_PREFIX: &str = "left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)";

pub(crate) const PREFIX_BYTES: usize = 4;

/// The lexemes of an order, `+8Nimug`, made in SQL of its joined words and of its number and chunk,
/// which only the statement that stores it knows. The number's words are those that the domain makes
/// of `DEMO-17`.
const LEXEMES: &str = "array_to_tsvector(string_to_array(substr(replace(\
    chr(1) || words || chr(1) || lower(prefix) || '-' || number || chr(1) || number, \
    chr(1), chr(1) || {word_prefix}), 2), chr(1)))";

/// The chunk of a new order, in SQL, of its id and the chunks of its store. An order that comes late, by
/// a clock that is behind, belongs to the chunk of its time.
const CHUNK_OF_ID: &str =
    "CASE WHEN id >= chunk_from THEN chunk ELSE width_bucket(id, chunks_from) END";

pub(crate) const PARTS: [(&str, &str); 3] = [
    ("lexemes", LEXEMES),
    ("word_prefix", WORD_PREFIX),
    ("chunk_of_id", CHUNK_OF_ID),
];

/// Stands between the words of a query, and cannot be part of one: they hold no white space.
const AND: &str = " & ";

/// The key as a tsquery, with [`MARK`] in the place of [`WORD_PREFIX`]: every word begins some
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
    format!("'{MARK}{word}':*")
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
            r"('$o''neil':*) & ('$84-90':* | '$8490':*) & ('$a\\b':*) & ('$&':*) & ('$|':*) & ('$!':*) & ('$:*':*)"
        );
    }
}
