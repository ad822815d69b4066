//! Each statement in the source files runs as it is written.

use std::collections::BTreeMap;
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_store_kit::Sql;
use pressline_testkit::source_statements;

use crate::migrated_database;

/// Returns the text with numbered parameters, and the number of parameters.
fn numbered(text: &str) -> (String, usize) {
    let text = Sql::from(text.to_owned());
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = text.with_parameters(|name| {
        let next = numbers.len() + 1;
        format!("${}", numbers.entry(name.to_owned()).or_insert(next))
    });
    let count = numbers.len();
    (numbered, count)
}

/// Returns the text with one of the words that each part can be.
fn with_parts(text: &str) -> String {
    text.replace("{direction}", "ASC")
        .replace("{behind}", ">")
        .replace("{skip_locked}", "SKIP LOCKED")
}

/// Prepares the statements and explains their plans for NULLs. With the environment variable
/// `PRESSLINE_EXPLAIN`, as set by `cargo xtask sql --explain`, prints the plans of the statements
/// with names that contain its value.
#[test]
fn every_statement_has_a_plan() {
    let (_database, mut connection) = migrated_database();
    // The plan for any values. For NULLs, most plans would only say that a condition is false.
    connection
        .batch_execute("SET plan_cache_mode = force_generic_plan")
        .unwrap();
    let printed = std::env::var("PRESSLINE_EXPLAIN").ok();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut failed = Vec::new();
    let statements = source_statements(crates).unwrap().into_iter();
    // The functions of Citus, with their calls, have tests of their own.
    let of_citus = |name: &str| name.starts_with("store-postgres/citus/");
    for statement in statements.filter(|statement| statement.postgres && !of_citus(&statement.name))
    {
        let text = with_parts(&statement.text);
        let (text, count) = numbered(&text);
        let explained = explain(&mut connection, &text, count);
        match (explained, &printed) {
            (Ok(plan), Some(name)) if statement.name.contains(name) => {
                println!("{} (PostgreSQL)\n{plan}\n", statement.name);
            }
            (Ok(_), _) => {}
            (Err(error), _) => failed.push(format!("{}: {error}\n{text}", statement.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

fn explain(connection: &mut PgConnection, text: &str, count: usize) -> QueryResult<String> {
    connection.batch_execute(&format!("PREPARE statement AS {text}"))?;
    let nulls = vec!["NULL"; count].join(", ");
    let values = if count == 0 {
        String::new()
    } else {
        format!("({nulls})")
    };
    let plan = sql::<Text>(&format!("EXPLAIN EXECUTE statement{values}"));
    let lines: QueryResult<Vec<String>> = plan.load(connection);
    connection.batch_execute("DEALLOCATE statement")?;
    Ok(lines?.join("\n"))
}
