//! Catalog tests beyond the contract suite: statement counts, interrupted imports.

use diesel::prelude::*;
use diesel::sql_query;
use pressline_domain::catalog::{CatalogAdmin, CatalogVersion, ImportOptions};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule};
use pressline_domain::value::Amount;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_testkit::Database;

use crate::databases::{connection, counted, execute, prepared};
use crate::products::{
    ReadStatements, StepwiseImport, found, import, import_with, set_prices, set_tariff, tees,
    version,
};
use crate::{fixtures, products};

fn retiring() -> ImportOptions {
    ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_takes_a_bounded_number_of_statements() {
    let (_database, store, counter) = counted(&patient(), 0).await;
    let catalog = store.cold();
    version(&store).await;
    let mut taken = counter.taken();
    import(&catalog, &tees(2500, "Tee")).await;
    let begun = "BEGIN, times, lock, version, COMMIT, two for a thousand products, and two for each thousand";
    assert_eq!(taken(), 5 + 2 + 3 * 2, "{begun}");
    import(&catalog, &tees(2500, "Tee")).await;
    assert_eq!(taken(), 4 + 2 + 3, "nothing is written");
    let retired = import_with(&catalog, &tees(500, "Tee"), &retiring()).await;
    assert_eq!(retired, [0, 0, 500, 2000]);
    assert_eq!(
        taken(),
        5 + 2 + 1 + 1 + 2,
        "those that are there, and one for each thousand that go"
    );
    set_prices(&catalog, 1500).await;
    assert_eq!(taken(), 5 + 2 * 2);
    set_tariff(&catalog).await;
    assert_eq!(taken(), 2 * (5 + 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_takes_one_statement() {
    let (_database, store, counter) = counted(&patient(), 0).await;
    let expected = ReadStatements {
        offer: 1,
        offer_alone: 1,
        page: 1,
        empty_page: 1,
    };
    products::reads_take(&store, &store.cold(), counter.taken(), &expected).await;
    let mut taken = counter.taken();
    version(&store).await;
    assert_eq!(taken(), 1, "an offer without SKUs");
}

/// Terminates the connection that is idle in a transaction. There must be exactly one.
fn terminate(database: &Database) {
    let ended = sql_query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
         AND pid <> pg_backend_pid() AND state = 'idle in transaction'",
    );
    assert_eq!(ended.execute(&mut connection(database)).unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_import_changes_nothing() {
    let (database, store) = prepared(&patient(), 0).await;
    let catalog = store.cold();
    import(&catalog, &tees(1500, "Tee")).await;
    let before = version(&store).await;
    let mut importing = StepwiseImport::start(store.cold(), tees(3000, "Shirt"), retiring());
    importing.until_partly_written().await;
    terminate(&database);
    let killed = importing.finish().await;
    assert!(
        matches!(killed, Err(RepositoryError::Unavailable(_))),
        "{killed:?}"
    );
    assert_eq!(version(&store).await, before);
    let variants = catalog.variants(None, 5000).await.unwrap();
    assert_eq!(variants, tees(1500, "Tee"));
    assert_eq!(set_prices(&catalog, 1).await, [1, 0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_without_a_caller_changes_nothing() {
    let (_database, store) = prepared(&patient(), 0).await;
    let before = version(&store).await;
    let options = ImportOptions::default();
    let mut importing = StepwiseImport::start(store.cold(), tees(3000, "Tee"), options);
    importing.until_partly_written().await;
    importing.abort().await;
    assert_eq!(
        (version(&store).await, found(&store, "").await),
        (before, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_imports_and_changes_are_serialized() {
    let (database, store) = prepared(&patient(), 0).await;
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
        let options = match number {
            0..=1 => ImportOptions::default(),
            _ => retiring(),
        };
        calls.spawn(async move {
            import_with(&store.cold(), &variants, &options).await;
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
    let (database, store) = prepared(&patient(), 0).await;
    let execute = |statement: &str| execute(&database, statement);
    products::unreadable_values_are_named(&store, &store.cold(), execute).await;
}
