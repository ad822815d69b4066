//! Search words as PostgreSQL keeps them: lexemes of a tsvector, each with the prefix of its store before it, so that
//! one inverted index serves all stores and a search reads only its own store's part of it.
//!
//! Nothing passes through a text search configuration, so that no word is stemmed, dropped or cut.

use pressline_domain::order::Order;
use pressline_domain::words::SearchKey;

/// Stands between words where they are passed as one text, and for the store's prefix in a query. Words hold no control
/// characters: these part words.
const MARK: char = '\u{1}';

/// The lexemes of an order, `DEMO:mug`, as one text with [`MARK`] between them.
pub(crate) fn lexemes(order: &Order) -> String {
    let prefix = order.service_order_id().prefix.as_str();
    let mut text = String::new();
    for (i, word) in order.words().iter().enumerate() {
        if i > 0 {
            text.push(MARK);
        }
        text.extend([prefix, ":", word]);
    }
    text
}

/// The key as a tsquery, with [`MARK`] in the place of the store's prefix: every word begins some lexeme.
pub(crate) fn tsquery(key: &SearchKey) -> String {
    let words = key.words().iter().map(|word| {
        let alternatives: Vec<String> = word.alternatives().map(beginning).collect();
        format!("({})", alternatives.join(" | "))
    });
    words.collect::<Vec<_>>().join(" & ")
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
        let key = SearchKey::parse(r"O'Neil +84-90 a\b & | ! :*").unwrap().unwrap();
        assert_eq!(
            tsquery(&key).replace(MARK, "$"),
            r"('$:o''neil':*) & ('$:+84-90':* | '$:8490':*) & ('$:a\\b':*) & ('$:&':*) & ('$:|':*) & ('$:!':*) & ('$::*':*)"
        );
    }
}
