//! SQL texts specific to PostgreSQL, for the statements that PostgreSQL and SQLite share.

use pressline_store_kit::{Database, Dialect};

pub(crate) const DIALECT: Dialect = Dialect {
    database: Database::Postgres,
    begin_store: "INSERT INTO event_counters (store_id, last_sequence) VALUES (:store_id, 0)",
    // In a cluster, these are facts about the connected node only.
    facts: "
        SELECT
            current_setting('server_version'),
            pg_database_size(current_database()),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    // A restored dump is another database. A promoted replica begins another timeline, and
    // so does a restore to a point in time.
    identity: "
        SELECT
            system_identifier
            || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
            || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
        FROM pg_control_system()",
    clock: Some("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"),
};
