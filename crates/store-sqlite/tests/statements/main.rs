//! Statements of the store on one connection: their query plans and results.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

mod across_stores;
mod all;
mod catalog_plans;
mod documented;
#[path = "../../../store-kit/tests/fixtures/documented_calls.rs"]
mod documented_calls;
#[path = "../../../store-kit/tests/fixtures/endpoints.rs"]
mod endpoints;
#[path = "../../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
mod order_groups;
mod order_plans;
mod overview_plans;
mod production_plans;
#[path = "../../../store-kit/tests/fixtures/order_groups.rs"]
mod shared_order_groups;
mod webhook_plans;
#[path = "../../../store-kit/tests/fixtures/webhook_work.rs"]
mod webhook_work;

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Integer, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::StatementScope;
use pressline_store_sqlite::test_support::{NamedStatement, PortStatements, SHARED, open};

/// Puts `EXPLAIN QUERY PLAN` before a statement.
struct Explain<Q>(Q);

impl<Q: QueryFragment<Sqlite>> QueryFragment<Sqlite> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("EXPLAIN QUERY PLAN ");
        self.0.walk_ast(out)
    }
}

impl<Q> QueryId for Explain<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

/// Columns: id, parent, unused, detail.
impl<Q> Query for Explain<Q> {
    type SqlType = (Integer, Integer, Integer, Text);
}

impl<Q> RunQueryDsl<SqliteConnection> for Explain<Q> {}

/// Returns the ports, asked about an order of the first store.
fn ports() -> PortStatements {
    PortStatements {
        dialect: SHARED,
        scope: StatementScope::AnyStores,
        store: fixtures::store_id(1),
        order: fixtures::parts(1, 1).id,
    }
}

/// Returns the plan of the statement `name` in an empty database.
fn plan_of(name: &str, statements: Vec<NamedStatement>) -> String {
    let mut statements = statements.into_iter();
    let (_, statement) = statements.find(|(known, _)| *known == name).unwrap();
    plan(statement)
}

/// Returns the plan of `statement` in an empty database.
fn plan(statement: impl QueryFragment<Sqlite>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(&folder.path().join("orders.db")).unwrap();
    let lines: Vec<(i32, i32, i32, String)> = Explain(statement).load(&mut connection).unwrap();
    lines
        .into_iter()
        .map(|line| line.3)
        .collect::<Vec<_>>()
        .join("\n")
}
