//! Webhooks in SQLite. The statements are those of the store kit.

mod directory;
mod lanes;
mod log;

use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{RowLocks, WebhookDialect, Webhooks};

use crate::error::Failure;

pub(crate) const DIALECT: WebhookDialect = WebhookDialect {
    counters: "store_counters",
    in_texts: "IN (SELECT value FROM json_each({}))",
    in_numbers: "IN (SELECT value FROM json_each({}))",
    rows,
};

fn webhooks(connection: &mut SqliteConnection) -> Webhooks<'_, SqliteConnection, Failure> {
    // One connection writes at a time, so that no row needs a lock.
    Webhooks::new(connection, RowLocks::default(), &DIALECT)
}

/// Rows of a JSON list of objects.
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
