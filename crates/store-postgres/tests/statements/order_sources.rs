//! Compares search results with a filter over all orders, for each index that the statement may
//! use.

use diesel::connection::SimpleConnection;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_store_postgres::test_support::prepared;

use crate::orders::{Filled, filled, first_of};

/// Keys, and the number of matching orders.
const KEYS: [(&str, usize); 20] = [
    ("common", 10_000),
    ("changed", 1407),
    ("w5", 1133),
    ("order-1998", 6),
    ("rare", 0),
    ("old499", 499),
    ("old500", 500),
    ("old501", 501),
    ("old502", 502),
    ("new20", 20),
    ("new21", 21),
    ("new50", 50),
    ("behind", 1900),
    // For these keys, the index is queried for a part of the words.
    ("half old500", 250),
    ("half behind", 950),
    ("behind half common changed", 132),
    ("common half nothing", 0),
    // For these keys, the index is queried for all words.
    ("common half", 5000),
    ("changed w5", 159),
    ("changed w5 behind", 30),
];

const PAGES: [(i64, i64); 15] = [
    (0, 1),
    (0, 21),
    (3, 40),
    (79, 21),
    (80, 21),
    (480, 20),
    (490, 21),
    (499, 1),
    (500, 1),
    (1979, 21),
    (1980, 21),
    (2000, 5),
    (9990, 21),
    (i64::MAX, 21),
    (0, i64::MAX),
];

/// Each source returns every match once and in order, for any window.
#[test]
fn the_sources_of_a_search_agree() {
    let mut filled = filled();
    // The update moves rows within the table and changes words.
    filled
        .connection
        .batch_execute(
            "UPDATE order_words SET words = words || array_to_tsvector(ARRAY[left(encode(sha256((order_words.store_id || chunk)::bytea), 'base64'), 4) || 'changed'])
             FROM orders
             WHERE (order_words.store_id, order_words.id) = (orders.store_id, orders.id)
               AND number % 7 = 0 AND number < 19700",
        )
        .unwrap();
    for (key, matching) in KEYS {
        let all = filled.having(key);
        assert_eq!(all.len(), matching, "{key}");
        let middle = all.get(all.len() / 2).cloned();
        let middle = middle.unwrap_or_else(|| first_of(3000));
        for before in [first_of(i64::MAX), middle, first_of(6600), first_of(20)] {
            for from in [0, 100, 6500, 6635].map(first_of) {
                assert_pages_agree(&mut filled, key, &all, &from, &before);
            }
        }
    }
}

/// Asserts that each page of the orders between `from` and `before` agrees with the list `all`.
fn assert_pages_agree(filled: &mut Filled, key: &str, all: &[String], from: &str, before: &str) {
    let query = prepared(&SearchKey::parse(key).unwrap().unwrap());
    let part = || {
        all.iter()
            .filter(|id| from <= id.as_str() && id.as_str() < before)
    };
    for (offset, limit) in PAGES {
        let skipped = usize::try_from(offset).unwrap();
        let taken = usize::try_from(limit).unwrap();
        let wanted: Vec<_> = part().skip(skipped).take(taken).cloned().collect();
        let window = Window {
            from: from.to_owned(),
            before: before.to_owned(),
            offset,
            limit,
            bytes: u64::MAX,
        };
        let found = filled.page(&query, &window);
        assert_eq!(
            found, wanted,
            "{key} from {from} before {before}: {offset} {limit}"
        );
    }
}
