//! Parts of the shared statements that are specific to SQLite.

use pressline_store_kit::{Dialect, RowLocks};

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
    // The size of the file without its log, and no time, because SQLite uses this process's clock.
    facts: "
        SELECT sqlite_version(), page_count * page_size, NULL
        FROM pragma_page_count(), pragma_page_size()",
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
