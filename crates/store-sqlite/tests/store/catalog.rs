//! Catalog tests beyond the contract suite: statement counts, interrupted imports.

use std::path::PathBuf;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::Amount;
use pressline_store_sqlite::test_support::StatementCounter;
use pressline_store_sqlite::{SqliteConfig, SqliteStore, test_support};
use tempfile::TempDir;

use crate::products::{ReadStatements, count, found, prices, stepwise, tees, version};
use crate::{fixtures, products};

fn prepared() -> (TempDir, PathBuf, SqliteStore) {
    let (folder, path, store, _) = counted();
    (folder, path, store)
}

fn counted() -> (TempDir, PathBuf, SqliteStore, StatementCounter) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let (store, counter) = test_support::counted(&path, &SqliteConfig::default()).unwrap();
    (folder, path, store, counter)
}

/// Runs `statements` on a second connection, which stands for another process.
fn execute(path: &std::path::Path, statements: &str) {
    SqliteConnection::establish(path.to_str().unwrap())
        .unwrap()
        .batch_execute(statements)
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_takes_a_bounded_number_of_statements() {
    /// BEGIN, the version, the variants of active and of retired products, the stored rows, COMMIT.
    const COMPARED: u64 = 6;
    /// Locking: BEGIN, dead imports, the import lock, the generation, COMMIT. Publishing: BEGIN,
    /// the lock, the version, COMMIT. Deleting replaced rows: twice BEGIN, the lock, the rows,
    /// COMMIT. Unlocking: BEGIN, the lock, COMMIT.
    const WRITTEN: u64 = 5 + 4 + 2 * 4 + 3;
    /// BEGIN, the import lock, rows in statements of 32 (three times), 3 and 1, COMMIT.
    const PORTION: u64 = 8;
    /// Like other rows, after two statements for the numbers of free rows.
    const VARIANTS: u64 = PORTION + 2;
    let (_folder, _, store, counter) = counted();
    let catalog = store.cold();
    let options = ImportOptions::default();
    let mut before = counter.total();
    let mut taken = || {
        let taken = counter.total() - before;
        before += taken;
        taken
    };
    catalog.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100,
        "of each its words"
    );
    catalog.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(taken(), COMPARED, "nothing is written");
    let price = Amount::from_minor(5).ok();
    let dearer = |tee: Variant| tee.changed(|tee| tee.price = price).unwrap();
    let dearer: Vec<Variant> = tees(100, "Tee").into_iter().map(dearer).collect();
    catalog.import(&dearer, &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100 * 2,
        "of each the row that ends, and whether its words stay"
    );
    catalog.import(&tees(100, "Shirt"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100 * 4,
        "of each the row that ends, its words, and those that go"
    );
    assert_eq!(
        (
            found(&store, "shirt").await,
            found(&store, "tee shirt").await
        ),
        (25, 25)
    );
    taken();
    catalog.set_prices(&prices(100), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED - 2 + WRITTEN + PORTION,
        "prices have no products"
    );
    catalog
        .set_fees(&[(None, Some(&FeeSchedule::default()))])
        .await
        .unwrap();
    catalog
        .set_shipping(&ShippingRates::default())
        .await
        .unwrap();
    assert_eq!(taken(), 2 * 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_takes_a_fixed_number_of_statements() {
    let (_folder, _, store, counter) = counted();
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(100, "Tee"), &options)
        .await
        .unwrap();
    store
        .cold()
        .set_prices(&prices(10), &options)
        .await
        .unwrap();
    let expected = ReadStatements {
        // BEGIN, version, rates, fees, variants, prices, COMMIT.
        offer: 7,
        offer_alone: 5,
        page: 5,
        empty_page: 4,
    };
    products::reads_take(&store, || counter.total(), &expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_without_a_caller_changes_nothing() {
    let (_folder, _, store) = prepared();
    store
        .cold()
        .import(&tees(10, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let before = version(&store).await;
    let (options, mut reported, go_on) = stepwise();
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.cold().import(&tees(3000, "Shirt"), &options).await })
    };
    products::until_partly_written(&mut reported, &go_on).await;
    // Readers do not see unpublished rows, and a dry run does not wait for the import.
    assert_eq!(
        (version(&store).await, found(&store, "shirt").await),
        (before, 0)
    );
    let dry_run = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    assert_eq!(
        count(
            &store
                .cold()
                .import(&tees(11, "Shirt"), &dry_run)
                .await
                .unwrap()
        ),
        [1, 10, 0, 0]
    );
    importing.abort();
    assert!(importing.await.unwrap_err().is_cancelled());
    drop(go_on);
    // The channel closes when the import has ended.
    assert_eq!(reported.recv().await, None);
    assert_eq!(
        store.cold().variants(None, 5000).await.unwrap(),
        tees(10, "Tee")
    );
    assert_eq!(version(&store).await, before);
    assert_eq!(
        count(
            &store
                .cold()
                .import(&tees(11, "Tee"), &ImportOptions::default())
                .await
                .unwrap()
        ),
        [1, 0, 10, 0]
    );
}

/// Another process holds the lock longer than an order would wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_waits_for_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    // Other writes wait only 1 ms for the lock.
    let short = SqliteConfig {
        busy_timeout: Duration::from_millis(1),
        ..SqliteConfig::default()
    };
    let (store, counter) = test_support::counted(&path, &short).unwrap();
    let options = ImportOptions::default();
    let dry_run = ImportOptions {
        dry_run: true,
        ..options.clone()
    };
    // Counts the statements of a comparison.
    let before = counter.total();
    store
        .cold()
        .import(&tees(1, "Tee"), &dry_run)
        .await
        .unwrap();
    let comparing = counter.total() - before;
    let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    let order = store.cold().add(&fixtures::store(1)).await;
    assert!(
        matches!(order, Err(RepositoryError::Unavailable(_))),
        "{order:?}"
    );
    let before = counter.total();
    let importing = store.clone();
    let importing =
        tokio::spawn(async move { importing.cold().import(&tees(1, "Tee"), &options).await });
    // The import has compared the rows, and has tried several times to begin its transaction.
    while counter.total() <= before + comparing + 3 {
        tokio::task::yield_now().await;
    }
    other.batch_execute("COMMIT").unwrap();
    assert_eq!(importing.await.unwrap().unwrap().added, 1);
}

/// Neither an import without changes nor the comparison of an import needs the lock.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_changes_nothing_needs_no_lock() {
    let (_folder, path, store) = prepared();
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(10, "Tee"), &options)
        .await
        .unwrap();
    let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        count(
            &store
                .cold()
                .import(&tees(10, "Tee"), &options)
                .await
                .unwrap()
        ),
        [0, 0, 10, 0]
    );
    other.batch_execute("COMMIT").unwrap();
}

