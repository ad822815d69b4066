//! SQL texts specific to SQLite, for the statements that PostgreSQL and SQLite share.

use pressline_store_kit::{Database, Dialect};

pub(crate) const DIALECT: Dialect = Dialect {
    database: Database::Sqlite,
    begin_store: "INSERT INTO order_chunks (store_id, from_id) VALUES (:store_id, '')",
    // The size of the file without its log, and no time, because SQLite uses this process's clock.
    facts: "
        SELECT sqlite_version(), page_count * page_size, NULL
        FROM pragma_page_count(), pragma_page_size()",
    // A copy of the file is the same in every bit.
    identity: "SELECT NULL",
    clock: None,
};
