//! Chunks of the word index that new orders are assigned to.

use diesel::prelude::*;
use diesel::sql_types::{Integer, Text};
use diesel::{PgConnection, sql_query};
use pressline_domain::order::OrderRepository;
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::OrderId;
use pressline_store_postgres::test_support;
use pressline_testkit::{Database, Postgres};

use crate::calls::{Calls, create, spawn, until};
use crate::fixtures;

use super::{patient, prepared, unlock};

#[derive(QueryableByName)]
struct Chunk {
    #[diesel(sql_type = Integer)]
    chunk: i32,
}

/// Returns the chunk of each order in `numbers`.
fn chunks_of(database: &Database, numbers: &[u32]) -> Vec<i32> {
    let mut connection = PgConnection::establish(database.url()).unwrap();
    let chunk = |number: &u32| {
        let id: OrderId = fixtures::parts(*number, 1).id;
        sql_query("SELECT chunk FROM order_words WHERE id = $1")
            .bind::<Text, _>(id.to_string())
            .get_result::<Chunk>(&mut connection)
            .unwrap()
            .chunk
    };
    numbers.iter().map(chunk).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_ends_at_a_number_and_late_orders_join_the_chunk_of_their_time() {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let store = test_support::with_chunks(database.url(), &test_support::patient(), 4).unwrap();
    store.migrate().await.unwrap();
    store.cold().add(&fixtures::store(1)).await.unwrap();
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
    use diesel::connection::SimpleConnection;

    let begin = include_str!("../../../src/order/sql/begin_chunk.sql");
    let store_id = format!("'{}'", fixtures::store_id(1));
    let mut connection = PgConnection::establish(database.url()).unwrap();
    connection
        .batch_execute(&format!("BEGIN; {}", begin.replace(":store_id", &store_id)))
        .unwrap();
    connection
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
        wait_for_lock(&database);
        unlock(&mut other);
        calls.join_next().await.unwrap().unwrap().unwrap();
        let chunk = if waiting < 10 { 1 } else { 2 };
        assert_eq!(
            chunks_of(&database, &[10, 11, waiting]),
            [1, 1, chunk],
            "{waiting}"
        );
    }
}

fn wait_for_lock(database: &Database) {
    #[derive(QueryableByName)]
    struct Waiting {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    let mut connection = PgConnection::establish(database.url()).unwrap();
    loop {
        let waiting: Waiting = sql_query(
            "SELECT count(*) AS count FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .get_result(&mut connection)
        .unwrap();
        if waiting.count > 0 {
            return;
        }
    }
}
