//! Size of new orders: bytes of the write-ahead log, rows and index entries. No figure depends on
//! the machine.

use diesel::PgConnection;
use diesel::connection::SimpleConnection;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, Change, HoldCommand, release};
use pressline_domain::order::{Order, OrderWrite};
use pressline_domain::value::Timestamp;
use pressline_store_postgres::{PostgresConfig, PostgresStore, test_support};
use pressline_testkit::{Database, Postgres};

use crate::databases::{connection, number, prepare};
use crate::fixtures;

const ITEMS: u32 = 3;
/// Orders per group, as on a busy server.
const GROUP: u32 = 32;
/// Number of measured groups: enough that splits of index pages even out.
const GROUPS: u32 = 20;

/// Maximum number of log bytes per order in groups, without page images. Slightly above the
/// measured 7,983, including 900 for state and event and 150 for the status index.
const MOST_BYTES: i64 = 8_200;
/// The same limit for an order that is written alone. Measured: 8,208.
const MOST_BYTES_ALONE: i64 = 8_450;
/// Maximum number of log bytes per move of an order in groups. Measured: 1,537.
const MOST_BYTES_OF_MOVE: i64 = 2_000;
/// Maximum number of entries in all indexes per order, including the status index's entry.
const MOST_ENTRIES: i64 = 29;

/// Starts a separate cluster, because other tests would write to its log, too. It writes no page
/// images. Returns it with a database that has one store, and with a connection to this database.
async fn measured() -> (Postgres, Database, PgConnection) {
    let cluster = Postgres::options()
        .setting("autovacuum", "off")
        .start()
        .unwrap();
    let database = cluster.create_database().unwrap();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    prepare(&store, 1).await;
    let connection = connection(&database);
    (cluster, database, connection)
}

/// Bytes written to the log so far.
const WRITTEN: &str = "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";

/// Writes `groups` groups of `size` orders, numbered from `from`. Returns the log bytes per order.
fn bytes_per_order(connection: &mut PgConnection, from: u32, groups: u32, size: u32) -> i64 {
    let before = number(connection, WRITTEN);
    for group in 0..groups {
        let numbers = (0..size).map(|place| from + group * size + place);
        let writes = numbers.map(|number| OrderWrite::create(fixtures::order(number, ITEMS)));
        let results = test_support::write_group(connection, writes.collect()).unwrap();
        assert!(results.iter().all(Result::is_ok));
    }
    (number(connection, WRITTEN) - before) / i64::from(groups * size)
}

/// Returns the index entries per order: one per row in each B-tree, and one per word.
fn entries_per_order(connection: &mut PgConnection) -> i64 {
    let b_trees = |table: &str| {
        format!(
            "(SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid \
             JOIN pg_am ON pg_am.oid = relam WHERE indrelid = '{table}'::regclass AND amname = 'btree')"
        )
    };
    let sum = format!(
        "(({} + {} + {} + {}) * (SELECT count(*) FROM orders) + {} * (SELECT count(*) FROM line_items) \
         + (SELECT sum(length(words)) FROM order_words)) / (SELECT count(*) FROM orders)",
        b_trees("orders"),
        b_trees("order_words"),
        b_trees("order_states"),
        b_trees("order_events"),
        b_trees("line_items"),
    );
    number(connection, &sum)
}

#[tokio::test]
async fn an_order_writes_no_more_than_measured() {
    let (_cluster, _database, mut connection) = measured().await;
    connection.batch_execute("CHECKPOINT").unwrap();
    bytes_per_order(&mut connection, 1, GROUPS, GROUP);
    let grouped = bytes_per_order(&mut connection, 10_001, GROUPS, GROUP);
    let alone = bytes_per_order(&mut connection, 20_001, GROUPS * GROUP, 1);
    let entries = entries_per_order(&mut connection);
    assert!(
        grouped <= MOST_BYTES && alone <= MOST_BYTES_ALONE && entries <= MOST_ENTRIES,
        "per order {grouped} bytes in groups, {alone} alone, {entries} index entries"
    );
    let items = number(&mut connection, "SELECT count(*) FROM line_items");
    let orders = number(&mut connection, "SELECT count(*) FROM orders");
    let words = number(&mut connection, "SELECT count(*) FROM order_words");
    assert_eq!((items, words), (orders * i64::from(ITEMS), orders));
}

/// Returns a change that puts the order's items on hold, or releases them.
fn moved(order: &Order) -> Change {
    let caller = Caller {
        actor: Actor::Store(fixtures::store(1).keys.first().unwrap().id),
        request_id: Some("0197f3c2-0009-7c3a-9d52-000000000001".to_owned()),
    };
    let context = caller.at(Timestamp::from_millis(fixtures::NOW));
    let hold = HoldCommand {
        items: None,
        until: None,
        change: "0197f3c2-0009-7c3a-9d52-000000000002".parse().unwrap(),
    };
    let is_held = order.state.items.first().unwrap().held_by.is_some();
    let decision = if is_held {
        release(order, None, &context)
    } else {
        pressline_domain::fulfilment::hold(order, &hold, &context)
    };
    pressline_contract::made(decision.unwrap()).unwrap()
}

#[tokio::test]
async fn a_status_move_writes_few_bytes() {
    let (_cluster, _database, mut connection) = measured().await;
    let new = (1..=GROUP).map(|number| OrderWrite::create(fixtures::order(number, ITEMS)));
    let created = test_support::write_group(&mut connection, new.collect()).unwrap();
    let mut orders: Vec<Order> = created.into_iter().map(Result::unwrap).collect();
    connection.batch_execute("CHECKPOINT").unwrap();
    let before = number(&mut connection, WRITTEN);
    for _ in 0..GROUPS {
        let writes = orders.iter().map(|order| OrderWrite::change(moved(order)));
        let done = test_support::write_group(&mut connection, writes.collect()).unwrap();
        orders = done.into_iter().map(Result::unwrap).collect();
    }
    let written = number(&mut connection, WRITTEN) - before;
    let bytes = written / i64::from(GROUPS * GROUP);
    assert!(bytes <= MOST_BYTES_OF_MOVE, "{bytes} bytes for each move");
}
