//! Tests beyond the contract suite: the file and its folder, other processes, concurrent
//! migrations, statement counts.

use std::path::Path;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_sqlite::test_support::counted;
use pressline_store_sqlite::{OpenError, SqliteConfig, SqliteStore};

use crate::{corrupt, fixtures};

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &SqliteConfig::default()).unwrap()
}

/// Opens a second connection, which stands for another process.
fn other(path: &Path) -> SqliteConnection {
    SqliteConnection::establish(path.to_str().unwrap()).unwrap()
}

async fn create(store: &SqliteStore, number: u32, items: u32) -> Result<Order, RepositoryError> {
    store
        .write(OrderWrite::create(fixtures::order(number, items)))
        .await
}

async fn find(store: &SqliteStore, number: u32) -> Result<Option<Order>, RepositoryError> {
    let lookup = Lookup {
        order_id: format!("shop-1-{number}"),
        number: None,
    };
    OrderRepository::find(store, fixtures::store_id(1), &lookup).await
}

async fn search(store: &SqliteStore, key: &str) -> Result<usize, RepositoryError> {
    let found =
        OrderRepository::search(store, fixtures::store_id(1), &corrupt::matching(key)).await;
    Ok(found?.orders.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_orders_are_found_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    // The path is not a URI, so `%23`, `?` and `#` have no special meaning.
    let path = folder.path().join("a/b c/orders %23?mode=ro#.db");
    let store = open(&path);
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let order = create(&store, 1, 3).await.unwrap();
    drop(store);
    assert!(path.is_file());
    let store = open(&path);
    assert_eq!(find(&store, 1).await.unwrap(), Some(order));
    assert_eq!(search(&store, "mug").await.unwrap(), 1);
    assert_eq!(
        create(&store, 2, 1).await.unwrap().service_order_id.number,
        2
    );
}

#[test]
fn a_file_that_is_not_a_database_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(
        &text,
        "these are my notes, and they are long enough to be a page ".repeat(100),
    )
    .unwrap();
    let config = SqliteConfig {
        busy_timeout: Duration::from_millis(50),
        ..SqliteConfig::default()
    };
    let error = SqliteStore::open(&text, &config).unwrap_err();
    assert!(
        matches!(error, OpenError::Database(RepositoryError::Refused(_))),
        "{error:?}"
    );
    // The folder of the database is a file.
    let error = SqliteStore::open(&text.join("orders.db"), &config).unwrap_err();
    assert!(matches!(error, OpenError::Folder { .. }), "{error:?}");
    let error = SqliteStore::open(Path::new(""), &config).unwrap_err();
    assert!(matches!(error, OpenError::Path(_)), "{error:?}");
    // The path of the database is a folder.
    let error = SqliteStore::open(folder.path(), &config).unwrap_err();
    assert!(
        matches!(error, OpenError::Database(RepositoryError::Unavailable(_))),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrently_started_processes_migrate_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let mut starting = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let path = path.clone();
        starting.spawn_blocking(move || open(&path));
    }
    let mut applied = Vec::new();
    for store in starting.join_all().await {
        applied.extend(store.migrate().await.unwrap());
        assert_eq!(store.pending().await.unwrap(), Vec::<String>::new());
        assert_eq!(store.migrate().await.unwrap(), Vec::<String>::new());
    }
    assert_eq!(applied, ["0001_initial"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_ready_with_additional_but_not_with_missing_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = open(&path);
    let change = |text: &str| other(&path).batch_execute(text).unwrap();
    // A newer program has applied a further migration: the store serves, but does not migrate.
    change(
        "INSERT INTO pressline_migrations (name, hash, applied_at) VALUES ('9999_newer', '', 0)",
    );
    store.ping().await.unwrap();
    refused(store.pending().await, "the migration 9999_newer");
    refused(store.migrate().await, "the migration 9999_newer");
    // The text of the migration differs from the applied text.
    change(
        "DELETE FROM pressline_migrations WHERE name = '9999_newer';
         UPDATE pressline_migrations SET hash = 'of another text'",
    );
    refused(store.ping().await, "its migration 0001_initial is not");
    refused(store.pending().await, "its migration 0001_initial is not");
    change("DROP TABLE pressline_migrations");
    refused(store.pending().await, "its migration 0001_initial is not");
    change("DROP TABLE stores");
    refused(store.ping().await, "lacks migrations: 0001_initial");
}

fn refused<T: std::fmt::Debug>(answer: Result<T, RepositoryError>, reason: &str) {
    let refused = matches!(&answer, Err(RepositoryError::Unavailable(why)) if why.to_string().contains(reason));
    assert!(refused, "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_process_writes_readers_read_and_writers_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let config = SqliteConfig {
        busy_timeout: Duration::from_millis(100),
        ..SqliteConfig::default()
    };
    let store = SqliteStore::open(&path, &config).unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    create(&store, 1, 1).await.unwrap();
    let mut writer = other(&path);
    writer
        .batch_execute("BEGIN IMMEDIATE; UPDATE stores SET name = 'theirs'")
        .unwrap();
    // Readers see the state before the open transaction.
    assert!(find(&store, 1).await.unwrap().is_some());
    let refused = create(&store, 2, 1).await;
    assert!(
        matches!(refused, Err(RepositoryError::Unavailable(_))),
        "{refused:?}"
    );
    // A store with a long `busy_timeout` writes when the other process has committed.
    let patient = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let waiting = tokio::spawn(async move { create(&patient, 2, 1).await });
    let still_refused = create(&store, 3, 1).await;
    assert!(still_refused.is_err());
    writer.batch_execute("COMMIT").unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().service_order_id.number, 2);
    assert_eq!(
        create(&store, 3, 1).await.unwrap().service_order_id.number,
        3
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let (store, counter) = counted(&path, &SqliteConfig::default()).unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    create(&store, 1, 1).await.unwrap();
    find(&store, 1).await.unwrap();
    let mut before = counter.total();
    let mut taken = || {
        let taken = counter.total() - before;
        before += taken;
        taken
    };
    create(&store, 2, 3).await.unwrap();
    assert_eq!(
        taken(),
        9,
        "BEGIN, counters, order, items, state, event, words, merged words, COMMIT"
    );
    create(&store, 2, 3).await.unwrap_err();
    assert_eq!(taken(), 5, "BEGIN, counters, order, those added, ROLLBACK");
    find(&store, 2).await.unwrap();
    assert_eq!(taken(), 4, "BEGIN, order with its state, items, COMMIT");
    assert_eq!(search(&store, "mug 2").await.unwrap(), 1);
    assert_eq!(
        taken(),
        7,
        "store, BEGIN, hits, orders, items, states, COMMIT"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn words_follow_their_order_through_vacuum_and_update() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = open(&path);
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let order = create(&store, 1, 1).await.unwrap();
    create(&store, 2, 1).await.unwrap();
    // VACUUM may renumber rows of tables without an explicit integer key.
    other(&path).batch_execute("VACUUM").unwrap();
    assert_eq!(search(&store, "buyer1@").await.unwrap(), 1);
    let mut parts = order.parts().clone();
    parts.email = Some("pizza.z@example.com".to_owned());
    store
        .write(OrderWrite::change(crate::changes::changed(&order, parts)))
        .await
        .unwrap();
    for (key, found) in [
        ("buyer1@", 0),
        ("pizza", 1),
        ("PIZZA.Z", 1),
        ("z", 1),
        ("pizzaz", 0),
        ("buyer", 1),
    ] {
        assert_eq!(search(&store, key).await.unwrap(), found, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = open(&path);
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let product = "INSERT INTO product_rows (sku, name, price, currency, areas) \
                   VALUES ('MUG', 'Mug', 1, 'USD', '{}')";
    let execute = |statement: &str| other(&path).batch_execute(statement).unwrap();
    corrupt::unreadable_values_are_named(&store, &store.cold(), execute, product).await;
}
