//! What the contract cannot show of the catalog: statements counted, imports that end midway.
//! of the version before.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

#[expect(dead_code, reason = "these tests need stores, but no orders")]
#[path = "../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;

use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use pressline_domain::catalog::{
    Catalog, CatalogAdmin, CatalogVersion, ImportOptions, Imported, ListPrice, ProductQuery,
    ProductRef, ProductStart, Variant,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::money::Amount;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, ShippingRates};
use pressline_domain::time::Timestamp;
use pressline_kit::words::SearchKey;
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres};

async fn prepared() -> (Database, PostgresStore) {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    store.migrate().await.unwrap();
    (database, store)
}

fn execute(url: &str, statements: &str) {
    PgConnection::establish(url)
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
    ListPrice {
        store: None,
        sku: sku.to_owned(),
        currency: fixtures::store(1).store.currency,
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

async fn version(store: &PostgresStore) -> CatalogVersion {
    store
        .offer(fixtures::store_id(1), &[], None)
        .await
        .unwrap()
        .version
}

async fn found(store: &PostgresStore, key: &str) -> u64 {
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
    let (_database, store) = prepared().await;
    let (options, shop) = (ImportOptions::default(), fixtures::store_id(1));
    version(&store).await;
    let mut before = store.statements();
    let mut taken = || {
        let taken = store.statements() - before;
        before += taken;
        taken
    };
    store.import(&tees(2500, "Tee"), &options).await.unwrap();
    let begun = "BEGIN, times, lock, version, COMMIT, two for a thousand products, and two for each thousand";
    assert_eq!(taken(), 5 + 2 + 3 * 2, "{begun}");
    store.import(&tees(2500, "Tee"), &options).await.unwrap();
    assert_eq!(taken(), 4 + 2 + 3, "nothing is written");
    let retiring = ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    };
    assert_eq!(
        count(&store.import(&tees(500, "Tee"), &retiring).await.unwrap()),
        [0, 0, 500, 2000]
    );
    assert_eq!(
        taken(),
        5 + 2 + 1 + 1 + 2,
        "those that are there, and one for each thousand that go"
    );
    let prices: Vec<ListPrice> = (0..1500)
        .map(|number| price(&format!("TEE-{number:06}"), 5))
        .collect();
    store.set_prices(&prices, &options).await.unwrap();
    assert_eq!(taken(), 5 + 2 * 2);
    store
        .set_fees(&[(None, Some(&FeeSchedule::default()))])
        .await
        .unwrap();
    store.set_shipping(&ShippingRates::default()).await.unwrap();
    assert_eq!(taken(), 2 * (5 + 2));
    let offer = store
        .offer(shop, &["TEE-000001", "TEE-000002", "NONE"], None)
        .await
        .unwrap();
    let prices: Vec<usize> = offer
        .offered
        .iter()
        .map(|offered| offered.prices.len())
        .collect();
    assert_eq!(
        (prices, offer.tariff.is_some(), taken()),
        (vec![1, 1], true, 1)
    );
    let offer = store
        .offer(shop, &["TEE-000001"], Some(offer.version))
        .await
        .unwrap();
    assert_eq!(
        (offer.offered.len(), offer.tariff.is_some(), taken()),
        (1, false, 1)
    );
    store.offer(shop, &[], None).await.unwrap();
    assert_eq!(taken(), 1, "without SKUs");
    for key in ["", "tee", "nothing"] {
        let found = Catalog::search(&store, shop, &query(key)).await.unwrap();
        assert_eq!(
            (found.products.is_empty(), taken()),
            (key == "nothing", 1),
            "{key}"
        );
    }
    for (asked, statements) in [("TEE-00001", 1), ("TEE-00002", 0)] {
        assert!(!store.suggest(asked, 3).await.unwrap().is_empty());
        assert_eq!(taken(), statements, "the SKUs are read once");
    }
}

/// Ends every connection of a database that is amid a transaction.
fn terminate(url: &str) {
    let ended = sql_query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
         AND pid <> pg_backend_pid() AND state = 'idle in transaction'",
    );
    assert_eq!(
        ended
            .execute(&mut PgConnection::establish(url).unwrap())
            .unwrap(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_is_killed_midway_changes_nothing() {
    let (database, store) = prepared().await;
    let options = ImportOptions::default();
    store.import(&tees(1500, "Tee"), &options).await.unwrap();
    let before = version(&store).await;
    let url = database.url().to_owned();
    let kill = move |done: usize| {
        if done == 2000 {
            terminate(&url);
        }
    };
    let progress: Option<Arc<dyn Fn(usize) + Send + Sync>> = Some(Arc::new(kill));
    let options = ImportOptions {
        progress,
        retire_missing: true,
        ..ImportOptions::default()
    };
    let killed = store.import(&tees(3000, "Shirt"), &options).await;
    assert!(
        matches!(killed, Err(RepositoryError::Unavailable(_))),
        "{killed:?}"
    );
    assert_eq!(version(&store).await, before);
    assert_eq!(store.variants(None, 5000).await.unwrap(), tees(1500, "Tee"));
    let prices = store
        .set_prices(&vec![price("A", 1); 1], &ImportOptions::default())
        .await
        .unwrap();
    assert_eq!(count(&prices), [1, 0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_nobody_waits_for_changes_nothing() {
    let (_database, store) = prepared().await;
    let before = version(&store).await;
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Mutex::new(wait);
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
        tokio::spawn(async move { store.import(&tees(3000, "Tee"), &options).await })
    };
    // The first half is the comparison. Then a third of the rows is written.
    for done in [500, 1000, 1500, 2000] {
        assert_eq!(told.recv().await, Some(done));
        if done < 2000 {
            go_on.send(()).unwrap();
        }
    }
    importing.abort();
    assert!(importing.await.unwrap_err().is_cancelled());
    drop(go_on);
    // The channel closes once the import has ended.
    assert_eq!(told.recv().await, None);
    assert_eq!(
        (version(&store).await, found(&store, "").await),
        (before, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn imports_and_other_changes_at_once_follow_each_other() {
    let (database, store) = prepared().await;
    let other = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..4 {
        let store = if number % 2 == 0 {
            store.clone()
        } else {
            other.clone()
        };
        let mut variants = tees(1200, &format!("Tee {number}"));
        if number > 1 {
            variants.truncate(900);
        }
        let options = ImportOptions {
            retire_missing: number > 1,
            ..ImportOptions::default()
        };
        calls.spawn(async move {
            store.import(&variants, &options).await.unwrap();
            let amount = Amount::from_minor(number).unwrap();
            let rules = vec![FeeRule::label_handling(
                fixtures::store(1).store.currency,
                amount,
            )];
            let changed = store
                .set_fees(&[(None, Some(&FeeSchedule { rules }))])
                .await
                .unwrap();
            assert_eq!(changed, 1);
        });
    }
    calls.join_all().await;
    assert_eq!(version(&store).await, CatalogVersion(1 + 8));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_corrupt_and_named() {
    let (database, store) = prepared().await;
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
    execute(database.url(), "UPDATE products SET options = '{'");
    let expected = ("products", "options", "TEE-000000".to_owned());
    assert_eq!(
        corrupt(store.offer(shop, &["TEE-000000"], None).await.map(drop)),
        expected
    );
    assert_eq!(
        corrupt(Catalog::search(&store, shop, &query("tee")).await.map(drop)),
        expected
    );
    execute(
        database.url(),
        "INSERT INTO shipping_rates VALUES (1, '[]')",
    );
    let expected = ("shipping_rates", "document", "1".to_owned());
    assert_eq!(
        corrupt(store.offer(shop, &[], None).await.map(drop)),
        expected
    );
    assert_eq!(corrupt(store.shipping().await.map(drop)), expected);
}
