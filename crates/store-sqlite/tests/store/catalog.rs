//! Catalog tests beyond the contract suite: statement counts, interrupted imports.

use std::time::Duration;

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::pricing::tariff::FeeSchedule;
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::Amount;
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

use crate::files::{File, prepared, unlock};
use crate::products::{
    ReadStatements, StepwiseImport, count, found, import, import_with, set_prices, set_tariff,
    tees, version,
};
use crate::{fixtures, products};

fn start_import(store: &SqliteStore, variants: Vec<Variant>) -> StepwiseImport {
    StepwiseImport::start(store.cold(), variants, ImportOptions::default())
}

fn dry_run() -> ImportOptions {
    ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    }
}

/// Opens a store of a new file, without shops. Returns the store after its file, which must live as
/// long.
fn opened() -> (File, SqliteStore) {
    let file = File::new();
    let store = file.open();
    (file, store)
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
    /// Like other rows, after a statement for the numbers of free rows.
    const VARIANTS: u64 = PORTION + 1;
    let file = File::new();
    let (store, counter) = file.counted(&SqliteConfig::default());
    let catalog = store.cold();
    let mut taken = counter.taken();
    import(&catalog, &tees(100, "Tee")).await;
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100,
        "of each its words"
    );
    import(&catalog, &tees(100, "Tee")).await;
    assert_eq!(taken(), COMPARED, "nothing is written");
    let price = Amount::from_minor(5).ok();
    let dearer = |tee: Variant| tee.changed(|tee| tee.price = price).unwrap();
    let dearer: Vec<Variant> = tees(100, "Tee").into_iter().map(dearer).collect();
    import(&catalog, &dearer).await;
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100 * 2,
        "of each the row that ends, and whether its words stay"
    );
    import(&catalog, &tees(100, "Shirt")).await;
    assert_eq!(
        taken(),
        COMPARED + WRITTEN + VARIANTS + 100 * 3,
        "of each the row that ends, its words, and those that go"
    );
    assert_eq!(found(&store, "shirt").await, 25);
    assert_eq!(found(&store, "tee shirt").await, 25);
    taken();
    set_prices(&catalog, 100).await;
    assert_eq!(
        taken(),
        COMPARED - 2 + WRITTEN + PORTION,
        "prices have no products"
    );
    set_tariff(&catalog).await;
    assert_eq!(taken(), 2 * 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_takes_a_fixed_number_of_statements() {
    let file = File::new();
    let (store, counter) = file.counted(&SqliteConfig::default());
    let expected = ReadStatements {
        // BEGIN, version, rates, fees, variants, prices, COMMIT.
        offer: 7,
        offer_alone: 5,
        page: 5,
        empty_page: 4,
    };
    products::reads_take(&store, &store.cold(), counter.taken(), &expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_without_a_caller_changes_nothing() {
    let (_file, store) = opened();
    let catalog = store.cold();
    import(&catalog, &tees(10, "Tee")).await;
    let before = version(&store).await;
    let mut importing = start_import(&store, tees(3000, "Shirt"));
    importing.until_partly_written().await;
    // Readers do not see unpublished rows, and a dry run does not wait for the import.
    assert_eq!(
        (version(&store).await, found(&store, "shirt").await),
        (before, 0)
    );
    let compared = import_with(&catalog, &tees(11, "Shirt"), &dry_run()).await;
    assert_eq!(compared, [1, 10, 0, 0]);
    importing.abort().await;
    let variants = catalog.variants(None, 5000).await.unwrap();
    assert_eq!(variants, tees(10, "Tee"));
    assert_eq!(version(&store).await, before);
    assert_eq!(import(&catalog, &tees(11, "Tee")).await, [1, 0, 10, 0]);
}

/// Another process holds the lock longer than an order would wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_waits_for_the_lock() {
    let file = File::new();
    // Other writes wait only 1 ms for the lock.
    let short = SqliteConfig {
        busy_timeout: Duration::from_millis(1),
        ..SqliteConfig::default()
    };
    let (store, counter) = file.counted(&short);
    // Counts the statements of a comparison.
    let mut taken = counter.taken();
    import_with(&store.cold(), &tees(1, "Tee"), &dry_run()).await;
    let comparing = taken();
    let mut other = file.lock();
    let order = store.cold().add(&fixtures::store(1)).await;
    assert!(
        matches!(order, Err(RepositoryError::Unavailable(_))),
        "{order:?}"
    );
    let before = counter.total();
    let catalog = store.cold();
    let importing = tokio::spawn(async move { import(&catalog, &tees(1, "Tee")).await });
    // The import has compared the rows, and has tried several times to begin its transaction.
    while counter.total() <= before + comparing + 3 {
        tokio::task::yield_now().await;
    }
    unlock(&mut other);
    assert_eq!(importing.await.unwrap(), [1, 0, 0, 0]);
}

/// Neither an import without changes nor the comparison of an import needs the lock.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_changes_nothing_needs_no_lock() {
    let (file, store) = opened();
    import(&store.cold(), &tees(10, "Tee")).await;
    let mut other = file.lock();
    let imported = import(&store.cold(), &tees(10, "Tee")).await;
    assert_eq!(imported, [0, 0, 10, 0]);
    unlock(&mut other);
}

/// The rows change between the comparison and the lock, so the import compares again.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_compares_again_after_a_concurrent_import() {
    let (file, store) = opened();
    import(&store.cold(), &tees(10, "Tee")).await;
    let mut importing = start_import(&store, tees(12, "Shirt"));
    // The import has compared the rows.
    importing.reported.recv().await.unwrap();
    let concurrent = import(&file.open().cold(), &tees(11, "Shirt")).await;
    assert_eq!(concurrent, [1, 10, 0, 0]);
    let imported = importing.finish().await.unwrap();
    assert_eq!(count(&imported), [1, 0, 11, 0]);
}

