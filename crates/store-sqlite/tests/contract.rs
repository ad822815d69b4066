//! Runs the contract suite of the ports against the SQLite store.

#[path = "../../store-kit/tests/fixtures/adapters.rs"]
mod shared;

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{Adapters, CaseError, lives, order_searches, repositories, run, webhooks};
use pressline_store_sqlite::test_support::{add_endpoint_event, with_chunks};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

fn main() -> ExitCode {
    let usual = repositories("sqlite", || async { fresh() });
    let lives = lives("sqlite", || async { fresh() });
    let small_chunks = order_searches("sqlite_small_chunks", || async {
        let folder = tempfile::tempdir()?;
        let store = with_chunks(&folder.path().join("orders.db"), ORDERS_OF_CHUNK)?;
        Ok(adapters(store, folder))
    });
    let webhooks = webhooks("sqlite", || async {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("orders.db");
        let store = SqliteStore::open(&path, &SqliteConfig::default())?;
        let cold = store.cold();
        Ok(shared::with_webhooks(adapters(store, folder), cold))
    });
    run(usual
        .into_iter()
        .chain(lives)
        .chain(webhooks)
        .chain(small_chunks))
}

fn fresh() -> Result<Adapters, CaseError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("made on the way").join("orders.db");
    let store = SqliteStore::open(&path, &SqliteConfig::default())?;
    Ok(adapters(store, folder))
}

/// Chunk size in orders: small, so that the orders of a case belong to several chunks.
const ORDERS_OF_CHUNK: i64 = 9;

fn adapters(store: SqliteStore, folder: TempDir) -> Adapters {
    let cold = store.cold();
    let add = |store: Arc<SqliteStore>, of, event| async move {
        add_endpoint_event(&store, of, event).await
    };
    shared::adapters(Arc::new(store), cold, add, folder)
}
