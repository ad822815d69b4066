//! How a statement that writes orders names their stores.
//!
//! Where the tables of stores are on one node, a statement writes orders of any stores. Where they are
//! distributed, it writes orders of one store, and each of its parts names it by a parameter: so all
//! parts are sent to the node of that store, and the commit concerns that node alone.

use pressline_store_kit::SqlText;

use crate::words;

/// Which stores the orders of a statement belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stores {
    /// Any.
    Any,
    /// One, which each part of the statement names.
    One,
}

/// Parts of a text, by their names.
type Parts = [(&'static str, &'static str); 9];

const OF_ANY: Parts = [
    ("is_given", "= ANY(:stores)"),
    // The store of a row, as a condition or as a value to insert.
    ("given.store", "given.store_id"),
    ("changed.store", "changed.store_id"),
    ("taken.store", "taken.store_id"),
    ("given.on_node", "given.store_id"),
    ("stored.on_node", "stored.store_id"),
    ("words.on_node", "words.store_id"),
    ("node", ""),
    ("seen", include_str!("../sql/seen_of_any.sql")),
];

const OF_ONE: Parts = [
    ("is_given", "= :store_id"),
    ("given.store", ":store_id"),
    ("changed.store", ":store_id"),
    ("taken.store", ":store_id"),
    ("given.on_node", "node.store"),
    ("stored.on_node", "node.store"),
    ("words.on_node", "node.store"),
    ("node", include_str!("../sql/node.sql")),
    ("seen", include_str!("../sql/seen_of_one.sql")),
];

impl Stores {
    /// A text of which these parts, those of its words and those that name stores are given.
    pub(super) fn text(self, text: &str, parts: &[(&str, &str)]) -> SqlText {
        let of_stores = match self {
            Self::Any => OF_ANY,
            Self::One => OF_ONE,
        };
        // The parts that name stores contain others.
        SqlText::new(text, &[&of_stores[..], &words::PARTS, parts].concat())
    }
}
