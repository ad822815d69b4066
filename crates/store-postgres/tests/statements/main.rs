//! Statements of the store on one connection: their query plans and results.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is amiss"
)]

mod across_stores;
mod all;
mod catalog_plans;
#[path = "../../../store-kit/tests/fixtures/changes.rs"]
mod changes;
mod citus;
mod documented;
#[path = "../../../store-kit/tests/fixtures/documented_calls.rs"]
mod documented_calls;
#[path = "../../../store-kit/tests/fixtures/endpoints.rs"]
mod endpoints;
mod feed_plans;
#[path = "../../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
mod order_groups;
mod order_plans;
mod order_sources;
mod orders;
mod overview_plans;
mod places;
mod samples;
#[path = "../../../store-kit/tests/fixtures/order_groups.rs"]
mod shared_order_groups;
mod webhook_reads;
#[path = "../../../store-kit/tests/fixtures/webhook_work.rs"]
mod webhook_work;

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Text;
use pressline_store_kit::StatementScope;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::{PortStatements, SHARED, patient};
use pressline_testkit::{Database, Postgres};

/// Puts the given form of `EXPLAIN` before a statement.
struct Explain<Q>(&'static str, Q);

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.0);
        self.1.walk_ast(out)
    }
}

impl<Q> QueryId for Explain<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> Query for Explain<Q> {
    type SqlType = Text;
}

impl<Q> RunQueryDsl<PgConnection> for Explain<Q> {}

/// Runs `statement` and returns its plan.
fn explained(connection: &mut PgConnection, statement: impl QueryFragment<Pg>) -> String {
    let lines: Vec<String> = Explain("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ", statement)
        .load(connection)
        .unwrap();
    lines.join("\n")
}

/// Returns the ports with statements about any stores, asked about order 100 of the first store.
fn ports() -> PortStatements {
    PortStatements {
        dialect: SHARED,
        scope: StatementScope::AnyStores,
        store: fixtures::store_id(1),
        order: fixtures::parts(100, 1).id,
    }
}

fn migrated_database() -> (Database, PgConnection) {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    runtime().block_on(store.migrate()).unwrap();
    let mut connection = PgConnection::establish(database.url()).unwrap();
    // Same settings as the connections of the store.
    connection
        .batch_execute("SET random_page_cost = 1.1; SET jit = off")
        .unwrap();
    (database, connection)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}
