//! Names stores in the statements that write orders.
//!
//! If all tables are on one node, a statement writes orders of any stores. If the tables are
//! distributed, a statement writes orders of a single store, and each part of the statement names
//! the store by a parameter. Citus then sends all parts to the node of the store, and only this
//! node takes part in the commit.

use pressline_store_kit::SqlText;

use crate::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stores {
    Any,
    /// A single store, named by each part of the statement.
    One,
}

/// Names and SQL texts of the parts of a statement that name stores.
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

/// Columns of a new order's state and event that are parameters of the insert statement. The
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
    /// Fills in `parts`, the SQL for search words, and the SQL that names stores.
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
