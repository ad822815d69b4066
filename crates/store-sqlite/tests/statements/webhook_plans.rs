//! Pins the query plans of webhook subscriptions, messages and deliveries: by key. SQLite's plans
//! do not depend on the number of rows, because the service keeps no table statistics.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use pressline_backoffice::webhook::{EndpointDirectory, SubscriptionKey, SubscriptionRepository};
use pressline_domain::store::StoreDirectory;
use pressline_store_sqlite::ColdStore;
use pressline_store_sqlite::test_support::{RecordedTexts, open, recording};

use crate::endpoints::{NOW, endpoint};
use crate::fixtures;
use crate::webhook_work::{ask, prune, work};

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Tables with a row per subscription, message, delivery, event or order, and their aliases in
/// statements.
const LARGE: [&str; 10] = [
    "webhook_subscriptions",
    "subscription",
    "webhook_messages",
    "message",
    "earlier",
    "webhook_deliveries",
    "taken",
    "order_events",
    "orders",
    "order_states",
];

/// Returns the plan steps of all statements that `calls` sends, each with its statement.
fn plans(calls: impl AsyncFnOnce(&ColdStore, SubscriptionKey)) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let texts = RecordedTexts::default();
    let store = recording(&path, &texts).unwrap().cold();
    let record = endpoint(fixtures::store_id(1));
    let subscription = SubscriptionKey {
        store: fixtures::store_id(1),
        endpoint: record.endpoint.id,
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        StoreDirectory::add(&store, &fixtures::store(1))
            .await
            .unwrap();
        EndpointDirectory::add(&store, &record, 10).await.unwrap();
        texts.lock().unwrap().clear();
        calls(&store, subscription).await;
    });
    let texts = std::mem::take(&mut *texts.lock().unwrap());
    let mut connection = open(&path).unwrap();
    let of_rows = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];
    let mut steps = Vec::new();
    for text in texts {
        if of_rows.iter().any(|begin| text.starts_with(begin)) {
            let plan = sql_query(format!("EXPLAIN QUERY PLAN {text}"));
            let plan: Vec<Step> = plan.load(&mut connection).unwrap();
            steps.extend(plan.into_iter().map(|step| (step.detail, text.clone())));
        }
    }
    steps
}

/// Returns the large tables that `steps` scan completely.
fn scanned(steps: &[(String, String)]) -> Vec<&str> {
    let scans = steps.iter().filter_map(|(step, _)| {
        let table = step.strip_prefix("SCAN ")?.split(' ').next()?;
        LARGE.contains(&table).then_some(table)
    });
    scans.collect()
}

#[test]
fn calls_of_worker_and_endpoint_owner_scan_no_large_table() {
    let steps = plans(async |store, subscription| {
        work(store, subscription).await;
        prune(store).await;
        ask(store, subscription).await;
    });
    assert!(steps.len() > 20, "{steps:?}");
    assert_eq!(scanned(&steps), [""; 0], "{steps:#?}");
}

#[test]
fn a_poll_for_pending_events_reads_each_subscription_once() {
    let steps = plans(async |store, _| {
        store.with_pending_events(NOW, 256).await.unwrap();
    });
    assert_eq!(scanned(&steps), ["subscription"], "{steps:#?}");
}
