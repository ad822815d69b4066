//! What the contract cannot show of the catalog: statements counted, imports that end midway.
//! of the version before.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

#[expect(dead_code, reason = "these tests need stores, but no orders")]
#[path = "../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::catalog::{
    Catalog, CatalogAdmin, CatalogVersion, ImportOptions, Imported, ListPrice, ProductQuery,
    ProductRef, ProductStart, Variant,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::money::Amount;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::store::StoreDirectory;
use pressline_domain::time::Timestamp;
use pressline_kit::words::SearchKey;
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

fn prepared() -> (TempDir, PathBuf, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    (folder, path, store)
}

/// Another process, as far as SQLite can tell.
fn execute(path: &std::path::Path, statements: &str) {
    SqliteConnection::establish(path.to_str().unwrap())
        .unwrap()
        .batch_execute(statements)
        .unwrap();
}

/// Variants of products with four each.
fn tees(count: usize, name: &str) -> Vec<Variant> {
    let tee = |number: usize| {
        let product = ProductRef {
            id: format!("TEE-{:05}", number / 4),
            name: Some("Tee".to_owned()),
        };
        Variant {
            product,
            ..Variant::single(&format!("TEE-{number:06}"), name)
        }
    };
    (0..count).map(tee).collect()
}

fn price(sku: &str, units: i64) -> ListPrice {
    let (valid_from, amount) = (
        Timestamp::from_millis(0),
        Amount::from_minor(units).unwrap(),
    );
    let currency = fixtures::store(1).store.currency;
    ListPrice {
        store: None,
        sku: sku.to_owned(),
        currency,
        valid_from,
        amount,
    }
}

fn query(key: &str) -> ProductQuery {
    ProductQuery {
        key: SearchKey::parse(key).unwrap(),
        start: ProductStart::Offset(0),
        size: 20,
    }
}

async fn version(store: &SqliteStore) -> CatalogVersion {
    store
        .offer(fixtures::store_id(1), &[], None)
        .await
        .unwrap()
        .version
}

async fn found(store: &SqliteStore, key: &str) -> u64 {
    Catalog::search(store, fixtures::store_id(1), &query(key))
        .await
        .unwrap()
        .count
}

fn count(imported: &Imported) -> [usize; 4] {
    [
        imported.added,
        imported.changed,
        imported.unchanged,
        imported.retired,
    ]
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
async fn every_call_takes_a_bounded_number_of_statements() {
    /// BEGIN, the version, the variants of the products that are active and retired, COMMIT.
    const COMPARED: u64 = 5;
    /// BEGIN, the version before and after, COMMIT.
    const WRITTEN: u64 = 4;
    let (_folder, _, store) = prepared();
    let (options, shop) = (ImportOptions::default(), fixtures::store_id(1));
    let mut before = store.statements();
    let mut taken = || {
        let taken = store.statements() - before;
        before += taken;
        taken
    };
    store.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100 + WRITTEN + 100 * 3,
        "of each a look, the variant, its number and its words"
    );
    store.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100,
        "nothing is written, and no lock is taken"
    );
    let dearer = |variant| Variant {
        price: Amount::from_minor(5).ok(),
        ..variant
    };
    store
        .import(
            &tees(100, "Tee").into_iter().map(dearer).collect::<Vec<_>>(),
            &options,
        )
        .await
        .unwrap();
    assert_eq!(taken(), COMPARED + 100 + WRITTEN + 100, "the words stay");
    store.import(&tees(100, "Shirt"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100 + WRITTEN + 100 * 3,
        "a look, the variant, its number and its words"
    );
    assert_eq!(
        (
            found(&store, "shirt").await,
            found(&store, "tee shirt").await
        ),
        (25, 25)
    );
    taken();
    let prices: Vec<ListPrice> = (0..100)
        .map(|number| price(&format!("TEE-{number:06}"), 5))
        .collect();
    store.set_prices(&prices, &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED - 2 + 100 + WRITTEN + 100,
        "prices have no products"
    );
    store
        .set_fees(&[(None, Some(&FeeSchedule::default()))])
        .await
        .unwrap();
    store.set_shipping(&ShippingRates::default()).await.unwrap();
    assert_eq!(taken(), 2 * 5);
    let offer = store
        .offer(shop, &["TEE-000001", "TEE-000002", "NONE"], None)
        .await
        .unwrap();
    let prices: Vec<usize> = offer
        .offered
        .iter()
        .map(|offered| offered.prices.len())
        .collect();
    assert_eq!((prices, offer.tariff.is_some()), (vec![1, 1], true));
    assert_eq!(
        taken(),
        7,
        "BEGIN, version, rates, fees, variants, prices, COMMIT"
    );
    let offer = store
        .offer(shop, &["TEE-000001"], Some(offer.version))
        .await
        .unwrap();
    assert_eq!(
        (offer.offered.len(), offer.tariff.is_some(), taken()),
        (1, false, 5)
    );
    for (key, statements) in [("", 5), ("tee", 5), ("nothing", 4)] {
        let found = Catalog::search(&store, shop, &query(key)).await.unwrap();
        assert_eq!(
            (found.products.is_empty(), taken()),
            (key == "nothing", statements),
            "{key}"
        );
    }
    for (asked, statements) in [("TEE-00001", 1), ("TEE-00002", 0)] {
        assert!(!store.suggest(asked, 3).await.unwrap().is_empty());
        assert_eq!(taken(), statements, "the SKUs are read once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_nobody_waits_for_changes_nothing() {
    let (_folder, _, store) = prepared();
    store
        .import(&tees(10, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let before = version(&store).await;
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let (go_on, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let progress = move |done| {
        tell.send(done).unwrap();
        // Until the test says so, or the caller is gone.
        wait.lock().unwrap().recv().ok();
    };
    let options = ImportOptions {
        progress: Some(Arc::new(progress)),
        ..ImportOptions::default()
    };
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.import(&tees(3000, "Shirt"), &options).await })
    };
    // The first half is the comparison. Then a third of the rows is written.
    for done in [500, 1000, 1500, 2000] {
        assert_eq!(told.recv().await, Some(done));
        if done < 2000 {
            go_on.send(()).unwrap();
        }
    }
    // What is being written disturbs nobody who reads, and a dry run does not wait for it.
    assert_eq!(
        (version(&store).await, found(&store, "shirt").await),
        (before, 0)
    );
    let dry_run = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    assert_eq!(
        count(&store.import(&tees(11, "Shirt"), &dry_run).await.unwrap()),
        [1, 10, 0, 0]
    );
    importing.abort();
    assert!(importing.await.unwrap_err().is_cancelled());
    drop(go_on);
    // The channel closes once the import has ended.
    assert_eq!(told.recv().await, None);
    assert_eq!(store.variants(None, 5000).await.unwrap(), tees(10, "Tee"));
    assert_eq!(version(&store).await, before);
    assert_eq!(
        count(
            &store
                .import(&tees(11, "Tee"), &ImportOptions::default())
                .await
                .unwrap()
        ),
        [1, 0, 10, 0]
    );
}

/// Another process writes longer than an order would wait.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_waits_for_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let short = SqliteConfig {
        busy_timeout: Duration::from_millis(1),
        ..SqliteConfig::default()
    };
    let store = SqliteStore::open(&path, &short).unwrap();
    let (locked, holds) = mpsc::channel();
    let other = thread::spawn(move || {
        let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
        other.batch_execute("BEGIN IMMEDIATE").unwrap();
        locked.send(()).unwrap();
        // Long against the wait of an order, short against that of an import.
        thread::sleep(Duration::from_millis(500));
        other.batch_execute("COMMIT").unwrap();
    });
    holds.recv().unwrap();
    let order = store.add(&fixtures::store(1)).await;
    assert!(
        matches!(order, Err(RepositoryError::Unavailable(_))),
        "{order:?}"
    );
    let options = ImportOptions::default();
    assert_eq!(
        store.import(&tees(1, "Tee"), &options).await.unwrap().added,
        1
    );
    other.join().unwrap();
}

