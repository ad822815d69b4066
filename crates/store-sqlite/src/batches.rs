//! Tests of several orders in one transaction.

#[path = "../../store-rows/tests/fixtures/mod.rs"]
mod fixtures;

use diesel::SqliteConnection;
use pressline_domain::order::{NewOrder, Order};
use pressline_domain::ports::{Lookup, OrderWrite, RepositoryError, StoreDirectory};

use crate::connection::Purpose;
use crate::write::Job;
use crate::{SqliteConfig, SqliteStore, select, write};

fn create(connection: &mut SqliteConnection, batch: Vec<NewOrder>) -> Vec<Result<Order, RepositoryError>> {
    let jobs = batch.into_iter().map(|new| Job::of(OrderWrite::create(new)).unwrap());
    write::write(connection, &mut jobs.collect::<Vec<_>>()).unwrap()
}

fn numbers(created: &[Result<Order, RepositoryError>]) -> Vec<Option<i64>> {
    created.iter().map(|order| order.as_ref().ok().map(|order| order.service_order_id().number)).collect()
}

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
    let alike = NewOrder::new(alike).unwrap();
    let batch = vec![fixtures::order(1, 3), alike.clone(), fixtures::order(2, 100)];
    let created = create(&mut connection, batch);
    assert_eq!(numbers(&created), [Some(1), None, Some(3)]);
    for order in created.into_iter().flatten() {
        let lookup = Lookup { order_id: order.parts().order_id.clone(), number: None };
        assert_eq!(select::find(&mut connection, &store_id, &lookup).unwrap(), Some(order));
    }
    let nothing_new = create(&mut connection, vec![alike]);
    assert!(matches!(nothing_new[..], [Err(RepositoryError::Duplicate(_))]));
    // No number was used up for it.
    let next = create(&mut connection, vec![fixtures::order(4, 1)]);
    assert_eq!(numbers(&next), [Some(4)]);
}
