//! Databases of the tests, and statements on connections of their own.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::test_support::{self, StatementCounter};
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres};

use crate::fixtures;

pub(crate) fn database() -> Database {
    Postgres::shared().unwrap().create_database().unwrap()
}

/// Creates the tables, and adds the stores 1 to `shops`.
pub(crate) async fn prepare(store: &PostgresStore, shops: u32) {
    store.migrate().await.unwrap();
    for number in 1..=shops {
        store.cold().add(&fixtures::store(number)).await.unwrap();
    }
}

/// Connects to a new database with the stores 1 to `shops`.
pub(crate) async fn prepared(config: &PostgresConfig, shops: u32) -> (Database, PostgresStore) {
    let (database, store, _) = counted(config, shops).await;
    (database, store)
}

/// Same as [`prepared`], with the counter of the statements.
pub(crate) async fn counted(
    config: &PostgresConfig,
    shops: u32,
) -> (Database, PostgresStore, StatementCounter) {
    let database = database();
    let (store, counter) = test_support::counted(database.url(), config).unwrap();
    prepare(&store, shops).await;
    (database, store, counter)
}

pub(crate) fn connection(database: &Database) -> PgConnection {
    PgConnection::establish(database.url()).unwrap()
}

pub(crate) fn execute(database: &Database, statements: &str) {
    connection(database).batch_execute(statements).unwrap();
}

/// Executes `statement` in a transaction that stays open, as a transaction of another process.
pub(crate) fn begin(database: &Database, statement: &str) -> PgConnection {
    let mut blocker = connection(database);
    blocker
        .batch_execute(&format!("BEGIN; {statement}"))
        .unwrap();
    blocker
}

pub(crate) fn commit(blocker: &mut PgConnection) {
    blocker.batch_execute("COMMIT").unwrap();
}

pub(crate) fn number(connection: &mut PgConnection, expression: &str) -> i64 {
    let expression = sql::<BigInt>(&format!("({expression})::bigint"));
    diesel::select(expression).get_result(connection).unwrap()
}

/// Returns the number of connections that wait for a lock. Uses a new connection, because within a
/// transaction the view does not change.
pub(crate) fn waiting_for_locks(database: &Database) -> i64 {
    let count = "SELECT count(*) FROM pg_stat_activity \
                 WHERE wait_event_type = 'Lock' AND datname = current_database()";
    number(&mut connection(database), count)
}
