//! The PostgreSQL store under the contract that every adapter keeps, in the variant of the run.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{Adapters, CaseError, order_searches, repositories, run};
use pressline_store_postgres::test_support::{patient, with_chunks};
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres, Variant};

fn main() -> ExitCode {
    let usual = repositories("postgres", || async {
        let database = Postgres::shared()?.create_database()?;
        let store = PostgresStore::connect(database.url(), &config(database.variant()))?;
        adapters(store, database).await
    });
    let small_chunks = order_searches("postgres::small_chunks", || async {
        let database = Postgres::shared()?.create_database()?;
        let config = config(database.variant());
        let store = with_chunks(database.url(), &config, ORDERS_OF_CHUNK)?;
        adapters(store, database).await
    });
    run(usual.into_iter().chain(small_chunks))
}

/// So few that the orders of a case belong to several chunks.
const ORDERS_OF_CHUNK: i64 = 9;

fn config(variant: &Variant) -> PostgresConfig {
    let is = |key, value| variant.setting(key) == Some(value);
    PostgresConfig {
        transaction_pooling: is("database.transaction_pooling", "true"),
        prepared_statements: !is("database.prepared_statements", "false"),
        ..patient()
    }
}

async fn adapters(store: PostgresStore, database: Database) -> Result<Adapters, CaseError> {
    store.migrate().await?;
    database.after_migration()?;
    let store = Arc::new(store);
    Ok(Adapters {
        orders: store.clone(),
        stores: store.clone(),
        catalog: store.clone(),
        catalog_admin: store,
        keep: Arc::new(database),
    })
}
