//! Search words in PostgreSQL: lexemes of a tsvector. Each lexeme begins with a prefix for the
//! store and the chunk of its order. A single inverted index therefore serves all stores and
//! chunks, and a search reads only the entries of its store and chunk.
//!
//! Words bypass the text search configurations, so that no word is stemmed, dropped or cut.

use pressline_kit::words::{SearchKey, WordSet};

/// Separator of joined words, and the placeholder of the prefix in a tsquery. Words cannot contain
/// `MARK`, because control characters separate words.
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

/// SQL for the prefix of the lexemes of a store's chunk: four characters, so that they take little
/// room in each lexeme. Chunks may share a prefix, so that a search compares store and chunk, too.
const WORD_PREFIX: &str = "left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)";

pub(crate) const PREFIX_BYTES: usize = 4;

/// SQL for the lexemes of an order, for example `+8Nimug`, from the order's joined words, number
/// and chunk. Only the statement that stores an order knows number and chunk. The SQL splits a
/// number, for example `DEMO-17`, into the same words as the domain does.
const LEXEMES: &str = "array_to_tsvector(string_to_array(substr(replace(\
    chr(1) || words || chr(1) || lower(prefix) || '-' || number || chr(1) || number, \
    chr(1), chr(1) || {word_prefix}), 2), chr(1)))";

/// SQL for the chunk of a new order, from its id and the first ids of the store's chunks. An order
/// from a server with a slow clock may have an id in an earlier chunk.
const CHUNK_OF_ID: &str =
    "CASE WHEN id >= chunk_from THEN chunk ELSE width_bucket(id, chunks_from) END";

pub(crate) const PARTS: [(&str, &str); 3] = [
    ("lexemes", LEXEMES),
    ("word_prefix", WORD_PREFIX),
    ("chunk_of_id", CHUNK_OF_ID),
];

/// No word contains this operator of a tsquery, because words contain no white space.
const AND: &str = " & ";

/// Each word of `key` must be the beginning of a lexeme. [`MARK`] stands for [`WORD_PREFIX`].
pub(crate) fn tsquery(key: &SearchKey) -> String {
    let words = key.words().iter().map(|word| {
        let alternatives: Vec<String> = word.alternatives().map(beginning).collect();
        format!("({})", alternatives.join(" | "))
    });
    words.collect::<Vec<_>>().join(AND)
}

/// Within quotes, only the quote and the backslash need escaping.
fn beginning(word: &str) -> String {
    let word = word.replace('\\', r"\\").replace('\'', "''");
    format!("'{MARK}{word}':*")
}

/// Returns the smallest byte string above all strings that begin with `start`.
pub(crate) fn end_of(start: &[u8]) -> Vec<u8> {
    let mut end = start.to_vec();
    // Cannot overflow: each byte of UTF-8 is below 255.
    if let Some(last) = end.last_mut() {
        *last = last.saturating_add(1);
    }
    end
}

#[cfg(test)]
mod tests {
    use pressline_kit::words::FORM;

    use super::*;

    /// A database of another form has another migration, and is refused.
    #[test]
    fn the_migration_names_the_form_of_the_words() {
        let text = include_str!("../migrations/0001_initial/up.sql");
        assert!(text.contains(&format!("-- Form of the words: {FORM}.")));
    }

    #[test]
    fn a_key_becomes_beginnings_that_all_must_be_there() {
        let key = SearchKey::parse(r"O'Neil +84-90 a\b & | ! :*")
            .unwrap()
            .unwrap();
        assert_eq!(
            tsquery(&key).replace(MARK, "$"),
            r"('$o''neil':* | '$oneil':*) & ('$84-90':* | '$8490':*) & ('$a\\b':*) & ('$&':*) & ('$|':*) & ('$!':*) & ('$:*':*)"
        );
    }
}
