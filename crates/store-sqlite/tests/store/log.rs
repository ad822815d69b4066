//! The write-ahead log stays short under all kinds of writes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

use crate::files::prepared;
use crate::fixtures;

/// Length of the log, in bytes, from which a commit copies it to the database.
const LOG_LIMIT: u64 = 4000 * 4096;
/// Maximum wait for the thread that copies the log.
const PATIENCE: Duration = Duration::from_secs(20);

/// Stores an order of about 800 KB.
async fn create(store: &SqliteStore, number: u32) {
    let mut parts = fixtures::order(number, 100).parts().clone();
    let url = format!("https://example.com/{}", "a".repeat(1980));
    for item in &mut parts.items {
        item.file_urls = vec![url.clone(); 4];
    }
    let order = fixtures::placed(parts);
    store.write(OrderWrite::create(order)).await.unwrap();
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

fn log_of(database: &Path) -> PathBuf {
    database.with_extension("db-wal")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_stays_short_under_constant_writes() {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    for number in 1..=80 {
        create(&store, number).await;
    }
    let (database, log) = (length(file.path()), length(&log_of(file.path())));
    assert!(log < 2 * LOG_LIMIT, "the log has {log} bytes");
    assert!(database > 2 * LOG_LIMIT, "the file has {database} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_background_thread_checkpoints_before_a_commit_must() {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    for number in 1..=8 {
        create(&store, number).await;
    }
    assert!(length(&log_of(file.path())) < LOG_LIMIT);
    let begin = Instant::now();
    while length(file.path()) < LOG_LIMIT / 4 {
        assert!(begin.elapsed() < PATIENCE, "nothing is copied");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
