//! Tests of several orders in one transaction.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{NewOrder, Order, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_kit::schema::catalog_version;
use pressline_store_postgres::test_support::{find, write_group};
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::Database;

use crate::{fixtures, migrated_database, runtime};

fn prepared() -> (Database, PgConnection, String) {
    let (database, connection) = migrated_database();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    runtime().block_on(store.add(&fixtures::store(1))).unwrap();
    (database, connection, fixtures::store_id(1).to_string())
}

fn create(
    connection: &mut PgConnection,
    batch: Vec<NewOrder>,
) -> Vec<Result<Order, RepositoryError>> {
    write_group(
        connection,
        batch.into_iter().map(OrderWrite::create).collect(),
    )
    .unwrap()
}

fn numbers(created: &[Result<Order, RepositoryError>]) -> Vec<Option<i64>> {
    created
        .iter()
        .map(|order| {
            order
                .as_ref()
                .ok()
                .map(|order| order.service_order_id().number)
        })
        .collect()
}

#[test]
fn a_duplicate_harms_no_other_order_of_its_batch() {
    let (_database, mut connection, store_id) = prepared();
    let mut alike = fixtures::parts(3, 2);
    alike.order_id = fixtures::parts(1, 1).order_id;
    let alike = NewOrder::new(alike).unwrap();
    let batch = vec![
        fixtures::order(1, 3),
        alike.clone(),
        fixtures::order(2, 100),
    ];
    let created = create(&mut connection, batch);
    assert_eq!(numbers(&created), [Some(1), None, Some(3)]);
    for order in created.into_iter().flatten() {
        let id = order.parts().id.to_string();
        let found = find(&mut connection, &store_id, &id);
        assert_eq!(found.unwrap(), Some(order));
    }
    let nothing_new = create(&mut connection, vec![alike]);
    assert!(matches!(
        nothing_new[..],
        [Err(RepositoryError::Duplicate(_))]
    ));
    // No number was used up for it.
    let next = create(&mut connection, vec![fixtures::order(4, 1)]);
    assert_eq!(numbers(&next), [Some(4)]);
}

/// The very same order twice, with the very same items.
#[test]
fn a_repeated_order_of_a_batch_is_stored_once() {
    let (_database, mut connection, store_id) = prepared();
    let order = fixtures::order(1, 3);
    let created = create(
        &mut connection,
        vec![order.clone(), fixtures::order(2, 1), order.clone(), order],
    );
    assert_eq!(numbers(&created), [Some(1), Some(2), None, None]);
    assert!(matches!(created[3], Err(RepositoryError::Duplicate(_))));
    let id = fixtures::parts(1, 1).id.to_string();
    let found = find(&mut connection, &store_id, &id);
    assert_eq!(found.unwrap(), created.into_iter().next().unwrap().ok());
}

/// An import came between the two, and the one that would be kept was priced before it.
#[test]
fn a_repeated_order_is_no_duplicate_of_one_that_is_refused() {
    let (_database, mut connection, _) = prepared();
    let catalog: i64 = catalog_version::table
        .select(catalog_version::version)
        .first(&mut connection)
        .unwrap();
    let priced_with =
        |version| OrderWrite::create(fixtures::order(1, 1)).priced_with(CatalogVersion(version));
    let twins = vec![priced_with(catalog - 1), priced_with(catalog)];
    for outcome in write_group(&mut connection, twins).unwrap() {
        assert!(
            matches!(outcome, Err(RepositoryError::CatalogChanged)),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_batch_holds_orders_of_several_stores() {
    let (database, mut connection, _) = prepared();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    runtime().block_on(store.add(&fixtures::store(2))).unwrap();
    // Store 3 does not exist. The ids are the same in all stores.
    let batch = [(2, 1), (1, 1), (3, 1), (2, 2), (1, 2), (2, 1)].map(|(store, number)| {
        let mut parts = fixtures::parts(number, 2);
        parts.store_id = fixtures::store_id(store);
        NewOrder::new(parts).unwrap()
    });
    let created = create(&mut connection, batch.to_vec());
    assert_eq!(
        numbers(&created),
        [Some(1), Some(1), None, Some(2), Some(2), None]
    );
    assert!(matches!(created[2], Err(RepositoryError::Refused(_))));
    assert!(matches!(created[5], Err(RepositoryError::Duplicate(_))));
    for order in created.into_iter().flatten() {
        let (store_id, id) = (
            order.parts().store_id.to_string(),
            order.parts().id.to_string(),
        );
        let found = find(&mut connection, &store_id, &id);
        assert_eq!(found.unwrap(), Some(order));
    }
}

#[derive(QueryableByName)]
struct Scans {
    #[diesel(sql_type = BigInt)]
    sequential: i64,
    #[diesel(sql_type = BigInt)]
    by_index: i64,
}

/// A plan that is made once, while the tables are all but empty, has to serve them when they are
/// large.
#[test]
fn an_update_finds_its_rows_by_index_even_in_empty_tables() {
    let (_database, mut connection, _) = prepared();
    let order = create(&mut connection, vec![fixtures::order(1, 3)])
        .remove(0)
        .unwrap();
    for (mode, version) in [("force_generic_plan", 1), ("force_custom_plan", 2)] {
        connection
            .transaction(|connection| {
                connection.batch_execute(&format!("SET LOCAL plan_cache_mode = {mode}"))?;
                let mut parts = fixtures::parts(1, 2);
                parts.version = version + 1;
                let changed = Order::restore(parts, order.service_order_id().clone()).unwrap();
                let done = write_group(connection, vec![OrderWrite::update(changed, version)]);
                assert!(matches!(done.unwrap()[..], [Ok(_)]));
                // What the transaction did so far.
                let scans: Scans = sql_query(
                    "SELECT sum(seq_scan)::bigint AS sequential, sum(idx_scan)::bigint AS by_index \
                     FROM pg_stat_xact_user_tables WHERE relname IN ('orders', 'line_items')",
                )
                .get_result(connection)?;
                assert!(
                    scans.sequential == 0 && scans.by_index > 3,
                    "{mode}: {}",
                    scans.sequential
                );
                diesel::result::QueryResult::Ok(())
            })
            .unwrap();
    }
}
