//! Slow reads are interrupted, and the connection serves the next call.

use std::time::Duration;

use pressline_domain::catalog::{Catalog, ProductQuery, ProductStart};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::{SearchQuery, Start};
use pressline_store_sqlite::SqliteConfig;

use crate::files::{File, prepared};
use crate::fixtures;
use crate::orders::{create, find, found, matching, search};

/// Number of stored orders: more than the word index reads between two checks of the time, and few
/// enough to create quickly.
const ORDERS: u32 = 600;

/// A product's print area, as stored.
const AREA: &str = r#"{"id":"main","name":"Main","size":"","note":"","requirement":"base_belongs","requireFor":[],"extraFee":0}"#;

/// Returns a query for the page of orders that match `key`, after the first `offset` matches.
fn orders(key: &str, offset: u64) -> SearchQuery {
    SearchQuery {
        start: Start::Offset(offset),
        ..matching(key)
    }
}

async fn filled() -> File {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    let mut creates = tokio::task::JoinSet::new();
    for number in 1..=ORDERS {
        let store = store.clone();
        creates.spawn(async move { create(&store, number, 1).await });
        if creates.len() == 100 {
            creates.join_next().await.unwrap().unwrap().unwrap();
        }
    }
    for created in creates.join_all().await {
        created.unwrap();
    }
    file.execute(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
         INSERT INTO product_rows (sku, name, currency, areas) \
         SELECT 'SKU-' || i, 'Mug', 'USD', '[{AREA}]' FROM n"
    ));
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_reads_leave_their_connection_usable() {
    let file = filled().await;
    // One connection per kind of read, and no time for reads of more rows than a page has.
    let config = SqliteConfig {
        readers: 1,
        searches: 1,
        read_timeout: Duration::ZERO,
        ..SqliteConfig::default()
    };
    let store = file.open_with(&config);
    let id = fixtures::store_id(1);
    let products = ProductQuery {
        key: None,
        start: ProductStart::Offset(0),
        size: 20,
        counted: None,
    };
    for _ in 0..3 {
        let deep = search(&store, &orders("mug", 2000)).await;
        assert!(matches!(deep, Err(RepositoryError::Timeout(_))), "{deep:?}");
        let products = Catalog::search(&store, id, &products).await.map(drop);
        assert!(
            matches!(products, Err(RepositoryError::Timeout(_))),
            "{products:?}"
        );
        // A quick read succeeds on the same connection.
        assert!(find(&store, 7).await.unwrap().is_some());
        assert_eq!(found(&store, "shop-1-77").await, 1);
    }
    // With the default time limit, the same searches find orders.
    let patient = file.open();
    let deep = search(&patient, &orders("mug", 590)).await.unwrap();
    assert_eq!(deep.len(), 10);
    let products = Catalog::search(&patient, id, &products).await.unwrap();
    assert_eq!(products.counted.count, 200);
}
