//! Counts the rows that PostgreSQL reads for one subscription among 10,000 subscriptions and
//! 100,000 deliveries.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use pressline_backoffice::webhook::{EndpointDirectory, SubscriptionKey, SubscriptionRepository};
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::test_support::patient;
use pressline_store_postgres::{ColdStore, PostgresStore};
use pressline_testkit::Database;

use crate::endpoints::{NOW, endpoint};
use crate::places::PARTITIONED;
use crate::webhook_work::{ask, prune, work};
use crate::{fixtures, migrated_database, runtime};

/// Number of repetitions: PostgreSQL may choose another plan for a repeated statement.
const REPEATS: usize = 12;
/// Maximum number of rows of a table that one repetition reads by index. A few statements may read
/// the 5,000 messages of the subscription.
const MOST_READ: i64 = 20_000;
const SUBSCRIPTIONS: i64 = 10_000;

/// Tables with a row per subscription, message, delivery or event.
const LARGE: [&str; 4] = [
    "webhook_subscriptions",
    "webhook_messages",
    "webhook_deliveries",
    "order_events",
];

/// 10,000 subscriptions of as many stores. The first subscription has half of the messages and
/// deliveries.
const ROWS: &str = "
    INSERT INTO stores
    SELECT (jsonb_populate_record(stores, jsonb_build_object('store_id',
        '0197f3c2-000a-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 'prefix', 'HOOK' || n))).*
    FROM stores CROSS JOIN generate_series(1, 9999) AS n;
    INSERT INTO event_counters (store_id, last_sequence)
    SELECT store_id, 100000 FROM stores
    ON CONFLICT (store_id) DO UPDATE SET last_sequence = excluded.last_sequence;
    INSERT INTO webhook_endpoints
    SELECT (jsonb_populate_record(webhook_endpoints, jsonb_build_object('endpoint_id',
        '0197f3c2-000b-7c3a-9d52-000000000001', 'store_id', NULL))).*
    FROM webhook_endpoints;
    INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor)
    SELECT store_id, '0197f3c2-000b-7c3a-9d52-000000000001', 50000 FROM stores WHERE prefix LIKE 'HOOK%'
    ON CONFLICT DO NOTHING;
    UPDATE webhook_subscriptions SET cursor = 50000;
    INSERT INTO webhook_messages (store_id, endpoint_id, sequence, order_uuid, attempts, due, waits)
    SELECT store_id, endpoint_id, n, '0197f3c2-000c-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 1, n, false
    FROM (SELECT *, row_number() OVER (ORDER BY store_id, endpoint_id) AS place FROM webhook_subscriptions) AS subscriptions
    CROSS JOIN LATERAL generate_series(1, CASE place WHEN 1 THEN 5000 ELSE place % 2 END) AS n;
    INSERT INTO webhook_deliveries (store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid, order_id,
        attempt, error, started_at, duration_ms)
    SELECT store_id, '0197f3c2-000d-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), endpoint_id, 'evt', 'order.created', n,
        '0197f3c2-000c-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 'T', 1, CASE n % 10 WHEN 0 THEN 'status' END,
        1717000000000, 3
    FROM (SELECT *, row_number() OVER (ORDER BY store_id, endpoint_id) AS place FROM webhook_subscriptions) AS subscriptions
    CROSS JOIN LATERAL generate_series(1, CASE place WHEN 1 THEN 50000 ELSE 5 END) AS n;
    INSERT INTO order_events (store_id, sequence, happened_at, kind, actor, moves, endpoint_id)
    SELECT store_id, n, 0, 'webhook.disabled', 'service', '[]', 'x'
    FROM stores CROSS JOIN generate_series(1, 50001) AS n WHERE prefix NOT LIKE 'HOOK%'";

const STATISTICS: &str = "
    ANALYZE stores, event_counters, webhook_endpoints, webhook_subscriptions, webhook_messages, webhook_deliveries, order_events";

/// Reads of a table so far.
#[derive(Debug, Clone, QueryableByName)]
struct Read {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    scans: i64,
    /// Rows read by scans of the whole table.
    #[diesel(sql_type = BigInt)]
    whole: i64,
    /// Rows read by index.
    #[diesel(sql_type = BigInt)]
    by_index: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

struct Filled {
    database: Database,
    connection: PgConnection,
    subscription: SubscriptionKey,
}

fn connect(database: &Database) -> ColdStore {
    let store = PostgresStore::connect(database.url(), &patient());
    store.unwrap().cold()
}

/// Creates a subscription in tables changed by the statements `tables`, and no other rows.
fn empty(tables: Option<&str>) -> Filled {
    let (database, mut connection) = migrated_database();
    if let Some(change) = tables {
        connection.batch_execute(change).unwrap();
    }
    let record = endpoint(fixtures::store_id(1));
    let store = connect(&database);
    runtime().block_on(async {
        StoreDirectory::add(&store, &fixtures::store(1))
            .await
            .unwrap();
        EndpointDirectory::add(&store, &record, 10).await.unwrap();
    });
    let subscription = SubscriptionKey {
        store: fixtures::store_id(1),
        endpoint: record.endpoint.id,
    };
    Filled {
        database,
        connection,
        subscription,
    }
}

/// Fills tables changed by the statements `tables`, with or without statistics.
fn filled(tables: Option<&str>, statistics: bool) -> Filled {
    let mut filled = empty(tables);
    filled.fill();
    if statistics {
        filled.connection.batch_execute(STATISTICS).unwrap();
    }
    filled
}

impl Filled {
    fn fill(&mut self) {
        // Counts the reads of this connection before the first measurement.
        const COUNT: &str = "SELECT pg_stat_force_next_flush()";
        self.connection.batch_execute(ROWS).unwrap();
        self.connection.batch_execute(COUNT).unwrap();
    }

    /// Returns the reads of each table. Other connections report theirs when they close.
    fn counters(&mut self) -> BTreeMap<String, Read> {
        const OTHERS: &str = "SELECT count(*) AS value FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        let begin = Instant::now();
        while sql_query(OTHERS)
            .get_result::<Number>(&mut self.connection)
            .unwrap()
            .value
            > 0
        {
            assert!(begin.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(10));
        }
        let read: Vec<Read> = sql_query(
            "SELECT relname::text AS name, seq_scan + coalesce(idx_scan, 0) AS scans, seq_tup_read AS whole,
                 coalesce(idx_tup_fetch, 0) AS by_index
             FROM pg_stat_user_tables",
        )
        .load(&mut self.connection)
        .unwrap();
        let read = read.into_iter();
        read.map(|read| (read.name.clone(), read)).collect()
    }

    /// Returns the reads of each table by `calls`, repeated [`REPEATS`] times.
    fn read_by(
        &mut self,
        calls: impl AsyncFn(&ColdStore, SubscriptionKey),
    ) -> BTreeMap<String, Read> {
        let before = self.counters();
        let store = connect(&self.database);
        runtime().block_on(async {
            for _ in 0..REPEATS {
                calls(&store, self.subscription).await;
            }
        });
        drop(store);
        let mut read = self.counters();
        for (name, read) in &mut read {
            let before = before.get(name).unwrap();
            read.scans -= before.scans;
            read.whole -= before.whole;
            read.by_index -= before.by_index;
        }
        read
    }
}

#[test]
fn calls_of_worker_and_endpoint_owner_scan_no_large_table() {
    let repeats = i64::try_from(REPEATS).unwrap();
    for statistics in [true, false] {
        let mut filled = filled(None, statistics);
        let worker = filled.read_by(async |store, subscription| work(store, subscription).await);
        let pruning = filled.read_by(async |store, _| prune(store).await);
        let owner = filled.read_by(async |store, subscription| ask(store, subscription).await);
        for read in [worker, pruning, owner] {
            for read in LARGE.map(|table| &read[table]) {
                assert_eq!(read.whole, 0, "{read:?}");
                assert!(read.by_index <= repeats * MOST_READ, "{read:?}");
            }
        }
    }
}

#[test]
fn a_worker_started_with_empty_tables_scans_no_large_table() {
    let mut filled = empty(None);
    // The worker's connections plan their statements while the tables are empty.
    let store = connect(&filled.database);
    let run = async |repeats: usize| {
        for _ in 0..repeats {
            work(&store, filled.subscription).await;
        }
    };
    runtime().block_on(run(5 * REPEATS));
    let emptied = "DELETE FROM webhook_messages; DELETE FROM webhook_deliveries";
    filled.connection.batch_execute(emptied).unwrap();
    filled.connection.batch_execute(ROWS).unwrap();
    runtime().block_on(run(REPEATS));
    drop(store);
    let repeats = i64::try_from(6 * REPEATS).unwrap();
    for read in LARGE.map(|table| filled.counters().remove(table).unwrap()) {
        // Filling reads rows, too. Reading half of the deliveries in each repetition would be
        // 3,600,000 rows.
        assert!(
            read.by_index + read.whole <= repeats * MOST_READ,
            "{read:?}"
        );
    }
}

#[test]
fn a_poll_for_pending_events_reads_each_subscription_at_most_twice() {
    for statistics in [true, false] {
        let look = async |store: &ColdStore, _: SubscriptionKey| {
            store.with_pending_events(NOW, 256).await.unwrap();
        };
        let read = filled(None, statistics).read_by(look);
        // Each poll reads them twice: for pending events, and for stores created after an endpoint
        // for all stores.
        let subscriptions = i64::try_from(REPEATS).unwrap() * 2 * (SUBSCRIPTIONS + 1);
        for read in LARGE.map(|table| &read[table]) {
            let limit = if read.name == "webhook_subscriptions" {
                subscriptions
            } else {
                0
            };
            assert!(read.whole + read.by_index <= limit + MOST_READ, "{read:?}");
        }
    }
}

#[test]
fn calls_of_worker_and_endpoint_owner_read_one_of_sixteen_partitions() {
    let mut filled = filled(Some(PARTITIONED), true);
    let read = filled.read_by(async |store, subscription| {
        work(store, subscription).await;
        ask(store, subscription).await;
    });
    for table in LARGE {
        let parts = read.values().filter(|read| {
            let part = read.name.strip_prefix(table);
            part.is_some_and(|part| part.starts_with("_part")) && read.scans > 0
        });
        let parts: Vec<&Read> = parts.collect();
        assert_eq!(parts.len(), 1, "{table}: {parts:?}");
    }
}
