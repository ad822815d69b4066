//! Tests beyond the contract suite: the file and its folder, other processes, concurrent
//! migrations, statement counts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_sqlite::{OpenError, SqliteConfig, SqliteStore};

use crate::files::{File, counted, prepared, unlock};
use crate::orders::{create, find, found};
use crate::{corrupt, fixtures};

/// Waits for the lock for at most `millis` milliseconds.
fn waiting_at_most(millis: u64) -> SqliteConfig {
    SqliteConfig {
        busy_timeout: Duration::from_millis(millis),
        ..SqliteConfig::default()
    }
}

/// Creates order `number` with one item. Returns the number that the service gives it.
async fn number_of_created(store: &SqliteStore, number: u32) -> i64 {
    let order = create(store, number, 1).await.unwrap();
    order.service_order_id.number
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_orders_are_found_after_reopening() {
    // The path is not a URI, so `%23`, `?` and `#` have no special meaning.
    let file = File::named("a/b c/orders %23?mode=ro#.db");
    let store = file.open();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let order = create(&store, 1, 3).await.unwrap();
    drop(store);
    assert!(file.path().is_file());
    let store = file.open();
    assert_eq!(find(&store, 1).await.unwrap(), Some(order));
    assert_eq!(found(&store, "mug").await, 1);
    assert_eq!(number_of_created(&store, 2).await, 2);
}

#[test]
fn an_emptied_table_of_migrations_is_refused_in_words() {
    let file = File::new();
    drop(file.open());
    let mut connection = SqliteConnection::establish(file.path().to_str().unwrap()).unwrap();
    connection
        .batch_execute("DELETE FROM pressline_migrations")
        .unwrap();
    drop(connection);
    let error = SqliteStore::open(file.path(), &SqliteConfig::default()).unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    let cause = source.source().unwrap().to_string();
    assert!(cause.contains("pressline_migrations is empty"), "{cause}");
    let statuses = SqliteStore::migration_statuses(file.path()).unwrap();
    assert_eq!(statuses[0].state.as_str(), "unrecorded");
}

#[test]
fn a_file_that_is_not_a_database_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    let notes = "these are my notes, and they are long enough to be a page ";
    std::fs::write(&text, notes.repeat(100)).unwrap();
    let open = |path: &Path| SqliteStore::open(path, &waiting_at_most(50)).unwrap_err();
    let error = open(&text);
    assert!(
        matches!(error, OpenError::Database(RepositoryError::Refused(_))),
        "{error:?}"
    );
    // The folder of the database is a file.
    let error = open(&text.join("orders.db"));
    assert!(matches!(error, OpenError::Folder { .. }), "{error:?}");
    let error = open(Path::new(""));
    assert!(matches!(error, OpenError::Path(_)), "{error:?}");
    // The path of the database is a folder.
    let error = open(folder.path());
    assert!(
        matches!(error, OpenError::Database(RepositoryError::Unavailable(_))),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrently_started_processes_migrate_once() {
    let file = Arc::new(File::new());
    let mut starting = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let file = Arc::clone(&file);
        starting.spawn_blocking(move || file.open());
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
    let file = File::new();
    let store = file.open();
    let change = |text: &str| file.execute(text);
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
    let (file, store) = prepared(&waiting_at_most(100)).await;
    create(&store, 1, 1).await.unwrap();
    let mut writer = file.lock();
    writer
        .batch_execute("UPDATE stores SET name = 'theirs'")
        .unwrap();
    // Readers see the state before the open transaction.
    assert!(find(&store, 1).await.unwrap().is_some());
    let refused = create(&store, 2, 1).await;
    assert!(
        matches!(refused, Err(RepositoryError::Unavailable(_))),
        "{refused:?}"
    );
    // A store with a long `busy_timeout` writes when the other process has committed.
    let patient = file.open();
    let waiting = tokio::spawn(async move { number_of_created(&patient, 2).await });
    let still_refused = create(&store, 3, 1).await;
    assert!(still_refused.is_err());
    unlock(&mut writer);
    assert_eq!(waiting.await.unwrap(), 2);
    assert_eq!(number_of_created(&store, 3).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_are_counted() {
    let (_file, store, counter) = counted(&SqliteConfig::default()).await;
    create(&store, 1, 1).await.unwrap();
    find(&store, 1).await.unwrap();
    let mut taken = counter.taken();
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
    assert_eq!(found(&store, "mug 2").await, 1);
    assert_eq!(
        taken(),
        7,
        "store, BEGIN, hits, orders, items, states, COMMIT"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn words_follow_their_order_through_vacuum_and_update() {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    let order = create(&store, 1, 1).await.unwrap();
    create(&store, 2, 1).await.unwrap();
    // VACUUM may renumber rows of tables without an explicit integer key.
    file.execute("VACUUM");
    assert_eq!(found(&store, "buyer1@").await, 1);
    let mut parts = order.parts().clone();
    parts.email = Some("pizza.z@example.com".to_owned());
    store
        .write(OrderWrite::change(crate::changes::changed(&order, parts)))
        .await
        .unwrap();
    for (key, orders) in [
        ("buyer1@", 0),
        ("pizza", 1),
        ("PIZZA.Z", 1),
        ("z", 1),
        ("pizzaz", 0),
        ("buyer", 1),
    ] {
        assert_eq!(found(&store, key).await, orders, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    let product = "INSERT INTO product_rows (sku, name, price, currency, areas) \
                   VALUES ('MUG', 'Mug', 1, 'USD', '{}')";
    let execute = |statement: &str| file.execute(statement);
    corrupt::unreadable_values_are_named(&store, &store.cold(), execute, product).await;
}
