//! Catalog tests beyond the contract suite: statement counts, interrupted imports.

use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use pressline_domain::catalog::{CatalogAdmin, CatalogVersion, ImportOptions};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, ShippingRates};
use pressline_domain::value::Amount;
use pressline_store_postgres::test_support::{StatementCounter, patient};
use pressline_store_postgres::{PostgresStore, test_support};
use pressline_testkit::{Database, Postgres};

use crate::products::{ReadStatements, count, found, prices, stepwise, tees, version};
use crate::{fixtures, products};

async fn prepared() -> (Database, PostgresStore) {
    let (database, store, _) = counted().await;
    (database, store)
}

async fn counted() -> (Database, PostgresStore, StatementCounter) {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let (store, counter) = test_support::counted(database.url(), &patient()).unwrap();
    store.migrate().await.unwrap();
    (database, store, counter)
}

fn execute(url: &str, statements: &str) {
    PgConnection::establish(url)
        .unwrap()
        .batch_execute(statements)
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_takes_a_bounded_number_of_statements() {
    let (_database, store, counter) = counted().await;
    let options = ImportOptions::default();
    version(&store).await;
    let mut before = counter.total();
    let mut taken = || {
        let taken = counter.total() - before;
        before += taken;
        taken
    };
    store
        .cold()
        .import(&tees(2500, "Tee"), &options)
        .await
        .unwrap();
    let begun = "BEGIN, times, lock, version, COMMIT, two for a thousand products, and two for each thousand";
    assert_eq!(taken(), 5 + 2 + 3 * 2, "{begun}");
    store
        .cold()
        .import(&tees(2500, "Tee"), &options)
        .await
        .unwrap();
    assert_eq!(taken(), 4 + 2 + 3, "nothing is written");
    let retiring = ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    };
    assert_eq!(
        count(
            &store
                .cold()
                .import(&tees(500, "Tee"), &retiring)
                .await
                .unwrap()
        ),
        [0, 0, 500, 2000]
    );
    assert_eq!(
        taken(),
        5 + 2 + 1 + 1 + 2,
        "those that are there, and one for each thousand that go"
    );
    store
        .cold()
        .set_prices(&prices(1500), &options)
        .await
        .unwrap();
    assert_eq!(taken(), 5 + 2 * 2);
    store
        .cold()
        .set_fees(&[(None, Some(&FeeSchedule::default()))])
        .await
        .unwrap();
    store
        .cold()
        .set_shipping(&ShippingRates::default())
        .await
        .unwrap();
    assert_eq!(taken(), 2 * (5 + 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_takes_one_statement() {
    let (_database, store, counter) = counted().await;
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(500, "Tee"), &options)
        .await
        .unwrap();
    store
        .cold()
        .set_prices(&prices(10), &options)
        .await
        .unwrap();
    let expected = ReadStatements {
        offer: 1,
        offer_alone: 1,
        page: 1,
        empty_page: 1,
    };
    products::reads_take(&store, || counter.total(), &expected).await;
    let before = counter.total();
    version(&store).await;
    assert_eq!(counter.total() - before, 1, "an offer without SKUs");
}

/// Terminates the connection to the database at `url` that is idle in a transaction. There must be
/// exactly one.
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
async fn a_killed_import_changes_nothing() {
    let (database, store) = prepared().await;
    let options = ImportOptions::default();
    store
        .cold()
        .import(&tees(1500, "Tee"), &options)
        .await
        .unwrap();
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
    let killed = store.cold().import(&tees(3000, "Shirt"), &options).await;
    assert!(
        matches!(killed, Err(RepositoryError::Unavailable(_))),
        "{killed:?}"
    );
    assert_eq!(version(&store).await, before);
    assert_eq!(
        store.cold().variants(None, 5000).await.unwrap(),
        tees(1500, "Tee")
    );
    let prices = store
        .cold()
        .set_prices(&prices(1), &ImportOptions::default())
        .await
        .unwrap();
    assert_eq!(count(&prices), [1, 0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_without_a_caller_changes_nothing() {
    let (_database, store) = prepared().await;
    let before = version(&store).await;
    let (options, mut reported, go_on) = stepwise();
    let importing = {
        let store = store.clone();
        tokio::spawn(async move { store.cold().import(&tees(3000, "Tee"), &options).await })
    };
    products::until_partly_written(&mut reported, &go_on).await;
    importing.abort();
    assert!(importing.await.unwrap_err().is_cancelled());
    drop(go_on);
    // The channel closes when the import has ended.
    assert_eq!(reported.recv().await, None);
    assert_eq!(
        (version(&store).await, found(&store, "").await),
        (before, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_imports_and_changes_are_serialized() {
    let (database, store) = prepared().await;
    let other = PostgresStore::connect(database.url(), &patient()).unwrap();
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
            store.cold().import(&variants, &options).await.unwrap();
            let amount = Amount::from_minor(number).unwrap();
            let rules = vec![FeeRule::label_handling(
                fixtures::store(1).store.currency,
                amount,
            )];
            let schedule = FeeSchedule::new(rules).unwrap();
            let changed = store
                .cold()
                .set_fees(&[(None, Some(&schedule))])
                .await
                .unwrap();
            assert_eq!(changed, 1);
        });
    }
    calls.join_all().await;
    assert_eq!(version(&store).await, CatalogVersion(1 + 8));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let (database, store) = prepared().await;
    let execute = |statement: &str| execute(database.url(), statement);
    products::unreadable_values_are_named(&store, &store.cold(), execute).await;
}
