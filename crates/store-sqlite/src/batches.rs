//! Tests of several orders in one transaction.

#[path = "../../store-rows/tests/fixtures/mod.rs"]
mod fixtures;

use pressline_domain::ports::{Lookup, RepositoryError, StoreDirectory};

use crate::connection::Purpose;
use crate::error::Failure;
use crate::{SqliteConfig, SqliteStore, select, write};

#[test]
fn a_duplicate_harms_no_other_order_of_its_batch() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("orders.db"), &SqliteConfig::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(store.add(&fixtures::store(1))).unwrap();
    let mut connection = store.opener.open(Purpose::Write).unwrap();
    let store_id = fixtures::store_id(1).to_string();
    let mut alike = fixtures::parts(3, 2);
    alike.order_id = fixtures::parts(1, 1).order_id;
    let alike = pressline_domain::order::NewOrder::new(alike).unwrap();
    let batch = [fixtures::order(1, 3), alike.clone(), fixtures::order(2, 100)];
    let created = write::create(&mut connection, &store_id, &batch).unwrap();
    let numbers: Vec<Option<i64>> =
        created.iter().map(|order| order.as_ref().map(|order| order.service_order_id().number)).collect();
    assert_eq!(numbers, [Some(1), None, Some(3)]);
    for order in created.into_iter().flatten() {
        let lookup = Lookup { order_id: order.parts().order_id.clone(), number: None };
        assert_eq!(select::find(&mut connection, &store_id, &lookup).unwrap(), Some(order));
    }
    let nothing_new = write::create(&mut connection, &store_id, &[alike]);
    assert!(matches!(nothing_new, Err(Failure::Repository(RepositoryError::Duplicate(_)))));
    // No number was used up for it.
    let next = write::create(&mut connection, &store_id, &[fixtures::order(4, 1)]).unwrap();
    assert_eq!(next[0].as_ref().unwrap().service_order_id().number, 4);
}
