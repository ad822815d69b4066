//! The table of statements in ARCHITECTURE.md is right.

use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::test_support::{RecordedTexts, patient, recording};
use pressline_testkit::Postgres;

use crate::documented_calls::Table;
use crate::fixtures;

#[test]
fn the_table_names_only_statements_that_exist() {
    assert_eq!(Table::read().unknown(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_send_the_statements_of_the_table() {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let sent = RecordedTexts::default();
    let store = recording(database.url(), &patient(), &sent).unwrap();
    store.migrate().await.unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    Table::read().check_calls(store, &sent).await;
}
