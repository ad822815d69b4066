//! Chunks of the word index that new orders are assigned to.

use diesel::PgConnection;
use pressline_domain::order::OrderRepository;
use pressline_store_postgres::test_support;
use pressline_testkit::Database;

use crate::calls::{Calls, create, spawn, until};
use crate::databases::{begin, commit, connection, database, number, prepare, waiting_for_locks};
use crate::fixtures;

use super::{patient, prepared};

/// Returns the chunk of each order in `numbers`.
fn chunks_of(database: &Database, numbers: &[u32]) -> Vec<i64> {
    let mut connection = connection(database);
    let chunk = |order: &u32| {
        let id = fixtures::parts(*order, 1).id;
        let chunk = format!("SELECT chunk FROM order_words WHERE id = '{id}'");
        number(&mut connection, &chunk)
    };
    numbers.iter().map(chunk).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_ends_at_a_number_and_late_orders_join_the_chunk_of_their_time() {
    let database = database();
    let store = test_support::with_chunks(database.url(), &test_support::patient(), 4).unwrap();
    prepare(&store, 1).await;
    // The last ids arrive late: 5, 9 and 1 are older than stored orders.
    let numbers = [2, 4, 6, 8, 10, 12, 14, 5, 9, 16, 18, 1];
    for number in numbers {
        let write = create(fixtures::order(number, 1));
        store.write(write).await.unwrap();
    }
    assert_eq!(
        chunks_of(&database, &numbers),
        [1, 1, 1, 1, 2, 2, 2, 1, 2, 3, 3, 1]
    );
}

/// Begins a chunk as another server would. The transaction stays open, so the waiting statement
/// does not see the new chunk.
fn begin_chunk(database: &Database) -> PgConnection {
    let begin_chunk = include_str!("../../../src/order/sql/begin_chunk.sql");
    let store_id = format!("'{}'", fixtures::store_id(1));
    begin(database, &begin_chunk.replace(":store_id", &store_id))
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_waiting_for_a_new_chunk_join_the_chunk_of_their_time() {
    // An id before the existing orders, and an id after them.
    for waiting in [5, 20] {
        let (database, store) = prepared(&patient()).await;
        for number in [10, 11] {
            let write = create(fixtures::order(number, 1));
            store.write(write).await.unwrap();
        }
        let mut other = begin_chunk(&database);
        let (mut calls, groups) = (Calls::new(), store.writes().groups);
        spawn(&mut calls, &store, create(fixtures::order(waiting, 1)));
        until(|| store.writes().groups > groups).await;
        until(|| waiting_for_locks(&database) > 0).await;
        commit(&mut other);
        calls.join_next().await.unwrap().unwrap().unwrap();
        let chunk = if waiting < 10 { 1 } else { 2 };
        assert_eq!(
            chunks_of(&database, &[10, 11, waiting]),
            [1, 1, chunk],
            "{waiting}"
        );
    }
}
