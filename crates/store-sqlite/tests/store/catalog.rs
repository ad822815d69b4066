//! What the contract cannot show of the catalog: statements counted, imports that end midway.

use std::path::PathBuf;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::money::Amount;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::store::StoreDirectory;
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

use crate::products::{ReadStatements, count, found, prices, stepwise, tees, version};
use crate::{fixtures, products};

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

#[tokio::test(flavor = "multi_thread")]
async fn every_change_takes_a_bounded_number_of_statements() {
    /// BEGIN, the version, the variants of the products that are active and retired, COMMIT.
    const COMPARED: u64 = 5;
    /// The right to import: BEGIN, dead imports, the right, the generation, COMMIT. To publish: BEGIN,
    /// the right, the version, COMMIT. To delete what was replaced: twice BEGIN, the right, the rows,
    /// COMMIT. To give the right back: BEGIN, the right, COMMIT.
    const WRITTEN: u64 = 5 + 4 + 2 * 4 + 3;
    /// BEGIN, the right, 3 times 32 and 3 rows and 1, COMMIT.
    const PORTION: u64 = 8;
    /// As other rows, after the numbers of free rows.
    const VARIANTS: u64 = PORTION + 2;
    let (_folder, _, store) = prepared();
    let options = ImportOptions::default();
    let mut before = store.statements();
    let mut taken = || {
        let taken = store.statements() - before;
        before += taken;
        taken
    };
    store.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100 + WRITTEN + VARIANTS + 100,
        "of each a look and its words"
    );
    store.import(&tees(100, "Tee"), &options).await.unwrap();
    assert_eq!(taken(), COMPARED + 100, "nothing is written");
    let price = Amount::from_minor(5).ok();
    let dearer = |tee: Variant| tee.changed(|tee| tee.price = price).unwrap();
    let dearer: Vec<Variant> = tees(100, "Tee").into_iter().map(dearer).collect();
    store.import(&dearer, &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100 + WRITTEN + VARIANTS + 100 * 2,
        "of each the row that ends, and whether its words stay"
    );
    store.import(&tees(100, "Shirt"), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED + 100 + WRITTEN + VARIANTS + 100 * 4,
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
    store.set_prices(&prices(100), &options).await.unwrap();
    assert_eq!(
        taken(),
        COMPARED - 2 + 100 + WRITTEN + PORTION,
        "prices have no products"
    );
    store
        .set_fees(&[(None, Some(&FeeSchedule::default()))])
        .await
        .unwrap();
    store.set_shipping(&ShippingRates::default()).await.unwrap();
    assert_eq!(taken(), 2 * 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_takes_a_fixed_number_of_statements() {
    let (_folder, _, store) = prepared();
    let options = ImportOptions::default();
    store.import(&tees(100, "Tee"), &options).await.unwrap();
    store.set_prices(&prices(10), &options).await.unwrap();
    let expected = ReadStatements {
        // BEGIN, version, rates, fees, variants, prices, COMMIT.
        offer: 7,
        offer_alone: 5,
        page: 5,
        empty_page: 4,
    };
    products::reads_take(&store, || store.statements(), &expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_whose_caller_has_given_up_changes_nothing() {
    let (_folder, _, store) = prepared();
    store
        .import(&tees(10, "Tee"), &ImportOptions::default())
        .await
        .unwrap();
    let before = version(&store).await;
    let (options, mut reported, go_on) = stepwise();
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.import(&tees(3000, "Shirt"), &options).await })
    };
    products::until_partly_written(&mut reported, &go_on).await;
    // Readers do not see what is being written, and a dry run does not wait for it.
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
    assert_eq!(reported.recv().await, None);
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
    let options = ImportOptions::default();
    let dry_run = ImportOptions {
        dry_run: true,
        ..options.clone()
    };
    let before = store.statements();
    store.import(&tees(1, "Tee"), &dry_run).await.unwrap();
    let comparing = store.statements() - before;
    let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    let order = store.cold().add(&fixtures::store(1)).await;
    assert!(
        matches!(order, Err(RepositoryError::Unavailable(_))),
        "{order:?}"
    );
    let before = store.statements();
    let importing = store.clone();
    let importing = tokio::spawn(async move { importing.import(&tees(1, "Tee"), &options).await });
    // It has compared, and tried to begin its transaction several times.
    while store.statements() <= before + comparing + 3 {
        tokio::task::yield_now().await;
    }
    other.batch_execute("COMMIT").unwrap();
    assert_eq!(importing.await.unwrap().unwrap().added, 1);
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
    let (options, mut compared, go_on) = stepwise();
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

/// Orders wait for a portion of an import at most: between two of them the file is not locked.
#[tokio::test(flavor = "multi_thread")]
async fn orders_are_stored_while_an_import_is_written() {
    let (_folder, _, store) = prepared();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let options = ImportOptions::default();
    store.import(&tees(3000, "Tee"), &options).await.unwrap();
    let before = version(&store).await;
    let (options, mut reported, go_on) = stepwise();
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.import(&tees(3000, "Shirt"), &options).await })
    };
    products::until_partly_written(&mut reported, &go_on).await;
    for number in 1..=3 {
        let order = OrderWrite::create(fixtures::order(number, 1)).priced_with(before);
        store.write(order).await.unwrap();
    }
    // The documents of the catalog change meanwhile, and nothing of the import is in effect.
    let fees = FeeSchedule::default();
    store
        .set_fees(&[(Some(fixtures::store_id(1)), Some(&fees))])
        .await
        .unwrap();
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
    let outdated = OrderWrite::create(fixtures::order(9, 1)).priced_with(before);
    let refused = store.write(outdated).await;
    assert!(
        matches!(refused, Err(RepositoryError::CatalogChanged)),
        "{refused:?}"
    );
}

/// Rows as an import leaves them that is killed after a portion: one that ends, and a new one.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_import_has_left_has_no_effect() {
    let (_folder, path, store) = prepared();
    let options = ImportOptions::default();
    store.import(&tees(10, "Tee"), &options).await.unwrap();
    store.set_prices(&prices(3), &options).await.unwrap();
    let price_lists = store.prices().await.unwrap();
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
    assert_eq!(store.variants(None, 100).await.unwrap(), tees(10, "Tee"));
    store.import(&tees(11, "Tee"), &options).await.unwrap();
    assert_eq!(store.variants(None, 100).await.unwrap(), tees(11, "Tee"));
    assert_eq!(store.prices().await.unwrap(), price_lists);
    assert_eq!(
        (found(&store, "left").await, found(&store, "tee").await),
        (0, 3)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_corrupt_and_named() {
    let (_folder, path, store) = prepared();
    let of_rows = |statement: &str| statement.replace("UPDATE products", "UPDATE product_rows");
    let execute = |statement: &str| execute(&path, &of_rows(statement));
    products::unreadable_values_are_named(&store, execute).await;
}
