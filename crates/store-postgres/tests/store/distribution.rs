//! Tables of a distributed database.

use diesel::prelude::*;
use pressline_store_postgres::test_support::{BY_STORE, ON_EVERY_NODE, patient};

use crate::databases::{connection, prepared};

diesel::table! {
    /// Tables of the database.
    pg_tables (tablename) {
        schemaname -> Text,
        tablename -> Text,
    }
}

/// Tables that stay on the node that servers connect to. A write probe must not fail while another
/// node is down, and migrations write the other two tables.
const ON_ONE_NODE: [&str; 3] = [
    "write_probe",
    "pressline_migration_lock",
    "pressline_migrations",
];

#[tokio::test]
async fn each_table_is_in_one_list() {
    let (database, _store) = prepared(&patient(), 0).await;
    let mut names: Vec<String> = pg_tables::table
        .filter(pg_tables::schemaname.eq("public"))
        .select(pg_tables::tablename)
        .load(&mut connection(&database))
        .unwrap();
    let mut listed = [&BY_STORE[..], &ON_EVERY_NODE, &ON_ONE_NODE].concat();
    names.sort();
    listed.sort_unstable();
    assert_eq!(names, listed);
}
