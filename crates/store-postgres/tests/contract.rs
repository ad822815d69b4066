//! The PostgreSQL store under the contract that every adapter keeps.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{Adapters, repositories, run};
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_testkit::Postgres;

fn main() -> ExitCode {
    run(repositories("postgres", || async {
        let database = Postgres::shared()?.create_database()?;
        let store = PostgresStore::connect(database.url(), &patient())?;
        store.migrate().await?;
        let store = Arc::new(store);
        Ok(Adapters {
            orders: store.clone(),
            stores: store.clone(),
            catalog: store.clone(),
            catalog_admin: store,
            keep: Arc::new(database),
        })
    }))
}
