//! Writes that share a transaction, and what must not come between them.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

#[path = "groups/calls.rs"]
mod calls;
#[path = "../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
#[path = "groups/updates.rs"]
mod updates;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Lookup, NewOrder, Order, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_domain::time::Timestamp;
use pressline_kit::words::SearchKey;
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres};
use tokio::task::JoinSet;

type Calls = JoinSet<Result<Order, RepositoryError>>;

const PATIENT: Duration = Duration::from_secs(20);

fn patient() -> PostgresConfig {
    PostgresConfig {
        pool_wait: PATIENT,
        lock_timeout: PATIENT,
        statement_timeout: PATIENT,
        writers: 1,
        ..PostgresConfig::default()
    }
}

async fn prepared(config: &PostgresConfig) -> (Database, PostgresStore) {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let store = PostgresStore::connect(database.url(), config).unwrap();
    store.migrate().await.unwrap();
    for number in 1..=3 {
        store.add(&fixtures::store(number)).await.unwrap();
    }
    (database, store)
}

fn spawn(calls: &mut Calls, store: &PostgresStore, order: NewOrder) {
    let store = store.clone();
    calls.spawn(async move { store.write(OrderWrite::create(order)).await });
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

/// Somebody else's transaction, which holds the counter of the first store.
fn lock(database: &Database) -> PgConnection {
    let mut blocker = PgConnection::establish(database.url()).unwrap();
    blocker
        .batch_execute(&format!(
            "BEGIN; UPDATE store_counters SET last_number = last_number WHERE store_id = '{}'",
            fixtures::store_id(1)
        ))
        .unwrap();
    blocker
}

/// The 1000th order, which waits for the lock.
async fn spawn_first(store: &PostgresStore) -> Calls {
    let mut calls = Calls::new();
    let groups = store.writes().sizes.count();
    spawn(&mut calls, store, fixtures::order(1000, 1));
    until(|| store.writes().sizes.count() > groups).await;
    calls
}

/// These wait for the 1000th order, so that they become one group.
async fn waiting(store: &PostgresStore, orders: impl IntoIterator<Item = NewOrder>) -> Calls {
    let mut calls = spawn_first(store).await;
    for (place, order) in orders.into_iter().enumerate() {
        spawn(&mut calls, store, order);
        until(|| store.writes().waiting == place + 1).await;
    }
    calls
}

fn of_store(store: u32, number: u32) -> NewOrder {
    let mut parts = fixtures::parts(number, 2);
    parts.store_id = fixtures::store_id(store);
    NewOrder::new(parts).unwrap()
}

async fn find(store: &PostgresStore, number: u32) -> Option<Order> {
    let lookup = Lookup {
        order_id: format!("shop-1-{number}"),
        number: None,
    };
    OrderRepository::find(store, fixtures::store_id(1), &lookup)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_that_wait_share_their_statements() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let statements = store.statements();
    let calls = waiting(
        &store,
        (1..=63).map(|number| fixtures::order(number, 1 + number % 3)),
    )
    .await;
    blocker.batch_execute("COMMIT").unwrap();
    let created: Vec<Order> = calls
        .join_all()
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let numbers: BTreeSet<i64> = created
        .iter()
        .map(|order| order.service_order_id().number)
        .collect();
    assert!(numbers.into_iter().eq(1..=64));
    assert_eq!(
        store.statements() - statements,
        2,
        "two groups: the first order, and all others"
    );
    let queue = store.writes();
    assert_eq!(
        (queue.sizes.sum, queue.written_alone, queue.waiting),
        (64, 0, 0)
    );
    for order in created {
        let number = order
            .parts()
            .order_id
            .rsplit('-')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(find(&store, number).await, Some(order));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_identical_creates_of_a_group_one_is_stored() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let calls = waiting(&store, std::iter::repeat_n(fixtures::order(7, 3), 16)).await;
    blocker.batch_execute("COMMIT").unwrap();
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
async fn an_order_that_the_database_refuses_harms_no_other() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    PgConnection::establish(database.url())
        .unwrap()
        .batch_execute("ALTER TABLE line_items ADD CHECK (sku <> 'MUG-13000')")
        .unwrap();
    let calls = waiting(&store, (10..20).map(|number| fixtures::order(number, 1))).await;
    blocker.batch_execute("COMMIT").unwrap();
    let outcomes = calls.join_all().await;
    let refused: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().err())
        .collect();
    assert!(
        matches!(refused[..], [RepositoryError::Refused(_)]),
        "{refused:?}"
    );
    for number in 10..20 {
        assert_eq!(
            find(&store, number).await.is_some(),
            number != 13,
            "{number}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_locked_keeps_no_other_store_waiting() {
    let (database, store) = prepared(&PostgresConfig {
        writers: 2,
        ..patient()
    })
    .await;
    let mut blocker = lock(&database);
    let mut calls = waiting(&store, []).await;
    let others = (1..=20).map(|number| store.write(OrderWrite::create(of_store(2, number))));
    let mut numbers = Vec::new();
    for created in others {
        numbers.push(created.await.unwrap().service_order_id().number);
    }
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    assert!(calls.try_join_next().is_none());
    blocker.batch_execute("COMMIT").unwrap();
    assert!(calls.join_all().await.iter().all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_writers_give_each_order_a_number_of_its_own() {
    let (_database, store) = prepared(&PostgresConfig {
        write_group: 4,
        ..PostgresConfig::default()
    })
    .await;
    let mut calls = Calls::new();
    // Each order is handed in twice, and both stores use the same ids.
    for number in 1..=200 {
        for shop in [1, 2, 1, 2] {
            spawn(&mut calls, &store, of_store(shop, number));
        }
    }
    let mut numbers = Vec::new();
    let mut duplicates = 0;
    for outcome in calls.join_all().await {
        match outcome {
            Ok(order) => numbers.push(order.service_order_id().to_string()),
            Err(RepositoryError::Duplicate(_)) => duplicates += 1,
            Err(error) => panic!("{error}"),
        }
    }
    numbers.sort();
    numbers.dedup();
    assert_eq!((numbers.len(), duplicates), (400, 400));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_unavailable_at_once() {
    let (database, store) = prepared(&PostgresConfig {
        write_queue: 3,
        ..patient()
    })
    .await;
    let mut blocker = lock(&database);
    let calls = waiting(&store, (1..=3).map(|number| fixtures::order(number, 1))).await;
    let started = Instant::now();
    let refused = store.write(OrderWrite::create(fixtures::order(4, 1))).await;
    assert!(
        matches!(refused, Err(RepositoryError::Unavailable(_))),
        "{refused:?}"
    );
    assert!(started.elapsed() < PATIENT / 2);
    blocker.batch_execute("COMMIT").unwrap();
    assert!(calls.join_all().await.iter().all(Result::is_ok));
    assert_eq!((find(&store, 4).await, store.writes().refused), (None, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn once_callers_and_store_go_away_what_was_begun_is_stored_and_what_waited_is_not() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let mut calls = waiting(&store, (1..=5).map(|number| fixtures::order(number, 1))).await;
    calls.shutdown().await;
    blocker.batch_execute("COMMIT").unwrap();
    tokio::task::spawn_blocking(|| drop(store)).await.unwrap();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    assert!(find(&store, 1000).await.is_some());
    for number in 1..=5 {
        assert!(find(&store, number).await.is_none(), "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_whose_connection_is_ended_is_written_on_another() {
    let (database, store) = prepared(&patient()).await;
    let mut blocker = lock(&database);
    let calls = waiting(&store, (1..=5).map(|number| fixtures::order(number, 1))).await;
    let mut ended = 0;
    while ended == 0 {
        // Whether the first statement has reached the lock yet, nobody tells.
        ended = sql_query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .execute(&mut PgConnection::establish(database.url()).unwrap())
        .unwrap();
    }
    blocker.batch_execute("COMMIT").unwrap();
    let created = calls.join_all().await;
    assert!(created.iter().all(Result::is_ok), "{created:?}");
    // And one that is ended while it has nothing to do.
    sql_query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND application_name = 'pressline'",
    )
    .execute(&mut blocker)
    .unwrap();
    store
        .write(OrderWrite::create(fixtures::order(6, 1)))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_write_for_the_same_stores_are_not_in_each_others_way() {
    let (database, store) = prepared(&patient()).await;
    let other = PostgresStore::connect(database.url(), &patient()).unwrap();
    let mut calls = Calls::new();
    for number in 1..=150 {
        // The stores come in another order at each server, and every fifth order comes to both.
        spawn(&mut calls, &store, of_store(1 + number % 3, number));
        let elsewhere = if number % 5 == 0 {
            number
        } else {
            1000 + number
        };
        spawn(&mut calls, &other, of_store(1 + (number % 3), elsewhere));
    }
    let (stored, refused): (Vec<_>, Vec<_>) =
        calls.join_all().await.into_iter().partition(Result::is_ok);
    assert_eq!((stored.len(), refused.len()), (270, 30));
    assert!(
        refused
            .iter()
            .all(|outcome| matches!(outcome, Err(RepositoryError::Duplicate(_)))),
        "{refused:?}"
    );
    let numbers: BTreeSet<String> = stored
        .into_iter()
        .map(|order| order.unwrap().service_order_id().to_string())
        .collect();
    assert_eq!(numbers.len(), 270);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_takes_a_fixed_number_of_statements() {
    let (_database, store) = prepared(&patient()).await;
    let order = store
        .write(OrderWrite::create(fixtures::order(1, 2)))
        .await
        .unwrap();
    find(&store, 1).await.unwrap();
    let mut before = store.statements();
    let mut taken = || {
        let taken = store.statements() - before;
        before += taken;
        taken
    };
    store
        .write(OrderWrite::create(of_store(2, 2)))
        .await
        .unwrap();
    assert_eq!(taken(), 1, "a create");
    let changed = order
        .changed(order.parts().clone(), Timestamp::from_millis(fixtures::NOW))
        .unwrap();
    store.write(OrderWrite::update(changed, 1)).await.unwrap();
    assert_eq!(taken(), 1, "an update");
    find(&store, 1).await.unwrap();
    assert_eq!(taken(), 1, "an order");
    for key in ["", "mug", "shop-1-1", "nothing"] {
        let filter = SearchFilter {
            key: SearchKey::parse(key).unwrap(),
            ..SearchFilter::default()
        };
        let query = SearchQuery {
            filter,
            start: Start::Offset(0),
            size: 20,
            bytes: u64::MAX,
        };
        store.search(fixtures::store_id(1), &query).await.unwrap();
        assert_eq!(taken(), 1, "a page by `{key}`");
    }
}