/// The rows change between the comparison and the lock, so the import compares again.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_compares_again_after_a_concurrent_import() {
    let (_folder, path, store) = prepared();
    store
        .cold()
        .import(&tees(10, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let other = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let (options, mut compared, go_on) = stepwise();
    let importing =
        tokio::spawn(async move { store.cold().import(&tees(12, "Shirt"), &options).await });
    compared.recv().await.unwrap();
    compared.close();
    assert_eq!(
        count(
            &other
                .cold()
                .import(&tees(11, "Shirt"), &ImportOptions::default())
                .await
                .unwrap()
        ),
        [1, 10, 0, 0]
    );
    drop(go_on);
    assert_eq!(count(&importing.await.unwrap().unwrap()), [1, 0, 11, 0]);
}

/// An order waits for one portion of an import at most: between two portions the file is not
/// locked.
#[tokio::test(flavor = "multi_thread")]
async fn orders_are_stored_while_an_import_is_written() {
    let (_folder, _, store) = prepared();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(3000, "Tee"), &options)
        .await
        .unwrap();
    let before = version(&store).await;
    let (options, mut reported, go_on) = stepwise();
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.cold().import(&tees(3000, "Shirt"), &options).await })
    };
    products::until_partly_written(&mut reported, &go_on).await;
    for number in 1..=3 {
        let order = OrderWrite::create(fixtures::order(number, 1)).priced_with(before);
        store.write(order).await.unwrap();
    }
    // Meanwhile the fees and other documents of the catalog can change. No part of the import is
    // visible.
    let fees = FeeSchedule::default();
    store
        .cold()
        .set_fees(&[(Some(fixtures::store_id(1)), Some(&fees))])
        .await
        .unwrap();
    // 3,000 variants are 750 products.
    assert_eq!(
        (found(&store, "tee").await, found(&store, "shirt").await),
        (750, 0)
    );
    reported.close();
    drop(go_on);
    assert_eq!(count(&importing.await.unwrap().unwrap()), [0, 3000, 0, 0]);
    assert_eq!(
        (found(&store, "tee").await, found(&store, "shirt").await),
        (750, 750)
    );
    // The order was priced before the import.
    let outdated = OrderWrite::create(fixtures::order(9, 1)).priced_with(before);
    let refused = store.write(outdated).await;
    assert!(
        matches!(refused, Err(RepositoryError::CatalogChanged)),
        "{refused:?}"
    );
}

/// Leaves the rows of an import that was killed after a portion: a row with `until` set, and a new
/// row.
#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_killed_import_have_no_effect() {
    let (_folder, path, store) = prepared();
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(10, "Tee"), &options)
        .await
        .unwrap();
    store.cold().set_prices(&prices(3), &options).await.unwrap();
    let price_lists = store.cold().prices().await.unwrap();
    execute(
        &path,
        "INSERT INTO catalog_import VALUES (1, 7, unixepoch() - 3600);
         UPDATE product_rows SET until = 4 WHERE sku = 'TEE-000001';
         INSERT INTO product_rows (row_id, words_id, since, sku, name, currency, areas)
         VALUES (90, 90, 4, 'TEE-000001', 'Left', 'USD', '[]'), (91, 91, 4, 'LEFT', 'Left', 'USD', '[]');
         INSERT INTO product_words (rowid, words) VALUES (90, '0000zleft'), (91, '0000zleft');
         UPDATE price_rows SET until = 4 WHERE sku = 'TEE-000001';
         INSERT INTO price_rows SELECT store_id, sku, currency, valid_from, 9, 4, until FROM price_rows",
    );
    // The rows are neither shown nor kept by the next import.
    assert_eq!(
        store.cold().variants(None, 100).await.unwrap(),
        tees(10, "Tee")
    );
    store
        .cold()
        .import(&tees(11, "Tee"), &options)
        .await
        .unwrap();
    assert_eq!(
        store.cold().variants(None, 100).await.unwrap(),
        tees(11, "Tee")
    );
    assert_eq!(store.cold().prices().await.unwrap(), price_lists);
    assert_eq!(
        (found(&store, "left").await, found(&store, "tee").await),
        (0, 3)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let (_folder, path, store) = prepared();
    let of_rows = |statement: &str| statement.replace("UPDATE products", "UPDATE product_rows");
    let execute = |statement: &str| execute(&path, &of_rows(statement));
    products::unreadable_values_are_named(&store, &store.cold(), execute).await;
}
