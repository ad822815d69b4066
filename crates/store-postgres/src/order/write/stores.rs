//! How a statement that writes orders names their stores.
//!
//! If all tables are on one node, a statement writes orders of any stores. If they are distributed,
//! it writes orders of one store, and each of its parts names the store by a parameter: all parts
//! are then sent to the node of that store, and the commit involves that node alone.

use pressline_store_kit::SqlText;

use crate::words;

/// Stores of the orders of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stores {
    Any,
    /// A single store, named by each part of the statement.
    One,
}

/// Named parts of a statement's text.
type Parts = [(&'static str, &'static str); 12];

const OF_ANY: Parts = [
    ("is_given", "= ANY(:stores)"),
    // The store of a row, as a condition or as an inserted value.
    ("given.store", "given.store_id"),
    ("sequenced.store", "sequenced.store_id"),
    ("taken.store", "taken.store_id"),
    ("given.on_node", "given.store_id"),
    ("stored.on_node", "stored.store_id"),
    ("words.on_node", "words.store_id"),
    ("sequenced.on_node", "sequenced.store_id"),
    // Event counters to lock: for the stores of a group, or of the accepted changes.
    ("is_counted", "= ANY(:event_stores)"),
    (
        "is_changed",
        "= ANY(ARRAY(SELECT store_id FROM given JOIN accepted USING (place)))",
    ),
    ("node", ""),
    ("seen", include_str!("../sql/seen_of_any.sql")),
];

const OF_ONE: Parts = [
    ("is_given", "= :store_id"),
    ("given.store", ":store_id"),
    ("sequenced.store", ":store_id"),
    ("taken.store", ":store_id"),
    ("given.on_node", "node.store"),
    ("stored.on_node", "node.store"),
    ("words.on_node", "node.store"),
    ("sequenced.on_node", "node.store"),
    ("is_counted", "= :store_id"),
    ("is_changed", "= :store_id"),
    ("node", include_str!("../sql/node.sql")),
    ("seen", include_str!("../sql/seen_of_one.sql")),
];

/// The columns that differ between the first states and the first events of new orders. The
/// statement sets some of the other columns; the rest have their defaults.
pub(super) const FIRST: [(&str, &str); 2] = [
    (
        "first_state",
        "order_states without store_id, id, version, last_sequence, pending, needs, replaced_by, \
         shipments, corrections",
    ),
    (
        "first_event",
        "order_events without store_id, sequence, order_uuid, version, happened_at, endpoint_id, \
         previous_sequence, previous_at, kind, changes, shipment",
    ),
];

impl Stores {
    /// Returns `text` with its parts filled in: `parts`, the parts of words, and the parts that
    /// name stores.
    pub(super) fn text(self, text: &str, parts: &[(&str, &str)]) -> SqlText {
        let of_stores = match self {
            Self::Any => OF_ANY,
            Self::One => OF_ONE,
        };
        // `parts` comes twice: a part may contain parts that name stores, and these contain others
        // of `parts`.
        SqlText::new(
            text,
            &[parts, &of_stores[..], &words::PARTS, &FIRST, parts].concat(),
        )
    }
}
