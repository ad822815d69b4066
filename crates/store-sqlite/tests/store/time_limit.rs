//! Slow reads are interrupted, and the connection serves the next call.

use std::path::Path;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::catalog::{Catalog, ProductQuery, ProductStart};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Lookup, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_kit::words::SearchKey;
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

use crate::fixtures;

/// Number of stored orders: more than the word index reads between two checks of the time, and few
/// enough to create quickly.
const ORDERS: u32 = 600;

/// A product's print area, as stored.
const AREA: &str = r#"{"id":"main","name":"Main","size":"","note":"","requirement":"base_belongs","requireFor":[],"extraFee":0}"#;

/// Returns a query for the page of orders that match `key`, after the first `offset` matches.
fn orders(key: &str, offset: u64) -> SearchQuery {
    let filter = SearchFilter {
        key: SearchKey::parse(key).unwrap(),
        ..SearchFilter::default()
    };
    SearchQuery {
        filter,
        start: Start::Offset(offset),
        size: 20,
        bytes: u64::MAX,
    }
}

async fn filled(path: &Path) {
    let store = SqliteStore::open(path, &SqliteConfig::default()).unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    let mut creates = tokio::task::JoinSet::new();
    for number in 1..=ORDERS {
        let store = store.clone();
        let order = OrderWrite::create(fixtures::order(number, 1));
        creates.spawn(async move { store.write(order).await });
        if creates.len() == 100 {
            creates.join_next().await.unwrap().unwrap().unwrap();
        }
    }
    for created in creates.join_all().await {
        created.unwrap();
    }
    let products = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
         INSERT INTO product_rows (sku, name, currency, areas) \
         SELECT 'SKU-' || i, 'Mug', 'USD', '[{AREA}]' FROM n"
    );
    SqliteConnection::establish(path.to_str().unwrap())
        .unwrap()
        .batch_execute(&products)
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_reads_leave_their_connection_usable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    filled(&path).await;
    // One connection per kind of read, and no time for reads of more rows than a page has.
    let config = SqliteConfig {
        readers: 1,
        searches: 1,
        read_timeout: Duration::ZERO,
        ..SqliteConfig::default()
    };
    let store = SqliteStore::open(&path, &config).unwrap();
    let id = fixtures::store_id(1);
    let products = ProductQuery {
        key: None,
        start: ProductStart::Offset(0),
        size: 20,
        counted: None,
    };
    for _ in 0..3 {
        let deep = OrderRepository::search(&store, id, &orders("mug", 2000))
            .await
            .map(drop);
        assert!(matches!(deep, Err(RepositoryError::Timeout(_))), "{deep:?}");
        let products = Catalog::search(&store, id, &products).await.map(drop);
        assert!(
            matches!(products, Err(RepositoryError::Timeout(_))),
            "{products:?}"
        );
        // A quick read succeeds on the same connection.
        let lookup = Lookup {
            order_id: "shop-1-7".to_owned(),
            number: None,
        };
        assert!(
            OrderRepository::find(&store, id, &lookup)
                .await
                .unwrap()
                .is_some()
        );
        let rare = OrderRepository::search(&store, id, &orders("shop-1-77", 0))
            .await
            .unwrap();
        assert_eq!(rare.orders.len(), 1);
    }
    // With the default time limit, the same searches find orders.
    let patient = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let deep = OrderRepository::search(&patient, id, &orders("mug", 590))
        .await
        .unwrap();
    assert_eq!(deep.orders.len(), 10);
    assert_eq!(
        Catalog::search(&patient, id, &products)
            .await
            .unwrap()
            .counted
            .count,
        200
    );
}
