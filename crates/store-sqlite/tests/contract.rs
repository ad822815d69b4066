//! The SQLite store under the contract that every adapter keeps.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{Adapters, repositories, run};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

fn main() -> ExitCode {
    run(repositories("sqlite", || async {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made on the way").join("orders.db");
        let store = Arc::new(SqliteStore::open(&path, &SqliteConfig::default())?);
        Ok(Adapters {
            orders: store.clone(),
            stores: store.clone(),
            catalog: store.clone(),
            catalog_admin: store,
            keep: Arc::new(folder),
        })
    }))
}
