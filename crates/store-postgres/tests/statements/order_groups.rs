//! Several orders in one transaction.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Order, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_store_postgres::test_support::{find, write_group};
use pressline_testkit::Database;

use crate::shared_order_groups::{self, Connected, Outcome, assert_created, create};
use crate::{fixtures, migrated_database, runtime};

fn prepared() -> (Database, PgConnection) {
    let (database, connection) = migrated_database();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    runtime()
        .block_on(store.cold().add(&fixtures::store(1)))
        .unwrap();
    (database, connection)
}

impl Connected for PgConnection {
    fn write(&mut self, writes: Vec<OrderWrite>) -> Vec<Outcome> {
        write_group(self, writes).unwrap()
    }

    fn stored(&mut self, order: &Order) -> Option<Order> {
        let parts = order.parts();
        let (store_id, id) = (parts.store_id.to_string(), parts.id.to_string());
        find(self, &store_id, &id).unwrap()
    }
}

#[test]
fn a_duplicate_does_not_affect_other_orders_of_its_batch() {
    let (_database, mut connection) = prepared();
    shared_order_groups::a_duplicate_harms_no_other_order(&mut connection);
}

/// The batch contains the same order twice, with the same items.
#[test]
fn a_repeated_order_of_a_batch_is_stored_once() {
    let (_database, mut connection) = prepared();
    let order = fixtures::order(1, 3);
    let (second, twin) = (fixtures::order(2, 1), order.clone());
    let created = create(&mut connection, vec![order.clone(), second, twin, order]);
    assert!(matches!(created[3], Err(RepositoryError::Duplicate(_))));
    assert_created(&mut connection, created, &[Some(1), Some(2), None, None]);
}

/// An import came between the two requests. The first twin, which would be stored, was priced
/// before it; both get `CatalogChanged`.
#[test]
fn an_order_is_not_a_duplicate_of_a_refused_one() {
    let (_database, mut connection) = prepared();
    let version = sql::<BigInt>("SELECT version FROM catalog_version");
    let catalog: i64 = version.get_result(&mut connection).unwrap();
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
    let (database, mut connection) = prepared();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    runtime()
        .block_on(store.cold().add(&fixtures::store(2)))
        .unwrap();
    // Store 3 does not exist. The order ids are the same in all stores.
    let batch = [(2, 1), (1, 1), (3, 1), (2, 2), (1, 2), (2, 1)].map(|(store, number)| {
        let mut parts = fixtures::parts(number, 2);
        parts.store_id = fixtures::store_id(store);
        fixtures::placed(parts)
    });
    let created = create(&mut connection, batch.to_vec());
    assert!(matches!(created[2], Err(RepositoryError::Refused(_))));
    assert!(matches!(created[5], Err(RepositoryError::Duplicate(_))));
    let numbers = [Some(1), Some(1), None, Some(2), Some(2), None];
    assert_created(&mut connection, created, &numbers);
}

#[derive(QueryableByName)]
struct Scans {
    #[diesel(sql_type = BigInt)]
    sequential: i64,
    #[diesel(sql_type = BigInt)]
    by_index: i64,
}

/// A plan that was made while the tables were nearly empty must also serve large tables.
#[test]
fn an_update_finds_its_rows_by_index_even_in_empty_tables() {
    let (_database, mut connection) = prepared();
    let mut order = create(&mut connection, vec![fixtures::order(1, 3)])
        .remove(0)
        .unwrap();
    for (mode, email) in [
        ("force_generic_plan", "1@example.com"),
        ("force_custom_plan", "2@example.com"),
    ] {
        connection
            .transaction(|connection| {
                connection.batch_execute(&format!("SET LOCAL plan_cache_mode = {mode}"))?;
                let mut parts = fixtures::parts(1, 2);
                parts.email = Some(email.to_owned());
                let done = write_group(connection, vec![OrderWrite::change(crate::changes::changed(&order, parts))]);
                order = done.unwrap().remove(0).unwrap();
                // Scans of this transaction so far.
                let scans: Scans = sql_query(
                    "SELECT sum(seq_scan)::bigint AS sequential, sum(idx_scan)::bigint AS by_index \
                     FROM pg_stat_xact_user_tables WHERE relname IN ('orders', 'order_words', 'line_items', 'order_states')",
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
