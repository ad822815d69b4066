//! Search words as SQLite's full text index keeps them.
//!
//! The tokenizer `ascii` splits at ASCII characters that are no letters or digits, and folds ASCII capitals. So a word is
//! written without any of these: each such character, and `z`, as `z` and two hexadecimal digits. As no character's
//! form begins another's, a word begins with a key exactly where the written word begins with the written key. Before it
//! stands the number of its store in hexadecimal, and a `z` to end it.

use std::fmt::Write as _;

use pressline_domain::id::ServiceOrderId;
use pressline_domain::words::{SearchKey, words_of};

diesel::table! {
    /// The full text index.
    order_words (rowid) {
        /// The `row_id` of the order.
        rowid -> BigInt,
        /// Its words.
        words -> Text,
    }
}

/// The words of an order and of its number as tokens with spaces between them. `store` is the store's `row_id`.
pub(crate) fn tokens(store: i64, words: &[String], number: &ServiceOrderId) -> String {
    let number = words_of(&number.to_string());
    words.iter().chain(&number).map(|word| token(store, word)).collect::<Vec<_>>().join(" ")
}

/// The key as a query of the index: every word begins some token.
pub(crate) fn query(store: i64, key: &SearchKey) -> String {
    let words = key.words().iter().map(|word| {
        let alternatives: Vec<String> =
            word.alternatives().map(|word| format!("\"{}\"*", token(store, word))).collect();
        format!("({})", alternatives.join(" OR "))
    });
    words.collect::<Vec<_>>().join(" AND ")
}

pub(crate) fn token(store: i64, word: &str) -> String {
    let mut token = format!("{store:04x}z");
    for c in word.chars() {
        match c {
            'a'..='y' | '0'..='9' | '\u{80}'.. => token.push(c),
            // Writing to a string cannot fail.
            ascii => drop(write!(token, "z{:02x}", u32::from(ascii))),
        }
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_holds_nothing_the_tokenizer_would_touch() {
        assert_eq!(token(18, "pizza-7 Ü\"Z"), "0012zpiz7az7aaz2d7z20Üz22z5a");
    }

    #[test]
    fn a_token_begins_with_a_key_where_the_word_does() {
        let words = ["z", "zz", "z7a", "7a", "az", "a-", "a", "-", "-2d", "2d", "zx", "đo", "đ"];
        for word in words {
            for key in words {
                assert_eq!(token(1, word).starts_with(&token(1, key)), word.starts_with(key), "{word} {key}");
                assert!(!token(17, word).starts_with(&token(1, key)));
                assert!(!token(0x1_0000, word).starts_with(&token(0x1000, key)));
            }
        }
    }

    #[test]
    fn a_key_becomes_beginnings_that_all_must_be_there() {
        let key = SearchKey::parse("+84-9 or").unwrap().unwrap();
        assert_eq!(query(1, &key), "(\"0001zz2b84z2d9\"* OR \"0001z849\"*) AND (\"0001zor\"*)");
    }
}