/// An order waits for one portion of an import at most: between two portions the file is not
/// locked.
#[tokio::test(flavor = "multi_thread")]
async fn orders_are_stored_while_an_import_is_written() {
    let (_file, store) = prepared(&SqliteConfig::default()).await;
    import(&store.cold(), &tees(3000, "Tee")).await;
    let before = version(&store).await;
    let mut importing = start_import(&store, tees(3000, "Shirt"));
    importing.until_partly_written().await;
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
    let imported = importing.finish().await.unwrap();
    assert_eq!(count(&imported), [0, 3000, 0, 0]);
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
    let (file, store) = opened();
    let catalog = store.cold();
    import(&catalog, &tees(10, "Tee")).await;
    set_prices(&catalog, 3).await;
    let price_lists = catalog.prices().await.unwrap();
    file.execute(
        "INSERT INTO catalog_import VALUES (1, 7, unixepoch() - 3600);
         UPDATE product_rows SET until = 4 WHERE sku = 'TEE-000001';
         INSERT INTO product_rows (row_id, words_id, since, sku, name, currency, areas)
         VALUES (90, 90, 4, 'TEE-000001', 'Left', 'USD', '[]'), (91, 91, 4, 'LEFT', 'Left', 'USD', '[]');
         INSERT INTO product_words (rowid, words) VALUES (90, '0000zleft'), (91, '0000zleft');
         UPDATE price_rows SET until = 4 WHERE sku = 'TEE-000001';
         INSERT INTO price_rows SELECT store_id, sku, currency, valid_from, 9, 4, until FROM price_rows",
    );
    // The rows are neither shown nor kept by the next import.
    let variants = catalog.variants(None, 100).await.unwrap();
    assert_eq!(variants, tees(10, "Tee"));
    import(&catalog, &tees(11, "Tee")).await;
    let variants = catalog.variants(None, 100).await.unwrap();
    assert_eq!(variants, tees(11, "Tee"));
    assert_eq!(catalog.prices().await.unwrap(), price_lists);
    assert_eq!(
        (found(&store, "left").await, found(&store, "tee").await),
        (0, 3)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let (file, store) = opened();
    let of_rows = |statement: &str| statement.replace("UPDATE products", "UPDATE product_rows");
    let execute = |statement: &str| file.execute(&of_rows(statement));
    products::unreadable_values_are_named(&store, &store.cold(), execute).await;
}
