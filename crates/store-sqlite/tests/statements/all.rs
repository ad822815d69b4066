//! Each statement in the source files runs as it is written.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use pressline_store_sqlite::test_support::open;
use pressline_testkit::source_statements;

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Explains the plan of each statement. With the environment variable `PRESSLINE_EXPLAIN`, as set by
/// `cargo xtask sql --explain`, prints the plans of the statements with names that contain its
/// value.
#[test]
fn every_statement_has_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(&folder.path().join("orders.db")).unwrap();
    let printed = std::env::var("PRESSLINE_EXPLAIN").ok();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut failed = Vec::new();
    let statements = source_statements(crates).unwrap().into_iter();
    for statement in statements.filter(|statement| statement.sqlite) {
        // SQLite has one writer, and no locks of rows.
        let text = statement.text.trim_end();
        let text = text
            .trim_end_matches("FOR UPDATE")
            .trim_end_matches("FOR SHARE");
        // Parameters without a value are NULL.
        let explained = sql_query(format!("EXPLAIN QUERY PLAN {text}"));
        let steps: QueryResult<Vec<Step>> = explained.load(&mut connection);
        match (steps, &printed) {
            (Ok(steps), Some(name)) if statement.name.contains(name) => {
                println!("{} (SQLite)", statement.name);
                steps.iter().for_each(|step| println!("{}", step.detail));
                println!();
            }
            (Ok(_), _) => {}
            (Err(error), _) => failed.push(format!("{}: {error}\n{text}", statement.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
