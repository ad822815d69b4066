//! Search words in SQLite's full-text index.
//!
//! The tokenizer `ascii` splits at ASCII characters other than letters and digits, and folds ASCII
//! capitals. Words are therefore encoded with `a` to `y`, digits and non-ASCII characters only: any
//! other character becomes `z` and two hexadecimal digits. As no character's encoding is a prefix
//! of another's, a word begins with a key exactly if the encoded word begins with the encoded key.
//! Each word is prefixed with the number of its order's chunk in hexadecimal and a `z`; words of
//! products have chunk 0.

use pressline_domain::value::ServiceOrderId;
use pressline_kit::words::{KeyWord, WordSet};

/// Separates the encoded words by spaces, without the prefix of a chunk. The result does not depend
/// on the order's number, so it can be prepared before the number is assigned.
pub(crate) fn joined(words: &WordSet) -> String {
    let mut text = String::with_capacity(words.iter().map(|word| word.len() + 4).sum());
    for word in words.iter() {
        write(word, &mut text);
        text.push(' ');
    }
    text
}

/// Returns the tokens of `words`, encoded by [`joined`], and of `number`, separated by spaces.
pub(crate) fn tokens(words: &str, chunk: i64, number: &ServiceOrderId) -> String {
    let number = joined(WordSet::default().text(&number.to_string()));
    let prefix = prefix(chunk);
    let mut tokens = String::with_capacity(words.len() * 2);
    let of_number = number.split_terminator(' ');
    for word in words.split_terminator(' ').chain(of_number) {
        tokens.push_str(&prefix);
        tokens.push_str(word);
        tokens.push(' ');
    }
    tokens
}

/// Each of `words` must be the beginning of one of the row's tokens.
pub(crate) fn query<'w>(chunk: i64, words: impl IntoIterator<Item = &'w KeyWord>) -> String {
    let words = words.into_iter().map(|word| {
        let alternatives: Vec<String> = word
            .alternatives()
            .map(|word| format!("\"{}\"*", token(chunk, word)))
            .collect();
        format!("({})", alternatives.join(" OR "))
    });
    words.collect::<Vec<_>>().join(" AND ")
}

pub(crate) fn token(chunk: i64, word: &str) -> String {
    let mut token = prefix(chunk);
    write(word, &mut token);
    token
}

fn prefix(chunk: i64) -> String {
    format!("{chunk:04x}z")
}

fn write(word: &str, to: &mut String) {
    for c in word.chars() {
        match c {
            'a'..='y' | '0'..='9' | '\u{80}'.. => to.push(c),
            ascii => {
                to.push('z');
                let digits = [u32::from(ascii) >> 4, u32::from(ascii) & 0xf];
                to.extend(
                    digits
                        .into_iter()
                        .filter_map(|digit| char::from_digit(digit, 16)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pressline_kit::words::{FORM, SearchKey};

    use super::*;

    /// A database of another form has another migration, and is refused.
    #[test]
    fn the_migration_names_the_form_of_the_words() {
        let text = include_str!("../migrations/0001_initial/up.sql");
        assert!(text.contains(&format!("-- Form of the words: {FORM}.")));
    }

    #[test]
    fn a_token_holds_nothing_the_tokenizer_would_touch() {
        assert_eq!(token(18, "pizza-7 Ü\"Z"), "0012zpiz7az7aaz2d7z20Üz22z5a");
    }

    #[test]
    fn an_order_has_its_words_and_those_of_its_number() {
        let words = joined(WordSet::default().text("a-b ж"));
        let number = ServiceOrderId {
            prefix: "X".parse().unwrap(),
            number: 7,
        };
        assert_eq!(
            tokens(&words, 18, &number),
            "0012zaz2db 0012za 0012zb 0012zж 0012zxz2d7 0012zx 0012z7 "
        );
        assert_eq!(tokens("", 1, &number), "0001zxz2d7 0001zx 0001z7 ");
    }

    #[test]
    fn a_token_begins_with_a_key_where_the_word_does() {
        let words = [
            "z", "zz", "z7a", "7a", "az", "a-", "a", "-", "-2d", "2d", "zx", "đo", "đ",
        ];
        for word in words.iter() {
            for key in words {
                assert_eq!(
                    token(1, word).starts_with(&token(1, key)),
                    word.starts_with(key),
                    "{word} {key}"
                );
                assert!(!token(17, word).starts_with(&token(1, key)));
                assert!(!token(0x1_0000, word).starts_with(&token(0x1000, key)));
            }
        }
    }

    #[test]
    fn a_key_becomes_beginnings_that_all_must_be_there() {
        let key = SearchKey::parse("+84-9 or").unwrap().unwrap();
        assert_eq!(
            query(1, key.words()),
            "(\"0001z84z2d9\"* OR \"0001z849\"*) AND (\"0001zor\"*)"
        );
    }
}
