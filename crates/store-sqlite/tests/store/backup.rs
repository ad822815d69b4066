//! Backups: a copy made with `VACUUM INTO` contains every accepted order, and a search in it finds
//! the order by its words.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{SqliteConnection, sql_query};
use pressline_contract::{WIDEST_ITEMS, wide_order};
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_kit::words::SearchKey;
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

use crate::fixtures;

/// Every 97th word of an order is searched for: the largest order has more than 30,000 words.
const SAMPLED: usize = 97;

async fn finds_each(store: &SqliteStore, order: &Order) {
    for word in order.words().iter().step_by(SAMPLED) {
        let filter = SearchFilter {
            key: SearchKey::parse(word).unwrap(),
            ..SearchFilter::default()
        };
        let query = SearchQuery {
            filter,
            start: Start::Offset(0),
            size: 2,
            bytes: u64::MAX,
        };
        let found = OrderRepository::search(store, fixtures::store_id(1), &query)
            .await
            .unwrap()
            .orders;
        assert!(
            found
                .iter()
                .any(|found| found.parts().id == order.parts().id),
            "{word}"
        );
    }
}

#[derive(QueryableByName)]
struct Check {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_order_is_found_in_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("orders.db"),
        folder.path().join("backup.db"),
    );
    let store = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
    store
        .write(OrderWrite::create(fixtures::order(1, 3)))
        .await
        .unwrap();
    let widest = wide_order(fixtures::store_id(1), "widest", WIDEST_ITEMS).unwrap();
    let widest = store
        .write(OrderWrite::create(fixtures::placed(widest)))
        .await
        .unwrap();

    let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    connection
        .batch_execute(&format!("VACUUM INTO '{}'", copy.display()))
        .unwrap();
    let mut connection = SqliteConnection::establish(copy.to_str().unwrap()).unwrap();
    let check: Check = sql_query("PRAGMA integrity_check")
        .get_result(&mut connection)
        .unwrap();
    assert_eq!(check.integrity_check, "ok");

    let copy = SqliteStore::open(&copy, &SqliteConfig::default()).unwrap();
    let lookup = Lookup {
        order_id: "widest".to_owned(),
        number: None,
    };
    let found = OrderRepository::find(&copy, fixtures::store_id(1), &lookup)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&widest));
    finds_each(&store, &widest).await;
    finds_each(&copy, &widest).await;
}
