//! Failures beyond the contract suite: a stopped server, locks and timeouts, concurrent migrations,
//! statement counts.

mod limits;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::value::OrderId;
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres};

use crate::databases::{begin, commit, database, execute, waiting_for_locks};
use crate::orders::{create, find, found};
use crate::{corrupt, databases, fixtures};

/// A refused connection takes milliseconds; the rest is slack for a busy machine.
const PROMPT: Duration = Duration::from_secs(1);

fn connect(database: &Database) -> PostgresStore {
    PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap()
}

/// Connects to `database`, and creates its tables and the first store.
async fn prepared(database: &Database, config: &PostgresConfig) -> PostgresStore {
    let store = PostgresStore::connect(database.url(), config).unwrap();
    databases::prepare(&store, 1).await;
    store
}

/// Asserts that a result is `Unavailable` for a reason that contains `text`. Returns the reason.
fn assert_unavailable<T: Debug>(result: Result<T, RepositoryError>, text: &str) -> String {
    let why = match &result {
        Err(RepositoryError::Unavailable(why)) => Some(why.to_string()),
        _ => None,
    };
    assert!(
        why.as_ref().is_some_and(|why| why.contains(text)),
        "{result:?}"
    );
    why.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrently_started_servers_migrate_once() {
    let database = database();
    let mut starting = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let store = connect(&database);
        starting.spawn(async move { store.migrate().await.unwrap() });
    }
    let applied = starting.join_all().await.concat();
    assert_eq!(applied, ["0001_initial"]);
    assert_eq!(
        connect(&database).pending().await.unwrap(),
        Vec::<String>::new()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_ready_with_additional_but_not_with_missing_tables() {
    let database = database();
    let store = connect(&database);
    assert_eq!(store.pending().await.unwrap(), ["0001_initial"]);
    assert_unavailable(store.ping().await, "0001_initial");
    store.migrate().await.unwrap();
    // A newer program has applied a further migration: the store serves, but does not migrate.
    execute(
        &database,
        "INSERT INTO pressline_migrations (name, hash, applied_at) VALUES ('9999_newer', '', 0)",
    );
    store.ping().await.unwrap();
    let unknown = "this program does not know the migration 9999_newer";
    assert_refused(&store, unknown).await;
    // The text of the migration differs from the applied text.
    execute(
        &database,
        "DELETE FROM pressline_migrations WHERE name = '9999_newer';
         UPDATE pressline_migrations SET hash = 'of another text'",
    );
    let another = "its migration 0001_initial is not the one of this program";
    assert_refused(&store, another).await;
    assert_unavailable(store.ping().await, "0001_initial");
}

async fn assert_refused(store: &PostgresStore, reason: &str) {
    assert_unavailable(store.pending().await, reason);
    assert_unavailable(store.migrate().await, reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_statements_does_not_depend_on_items() {
    let (_database, store, counter) = databases::counted(&PostgresConfig::default(), 1).await;
    let mut taken = counter.taken();
    let order = create(&store, 1, 1).await.unwrap();
    assert_eq!(taken(), 1, "the number, and the order with its items");
    create(&store, 2, 100).await.unwrap();
    assert_eq!(taken(), 1);
    create(&store, 1, 100).await.unwrap_err();
    assert_eq!(taken(), 1, "a duplicate");
    let mut parts = fixtures::parts(1, 50);
    parts.order_id = order.parts().order_id.clone();
    let changed = store
        .write(OrderWrite::change(crate::changes::changed(&order, parts)))
        .await
        .unwrap();
    assert_eq!(taken(), 1);
    assert_eq!(find(&store, 1).await.unwrap(), Some(changed));
    assert_eq!(taken(), 1);
    assert_eq!(found(&store, "mug shop-1-2").await, 1);
    assert_eq!(taken(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_server_is_available_again() {
    let postgres = Postgres::start().unwrap();
    let database = postgres.create_database().unwrap();
    // So long that a call that waits for a connection would exceed PROMPT.
    let pool_wait = Duration::from_secs(60);
    let config = PostgresConfig {
        pool_wait,
        ..PostgresConfig::default()
    };
    let store = prepared(&database, &config).await;
    create(&store, 1, 1).await.unwrap();
    find(&store, 1).await.unwrap();
    postgres.stop().unwrap();
    let started = Instant::now();
    for result in [
        create(&store, 2, 1).await.map(drop),
        store.ping().await,
        find(&store, 1).await.map(drop),
    ] {
        assert_unavailable(result, "");
    }
    // The server refuses connections, so no call waits for one.
    assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
    // The same with more calls than connections.
    let started = Instant::now();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let store = store.clone();
        calls.spawn(async move { find(&store, 1).await });
    }
    for result in calls.join_all().await {
        assert_unavailable(result, "Connection refused");
    }
    assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
    postgres.restart().unwrap();
    let back = Instant::now();
    find(&store, 1).await.unwrap().unwrap();
    assert!(back.elapsed() < PROMPT, "{:?}", back.elapsed());
    create(&store, 2, 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_of_dead_connections_serves_the_first_call() {
    let postgres = Postgres::start().unwrap();
    let database = postgres.create_database().unwrap();
    let store = prepared(&database, &PostgresConfig::default()).await;
    let mut last = OrderId::LOWEST;
    for number in 1..=32 {
        last = create(&store, number, 1).await.unwrap().parts().id;
    }
    // Each call that waits for a lock has its own connection.
    let lock = "LOCK TABLE order_events IN ACCESS EXCLUSIVE MODE";
    let mut blocker = begin(&database, lock);
    let mut calls = tokio::task::JoinSet::new();
    // Eight waiting calls make the pool open eight connections.
    for _ in 0..8 {
        let (store, of) = (store.clone(), fixtures::store_id(1));
        calls.spawn(async move { store.events(of, last, u64::MAX >> 1, 10).await.unwrap() });
    }
    while waiting_for_locks(&database) < 8 {
        tokio::task::yield_now().await;
    }
    commit(&mut blocker);
    calls.join_all().await;
    postgres.restart().unwrap();
    // After each restart, all connections of the pool are dead.
    let order = create(&store, 100, 1).await.unwrap();
    assert_eq!(order.service_order_id.number, 33);
    let mut parts = order.parts().clone();
    parts.email = None;
    let change = crate::changes::changed(&order, parts);
    postgres.restart().unwrap();
    let write = OrderWrite::change(change.clone());
    let changed = store.write(write).await.unwrap();
    assert_eq!(changed, pressline_contract::after(&change, &changed));
    postgres.restart().unwrap();
    assert_eq!(find(&store, 100).await.unwrap(), Some(changed));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_row_is_reported_as_corrupt_with_its_name() {
    let database = database();
    let store = prepared(&database, &PostgresConfig::default()).await;
    let product = "INSERT INTO products (sku, name, price, currency, areas, words) \
                   VALUES ('MUG', 'Mug', 1, 'USD', '{}', '')";
    let execute = |statement: &str| execute(&database, statement);
    corrupt::unreadable_values_are_named(&store, &store.cold(), execute, product).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_login_is_reported_with_its_reason() {
    let wrong = database().url().replacen("://", "://nobody-such:wrong-", 1);
    let store = PostgresStore::connect(&wrong, &PostgresConfig::default()).unwrap();
    let why = assert_unavailable(store.ping().await, "nobody-such");
    assert!(!why.contains("wrong-"), "{why}");
}
