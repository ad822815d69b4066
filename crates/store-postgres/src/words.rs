//! Search words in PostgreSQL: lexemes of a tsvector. Each lexeme begins with a prefix for the
//! store and the chunk of its order. A single inverted index therefore serves all stores and
//! chunks, and a search reads only the entries of its store and chunk.
//!
//! Words bypass the text search configurations, so that no word is stemmed, dropped or cut.
//!
//! The statements that store an order, such as `create.sql`, make the lexemes, for example `+8Nimug`,
//! from the joined words, the number and the chunk: only they know number and chunk. They split a
//! number, for example `DEMO-17`, into the same words as the domain does.

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

/// Number of characters of a lexeme's prefix, which the statements compute as
/// `left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)`. A longer prefix would take more
/// room in each lexeme. Chunks may share a prefix, so that a search compares store and chunk, too.
pub(crate) const PREFIX_BYTES: usize = 4;

/// No word contains this operator of a tsquery, because words contain no white space.
const AND: &str = " & ";

/// Each word of `key` must be the beginning of a lexeme. [`MARK`] stands for the prefix.
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
