//! A store behind pgbouncer in transaction mode, which the store must detect without a setting.

use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::{StatementCounter, counted, patient};
use pressline_testkit::{Pooler, Postgres, TestkitError, skip};

/// Returns the number of statements per call, after the first call.
async fn statements_of_a_call((store, counter): &(PostgresStore, StatementCounter)) -> u64 {
    store.cold().facts().await.unwrap();
    let before = counter.total();
    store.cold().facts().await.unwrap();
    counter.total() - before
}

/// Checks a pooler with the additional `settings`.
async fn check(settings: &str) {
    let postgres = Postgres::start().unwrap();
    let pooler = match Pooler::start_with(&postgres, settings) {
        Err(missing @ TestkitError::NoPooler) => return skip("pgbouncer", missing),
        other => other.unwrap(),
    };
    let url = postgres.url("postgres");
    let (login, _) = url.rsplit_once('@').unwrap();
    let pooled_url = format!("{login}@{}/postgres", pooler.address());
    let direct = counted(&url, &patient()).unwrap();
    let pooled = counted(&pooled_url, &patient()).unwrap();
    pooled.0.migrate().await.unwrap();
    assert_eq!(
        statements_of_a_call(&pooled).await,
        statements_of_a_call(&direct).await + 3,
        "each call begins and ends a transaction with settings of its own"
    );
    // The server session that the calls used has none of their settings left.
    let mut other = PgConnection::establish(&pooled_url).unwrap();
    let limit = diesel::dsl::sql::<Text>("current_setting('statement_timeout')");
    assert_eq!(
        diesel::select(limit).get_result(&mut other),
        Ok("0".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_refuses_startup_parameters_is_detected() {
    check("").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_ignores_startup_parameters_is_detected() {
    check("ignore_startup_parameters = options\n").await;
}
