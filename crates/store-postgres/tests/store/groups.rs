//! Writes that share a transaction, and events that must not come between them.

mod chunks;
mod finds;
mod round_trips;
mod shards;
mod updates;

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_query;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{NewOrder, Order, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::test_support::StatementCounter;
use pressline_store_postgres::{
    PostgresConfig, PostgresStore, WriteLimits, WriteQueue, test_support,
};
use pressline_testkit::Database;

use crate::calls::{Calls, assert_stored, create, find, spawn, spawn_first, until, waiting};
use crate::databases::{begin, commit, connection, execute};
use crate::{calls, databases, fixtures, orders, webhooks};

impl calls::Queued for PostgresStore {
    fn writes(&self) -> WriteQueue {
        self.writes()
    }
}

/// One writer, so that groups are written one after another.
fn patient() -> PostgresConfig {
    PostgresConfig {
        writers: 1,
        ..test_support::patient()
    }
}

/// Connects to a database with the stores 1 to 3.
async fn prepared(config: &PostgresConfig) -> (Database, PostgresStore) {
    databases::prepared(config, 3).await
}

/// Same as [`prepared`], with the counter of the statements.
async fn counted(config: &PostgresConfig) -> (Database, PostgresStore, StatementCounter) {
    databases::counted(config, 3).await
}

/// Locks the counter of the first store, as a transaction of another process would.
fn lock(database: &Database) -> PgConnection {
    let store = fixtures::store_id(1);
    let update = "UPDATE store_counters SET last_number = last_number";
    begin(database, &format!("{update} WHERE store_id = '{store}'"))
}

fn of_store(store: u32, number: u32) -> NewOrder {
    let mut parts = fixtures::parts(number, 2);
    parts.store_id = fixtures::store_id(store);
    fixtures::placed(parts)
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_creates_share_statements() {
    let (database, store, counter) = counted(&patient()).await;
    let mut blocker = lock(&database);
    let writes = (1..=63).map(|number| create(fixtures::order(number, 1 + number % 3)));
    let (writes, unlock) = (writes.collect(), || commit(&mut blocker));
    let statements =
        calls::creates_share_a_transaction(&store, writes, counter.taken(), unlock).await;
    assert_eq!(statements, 2, "two groups: the first order, and all others");
}

#[tokio::test(flavor = "multi_thread")]
async fn identical_creates_of_a_group_are_stored_once() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let calls = waiting(&store, vec![create(fixtures::order(7, 3)); 16]).await;
    commit(&mut blocker);
    let mut stored = Vec::new();
    for outcome in calls.join_all().await {
        match outcome {
            Ok(order) => stored.push(order),
            Err(error) => assert!(matches!(error, RepositoryError::Duplicate(_)), "{error:?}"),
        }
    }
    stored.retain(|order| order.parts().order_id == "shop-1-7");
    assert_eq!(stored.len(), 1);
    assert_eq!(find(&store, 7).await, stored.pop());
    assert_eq!(store.writes().written_alone, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_order_does_not_affect_others() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    // The database rejects a single SKU.
    let reject = "ALTER TABLE line_items ADD CHECK (sku <> 'MUG-13000')";
    execute(&database, reject);
    calls::a_refused_order_harms_no_other(&store, || commit(&mut blocker)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_immediately_unavailable() {
    let (database, store) = prepared(&PostgresConfig {
        writes: WriteLimits {
            queue: 3,
            ..patient().writes
        },
        ..patient()
    })
    .await;
    let mut blocker = lock(&database);
    calls::a_full_queue_refuses_at_once(&store, || commit(&mut blocker)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn begun_writes_of_a_dropped_store_are_stored_and_waiting_writes_are_not() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let reopen = || PostgresStore::connect(database.url(), &patient()).unwrap();
    calls::only_what_was_begun_is_stored(store, || commit(&mut blocker), reopen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_is_rewritten_after_its_connection_is_lost() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let calls = waiting(&store, calls::creates(1..=5)).await;
    let mut ended = 0;
    while ended == 0 {
        // It is unknown whether the first statement waits for the lock yet, so this repeats.
        ended = sql_query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .execute(&mut connection(&database))
        .unwrap();
    }
    commit(&mut blocker);
    let created = calls.join_all().await;
    assert!(created.iter().all(Result::is_ok), "{created:?}");
    // The same for a connection that is idle.
    sql_query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND application_name = 'pressline'",
    )
    .execute(&mut blocker)
    .unwrap();
    store.write(create(fixtures::order(6, 1))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_takes_a_fixed_number_of_statements() {
    let (_database, store, counter) = counted(&patient()).await;
    let order = store.write(create(fixtures::order(1, 2))).await.unwrap();
    find(&store, 1).await.unwrap();
    let mut taken = counter.taken();
    store.write(create(of_store(2, 2))).await.unwrap();
    assert_eq!(taken(), 1, "a create");
    let change = OrderWrite::change(crate::changes::changed(&order, order.parts().clone()));
    store.write(change).await.unwrap();
    assert_eq!(taken(), 1, "an update");
    find(&store, 1).await.unwrap();
    assert_eq!(taken(), 1, "an order");
    for key in ["", "mug", "shop-1-1", "nothing"] {
        orders::found(&store, key).await;
        assert_eq!(taken(), 1, "a page by `{key}`");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_delivered_events_are_stored_by_three_statements() {
    let (_database, store, counter) = counted(&patient()).await;
    let of = fixtures::store(1).store.id;
    let taken = webhooks::statements_of_eight_events(&store.cold(), of, counter.taken()).await;
    assert_eq!(taken, 5, "with BEGIN and COMMIT");
}
