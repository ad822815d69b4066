//! SQL texts specific to SQLite, for the statements that PostgreSQL and SQLite share.

use pressline_store_kit::{Dialect, RowLocks, ShipmentKey, ShipmentTexts};

pub(crate) const DIALECT: Dialect = Dialect {
    // Only one connection writes at a time, so that rows need no locks.
    locks: RowLocks {
        shared: "",
        exclusive: "",
    },
    counters: "store_counters",
    begin_store: "INSERT INTO order_chunks (store_id, from_id) VALUES (:store_id, '')",
    in_texts: "IN (SELECT value FROM json_each({}))",
    in_numbers: "IN (SELECT value FROM json_each({}))",
    rows,
    retired: ["retired = 0", "retired = 1"],
    shipments: ShipmentTexts {
        of_any: shipments_of_any,
        of_one: |_| include_str!("order/sql/shipments_before.sql").to_owned(),
    },
    number_of_any: include_str!("order/sql/number_of_any.sql"),
    // The size of the file without its log, and no time, because SQLite uses this process's clock.
    facts: "
        SELECT sqlite_version(), page_count * page_size, NULL
        FROM pragma_page_count(), pragma_page_size()",
    // A copy of the file is the same in every bit.
    identity: "SELECT NULL",
    clock: None,
};

fn rows(columns: &[(&str, &str)]) -> String {
    let columns = columns
        .iter()
        .map(|(name, _)| format!("value ->> '{name}' AS {name}"));
    let columns: Vec<String> = columns.collect();
    format!(
        "(SELECT {} FROM json_each(:rows)) AS given",
        columns.join(", ")
    )
}

fn shipments_of_any(key: ShipmentKey) -> Option<String> {
    // Forces the use of the index, because SQLite has no statistics of the table.
    let (column, index) = match key {
        ShipmentKey::Id => ("wanted.id", "shipments_by_id"),
        ShipmentKey::TrackingNumber => ("wanted.tracking_number", "shipments_by_number"),
        ShipmentKey::OfOrdersBefore => return None,
    };
    let text = include_str!("order/sql/shipments_of_any.sql");
    let text = text.replace("{is_wanted}", &format!("{column} = :wanted"));
    Some(text.replace("{index}", index))
}
