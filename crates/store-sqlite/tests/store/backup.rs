//! Backups: a copy made with `VACUUM INTO` contains every accepted order, and a search in it finds
//! the order by its words.

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{SqliteConnection, sql_query};
use pressline_contract::{WIDEST_ITEMS, wide_order};
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderWrite};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};

use crate::files::prepared;
use crate::fixtures;
use crate::orders::{create, is_found_by_its_words};

#[derive(QueryableByName)]
struct Check {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_order_is_found_in_a_backup() {
    let (file, store) = prepared(&SqliteConfig::default()).await;
    create(&store, 1, 3).await.unwrap();
    let widest = wide_order(fixtures::store_id(1), "widest", WIDEST_ITEMS).unwrap();
    let widest = store
        .write(OrderWrite::create(fixtures::placed(widest)))
        .await
        .unwrap();

    let copy = file.folder().join("backup.db");
    file.execute(&format!("VACUUM INTO '{}'", copy.display()));
    let mut connection = SqliteConnection::establish(copy.to_str().unwrap()).unwrap();
    let check: Check = sql_query("PRAGMA integrity_check")
        .get_result(&mut connection)
        .unwrap();
    assert_eq!(check.integrity_check, "ok");

    let copy = SqliteStore::open(&copy, &SqliteConfig::default()).unwrap();
    let lookup = Lookup::by_order_id("widest");
    let found = OrderRepository::find(&copy, fixtures::store_id(1), &lookup)
        .await
        .unwrap();
    assert_eq!(found.map(Order::from).as_ref(), Some(&widest));
    is_found_by_its_words(&store, &widest).await;
    is_found_by_its_words(&copy, &widest).await;
}
