//! Runs the contract suite of the ports against the SQLite store.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{
    Adapters, CaseError, WebhookAdapters, lives, order_searches, repositories, run, webhooks,
};
use pressline_store_sqlite::test_support::{add_endpoint_event, with_chunks};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

fn main() -> ExitCode {
    let usual = repositories("sqlite", || async { fresh() });
    let lives = lives("sqlite", || async { fresh() });
    let small_chunks = order_searches("sqlite_small_chunks", || async {
        let folder = tempfile::tempdir()?;
        let store = with_chunks(&folder.path().join("orders.db"), ORDERS_OF_CHUNK)?;
        Ok(adapters(Arc::new(store), folder))
    });
    let webhooks = webhooks("sqlite", || async {
        let folder = tempfile::tempdir()?;
        let store = Arc::new(SqliteStore::open(
            &folder.path().join("orders.db"),
            &SqliteConfig::default(),
        )?);
        let cold = Arc::new(store.cold());
        Ok(WebhookAdapters {
            endpoints: cold.clone(),
            subscriptions: cold.clone(),
            deliveries: cold.clone(),
            clock: cold,
            adapters: adapters(store, folder),
        })
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
    Ok(adapters(Arc::new(store), folder))
}

/// Chunk size in orders: small, so that the orders of a case belong to several chunks.
const ORDERS_OF_CHUNK: i64 = 9;

fn adapters(store: Arc<SqliteStore>, folder: TempDir) -> Adapters {
    let cold = Arc::new(store.cold());
    Adapters {
        orders: store.clone(),
        queue: store.clone(),
        feed: store.clone(),
        add_endpoint_event: {
            let store = store.clone();
            Arc::new(move |of, event| {
                let store = store.clone();
                Box::pin(async move { add_endpoint_event(&store, of, event).await })
            })
        },
        stores: cold.clone(),
        catalog: store,
        catalog_admin: cold.clone(),
        operators: cold.clone(),
        sessions: cold.clone(),
        accounts: cold.clone(),
        audit: cold.clone(),
        forms: cold.clone(),
        uploads: cold.clone(),
        tasks: cold.clone(),
        notes: cold.clone(),
        progress: cold.clone(),
        batches: cold.clone(),
        overview: cold.clone(),
        figures: cold,
        keep: Arc::new(folder),
    }
}