/// An import that changes nothing, and the comparison of one that does, need no lock.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_changes_nothing_needs_no_lock() {
    let (_folder, path, store) = prepared();
    let options = ImportOptions::default();
    store.import(&tees(10, "Tee"), &options).await.unwrap();
    let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        count(&store.import(&tees(10, "Tee"), &options).await.unwrap()),
        [0, 0, 10, 0]
    );
    other.batch_execute("COMMIT").unwrap();
}

/// What an import compared itself with changes before it has the lock.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_is_compared_again_where_another_came_in_between() {
    let (_folder, path, store) = prepared();
    store
        .import(&tees(10, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let other = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let (tell, mut compared) = tokio::sync::mpsc::unbounded_channel();
    let (go_on, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let progress = move |_| {
        // Only the first time: then the comparison has been made.
        if tell.send(()).is_ok() {
            wait.lock().unwrap().recv().ok();
        }
    };
    let options = ImportOptions {
        progress: Some(Arc::new(progress)),
        ..ImportOptions::default()
    };
    let importing = tokio::spawn(async move { store.import(&tees(12, "Shirt"), &options).await });
    compared.recv().await.unwrap();
    compared.close();
    assert_eq!(
        count(
            &other
                .import(&tees(11, "Shirt"), &ImportOptions::default())
                .await
                .unwrap()
        ),
        [1, 10, 0, 0]
    );
    drop(go_on);
    assert_eq!(count(&importing.await.unwrap().unwrap()), [1, 0, 11, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_corrupt_and_named() {
    let (_folder, path, store) = prepared();
    store
        .import(&tees(1, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let shop = fixtures::store_id(1);
    let corrupt = |result: Result<(), RepositoryError>| match result {
        Err(RepositoryError::Corrupt {
            table, column, row, ..
        }) => (table, column, row),
        other => panic!("{other:?}"),
    };
    execute(&path, "UPDATE products SET options = '{'");
    let expected = ("products", "options", "TEE-000000".to_owned());
    assert_eq!(
        corrupt(store.offer(shop, &["TEE-000000"], None).await.map(drop)),
        expected
    );
    assert_eq!(
        corrupt(Catalog::search(&store, shop, &query("tee")).await.map(drop)),
        expected
    );
    execute(&path, "INSERT INTO shipping_rates VALUES (1, '[]')");
    let expected = ("shipping_rates", "document", "1".to_owned());
    assert_eq!(
        corrupt(store.offer(shop, &[], None).await.map(drop)),
        expected
    );
    assert_eq!(corrupt(store.shipping().await.map(drop)), expected);
}
