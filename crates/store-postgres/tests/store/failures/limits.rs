//! Timeouts and pool sizes that end a call.

use std::time::Duration;

use pressline_domain::catalog::{Catalog, ProductQuery, ProductStart};
use pressline_domain::error::RepositoryError;
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::{PostgresConfig, PostgresStore};

use super::{assert_unavailable, prepared};
use crate::databases::{begin, commit, database, waiting_for_locks};
use crate::fixtures;
use crate::orders::{create, find};

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_statement_times_out() {
    let database = database();
    let millis = Duration::from_millis;
    let patient = PostgresConfig {
        statement_timeout: millis(300),
        ..PostgresConfig::default()
    };
    let impatient = PostgresConfig {
        lock_timeout: millis(100),
        ..PostgresConfig::default()
    };
    let by_statement = prepared(&database, &patient).await;
    let by_lock = PostgresStore::connect(database.url(), &impatient).unwrap();
    let mut blocker = begin(&database, "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
    for store in [&by_statement, &by_lock] {
        for result in [
            find(store, 1).await.map(drop),
            create(store, 1, 1).await.map(drop),
        ] {
            assert!(
                matches!(result, Err(RepositoryError::Timeout(_))),
                "{result:?}"
            );
        }
    }
    commit(&mut blocker);
    // Nothing was stored, and the connections work again.
    assert_eq!(find(&by_lock, 1).await.unwrap(), None);
    let order = create(&by_statement, 1, 1).await.unwrap();
    assert_eq!(order.service_order_id.number, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_pool_is_unavailable_after_a_short_wait() {
    let database = database();
    let config = PostgresConfig {
        max_connections: 1,
        searches: 1,
        pool_wait: Duration::from_secs(1),
        ..PostgresConfig::default()
    };
    let store = prepared(&database, &config).await;
    let mut blocker = begin(&database, "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
    let of_first = store.clone();
    let first = tokio::spawn(async move { find(&of_first, 1).await });
    while waiting_for_locks(&database) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_unavailable(find(&store, 1).await, "");
    commit(&mut blocker);
    assert_eq!(first.await.unwrap().unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_leave_connections_for_authentication_and_replays() {
    let database = database();
    let config = PostgresConfig {
        max_connections: 2,
        searches: 1,
        pool_wait: Duration::from_secs(30),
        statement_timeout: Duration::from_secs(30),
        lock_timeout: Duration::from_secs(30),
        ..PostgresConfig::default()
    };
    let store = prepared(&database, &config).await;
    create(&store, 1, 1).await.unwrap();
    let mut blocker = begin(&database, "LOCK TABLE products IN ACCESS EXCLUSIVE MODE");
    // Three searches share the only search slot.
    let mut searches = tokio::task::JoinSet::new();
    for number in 1..=3 {
        let store = store.clone();
        let query = ProductQuery {
            key: None,
            start: ProductStart::Offset(0),
            size: 20,
            counted: None,
        };
        searches.spawn(
            async move { Catalog::search(&store, fixtures::store_id(number), &query).await },
        );
    }
    while waiting_for_locks(&database) == 0 {
        tokio::task::yield_now().await;
    }
    // The reads of authentication and of a repeated create.
    StoreDirectory::find(&store.cold(), fixtures::store_id(1))
        .await
        .unwrap()
        .unwrap();
    find(&store, 1).await.unwrap().unwrap();
    assert_eq!(waiting_for_locks(&database), 1, "one search at a time");
    commit(&mut blocker);
    for found in searches.join_all().await {
        assert_eq!(found.unwrap().counted.count, 0);
    }
}
