//! Tests of several orders in one transaction.

#[path = "../../store-rows/tests/fixtures/mod.rs"]
mod fixtures;

use diesel::{Connection, PgConnection};
use pressline_domain::ports::{RepositoryError, StoreDirectory};
use pressline_testkit::{Database, Postgres};

use crate::error::Failure;
use crate::select::{SelectOrders, Which};
use crate::{PostgresConfig, PostgresStore, write};

fn prepared() -> (Database, PgConnection, String) {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    runtime.block_on(store.migrate()).unwrap();
    runtime.block_on(store.add(&fixtures::store(1))).unwrap();
    let connection = PgConnection::establish(database.url()).unwrap();
    (database, connection, fixtures::store_id(1).to_string())
}

#[test]
fn a_duplicate_harms_no_other_order_of_its_batch() {
    let (_database, mut connection, store_id) = prepared();
    let mut alike = fixtures::parts(3, 2);
    alike.order_id = fixtures::parts(1, 1).order_id;
    let alike = pressline_domain::order::NewOrder::new(alike).unwrap();
    let batch = vec![fixtures::order(1, 3), alike.clone(), fixtures::order(2, 100)];
    let created = write::create(&mut connection, &store_id, batch).unwrap();
    let numbers: Vec<Option<i64>> =
        created.iter().map(|order| order.as_ref().map(|order| order.service_order_id().number)).collect();
    assert_eq!(numbers, [Some(1), None, Some(3)]);
    for order in created.into_iter().flatten() {
        let id = order.parts().id.to_string();
        let found = SelectOrders { store_id: &store_id, which: Which::Id(&id) }.first(&mut connection);
        assert_eq!(found.unwrap(), Some(order));
    }
    let nothing_new = write::create(&mut connection, &store_id, vec![alike]);
    assert!(matches!(nothing_new, Err(Failure::Repository(RepositoryError::Duplicate(_)))));
    // No number was used up for it.
    let next = write::create(&mut connection, &store_id, vec![fixtures::order(4, 1)]).unwrap();
    assert_eq!(next[0].as_ref().unwrap().service_order_id().number, 4);
}
