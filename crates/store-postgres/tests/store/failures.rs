//! Failures beyond the contract suite: a stopped server, locks and timeouts, concurrent migrations,
//! statement counts.

mod limits;

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, RunQueryDsl, sql_query};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::OrderId;
use pressline_store_postgres::test_support::StatementCounter;
use pressline_store_postgres::{PostgresConfig, PostgresStore, test_support};
use pressline_testkit::{Database, Postgres};

use crate::{corrupt, fixtures};

/// A refused connection takes milliseconds; the rest is slack for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(1);

fn database() -> Database {
    Postgres::shared().unwrap().create_database().unwrap()
}

fn connect(database: &Database) -> PostgresStore {
    PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap()
}

fn execute(database: &Database, statements: &str) {
    PgConnection::establish(database.url())
        .unwrap()
        .batch_execute(statements)
        .unwrap();
}

async fn prepared(database: &Database, config: &PostgresConfig) -> PostgresStore {
    counted(database, config).await.0
}

async fn counted(
    database: &Database,
    config: &PostgresConfig,
) -> (PostgresStore, StatementCounter) {
    let (store, counter) = test_support::counted(database.url(), config).unwrap();
    store.migrate().await.unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    (store, counter)
}

async fn create(store: &PostgresStore, number: u32, items: u32) -> Result<Order, RepositoryError> {
    store
        .write(OrderWrite::create(fixtures::order(number, items)))
        .await
}

/// Returns the number of connections that wait for a lock. Uses a new connection, because within a
/// transaction the view does not change.
fn waiting_for_locks(database: &Database) -> i64 {
    #[derive(diesel::QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    let query = "SELECT count(*) AS count FROM pg_stat_activity \
                 WHERE wait_event_type = 'Lock' AND datname = current_database()";
    let mut connection = PgConnection::establish(database.url()).unwrap();
    sql_query(query)
        .get_result::<Count>(&mut connection)
        .unwrap()
        .count
}

async fn find(store: &PostgresStore, number: u32) -> Result<Option<Order>, RepositoryError> {
    let lookup = Lookup {
        order_id: format!("shop-1-{number}"),
        number: None,
    };
    OrderRepository::find(store, fixtures::store_id(1), &lookup).await
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
    match store.ping().await {
        Err(RepositoryError::Unavailable(why)) => {
            assert!(why.to_string().contains("0001_initial"), "{why}")
        }
        other => panic!("{other:?}"),
    }
    store.migrate().await.unwrap();
    // A newer program has applied a further migration: the store serves, but does not migrate.
    execute(
        &database,
        "INSERT INTO pressline_migrations (name, hash, applied_at) VALUES ('9999_newer', '', 0)",
    );
    store.ping().await.unwrap();
    refused(
        &store,
        "this program does not know the migration 9999_newer",
    )
    .await;
    // The text of the migration differs from the applied text.
    execute(
        &database,
        "DELETE FROM pressline_migrations WHERE name = '9999_newer';
         UPDATE pressline_migrations SET hash = 'of another text'",
    );
    refused(
        &store,
        "its migration 0001_initial is not the one of this program",
    )
    .await;
    match store.ping().await {
        Err(RepositoryError::Unavailable(why)) => {
            assert!(why.to_string().contains("0001_initial"), "{why}")
        }
        other => panic!("{other:?}"),
    }
}

async fn refused(store: &PostgresStore, reason: &str) {
    let asked = [store.pending().await, store.migrate().await];
    for answer in asked {
        let refused = matches!(&answer, Err(RepositoryError::Unavailable(why)) if why.to_string().contains(reason));
        assert!(refused, "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_statements_does_not_depend_on_items() {
    let database = database();
    let (store, counter) = counted(&database, &PostgresConfig::default()).await;
    let mut before = counter.total();
    let mut taken = || {
        let taken = counter.total() - before;
        before += taken;
        taken
    };
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
    let found = OrderRepository::search(
        &store,
        fixtures::store_id(1),
        &corrupt::matching("mug shop-1-2"),
    )
    .await
    .unwrap();
    assert_eq!((found.orders.len(), taken()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_server_is_available_again() {
    let postgres = Postgres::start().unwrap();
    let database = postgres.create_database().unwrap();
    // So long that a call that waits for a connection would exceed AT_ONCE.
    let pool_wait = Duration::from_secs(60);
    let store = prepared(
        &database,
        &PostgresConfig {
            pool_wait,
            ..PostgresConfig::default()
        },
    )
    .await;
    create(&store, 1, 1).await.unwrap();
    find(&store, 1).await.unwrap();
    postgres.stop().unwrap();
    let started = Instant::now();
    for result in [
        create(&store, 2, 1).await.map(drop),
        store.ping().await,
        find(&store, 1).await.map(drop),
    ] {
        assert!(
            matches!(result, Err(RepositoryError::Unavailable(_))),
            "{result:?}"
        );
    }
    // The server refuses connections, so no call waits for one.
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    // The same with more calls than connections.
    let started = Instant::now();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let store = store.clone();
        calls.spawn(async move { find(&store, 1).await });
    }
    for result in calls.join_all().await {
        match result {
            Err(RepositoryError::Unavailable(why)) => {
                assert!(why.to_string().contains("Connection refused"), "{why}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    postgres.restart().unwrap();
    let back = Instant::now();
    find(&store, 1).await.unwrap().unwrap();
    assert!(back.elapsed() < AT_ONCE, "{:?}", back.elapsed());
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
    let mut blocker = PgConnection::establish(database.url()).unwrap();
    blocker
        .batch_execute("BEGIN; LOCK TABLE order_events IN ACCESS EXCLUSIVE MODE")
        .unwrap();
    let mut calls = tokio::task::JoinSet::new();
    // Eight waiting calls make the pool open eight connections.
    for _ in 0..8 {
        let (store, of) = (store.clone(), fixtures::store_id(1));
        calls.spawn(async move { store.events(of, last, u64::MAX >> 1, 10).await.unwrap() });
    }
    while waiting_for_locks(&database) < 8 {
        tokio::task::yield_now().await;
    }
    blocker.batch_execute("COMMIT").unwrap();
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
    match store.ping().await {
        Err(RepositoryError::Unavailable(why)) => {
            assert!(why.to_string().contains("nobody-such"), "{why}");
            assert!(!why.to_string().contains("wrong-"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}
