//! A database with many orders, and the plans of the statements that read them.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::value::{OrderId, Timestamp};
use pressline_store_kit::Window;
use pressline_store_postgres::test_support::{Key, matching, newest, page_ids};
use pressline_testkit::Database;

use crate::{explained, migrated_database};

pub(crate) const STORE: &str = "0197f3c2-0001-7c3a-9d52-000000000001";

/// 20,000 orders of two stores, in chunks of 1,000. One order has the word `rare`, all have
/// `common`, every second has `half`. In each store, the oldest 500 have `old500`, the newest 50
/// have `new50` and so on; all but the newest hundred have `behind`.
const ROWS: &str = "
    INSERT INTO stores (store_id, name, prefix, currency, test, strict_catalog, require_timestamp,
        allow_unsigned_search, enabled, created_at, version)
    SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || n, 'Shop', 'SHOP' || n, 'USD',
        false, false, false, false, true, 0, 1 FROM generate_series(1, 2) AS n;
    INSERT INTO orders (store_id, id, order_id, prefix, number, source, test, currency,
        shipping_address, art, bill, priced_at, fingerprint, size)
    SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || 1 + n % 2,
        overlay(gen_random_uuid()::text PLACING '00000000-' || lpad(to_hex(n / 3), 4, '0') FROM 1 FOR 13),
        'order-' || n, 'SHOP' || 1 + n % 2, n, 'store', false, 'USD', '{}', '[]', '{\"lines\":[]}', 0, 'x', 2000
    FROM generate_series(1, 20000) AS n;
    INSERT INTO order_states (store_id, id, version, updated_at, last_sequence, cooling_off_seconds, item_count, items, status_bitmask)
    SELECT store_id, id, 1, 0, 1, 3600, 0, '[]', CASE WHEN number % 1000 = 7 THEN 2304 ELSE 2080 END FROM orders;
    INSERT INTO order_words (store_id, id, chunk, words)
    SELECT store_id, id, chunk,
        array_to_tsvector(ARRAY[mark || 'common', mark || 'order-' || n,
            mark || CASE WHEN n = 777 THEN 'rare' ELSE 'w' || n % 97 END]
            || ARRAY(SELECT mark || 'old' || many FROM generate_series(499, 502) AS many
                WHERE (n + 1) / 2 <= many)
            || ARRAY(SELECT mark || 'new' || many FROM unnest(ARRAY[20, 21, 50]) AS many
                WHERE (n + 1) / 2 > 10000 - many)
            || ARRAY(SELECT mark || 'behind' WHERE (n + 1) / 2 BETWEEN 8001 AND 9900)
            || ARRAY(SELECT mark || 'half' WHERE n % 4 < 2))
    FROM (
        SELECT *, number AS n, (1 + (row_number() OVER (PARTITION BY store_id ORDER BY id) - 1) / 1000)::integer AS chunk
        FROM orders
    ) AS numbered, LATERAL (SELECT left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4) AS mark) AS marked;
    INSERT INTO store_counters (store_id, last_number, chunks_from)
    SELECT store_id, 20000, array_agg(CASE chunk WHEN 1 THEN '' ELSE from_id END ORDER BY chunk)
    FROM (SELECT store_id, chunk, min(id) AS from_id FROM order_words GROUP BY store_id, chunk) AS chunks
    GROUP BY store_id";

diesel::table! {
    order_words (store_id, id) {
        store_id -> Text,
        id -> Text,
    }
}

pub(crate) struct Filled {
    pub(crate) connection: PgConnection,
    _database: Database,
}

pub(crate) fn migrated() -> Filled {
    let (database, connection) = migrated_database();
    Filled {
        connection,
        _database: database,
    }
}

/// The same orders in tables without statistics.
pub(crate) fn filled_without_statistics() -> Filled {
    let mut filled = migrated();
    filled
        .connection
        .batch_execute("ALTER TABLE order_words SET (autovacuum_enabled = off)")
        .unwrap();
    filled.connection.batch_execute(ROWS).unwrap();
    filled
}

pub(crate) fn filled() -> Filled {
    let mut filled = filled_without_statistics();
    filled
        .connection
        .batch_execute("VACUUM ANALYZE orders, order_words")
        .unwrap();
    filled
}

impl Filled {
    pub(crate) fn page(&mut self, key: &Key, window: &Window) -> Vec<String> {
        page_ids(&mut self.connection, STORE, key, window).unwrap()
    }

    /// Returns the ids of all orders with the words of `key`, newest first, found without an index.
    pub(crate) fn having(&mut self, key: &str) -> Vec<String> {
        let words = key.split(' ').map(|word| {
            format!(
                "EXISTS (SELECT FROM unnest(words) WHERE starts_with(substr(lexeme, 5), '{word}'))"
            )
        });
        let has = words.collect::<Vec<_>>().join(" AND ");
        let mut all: Vec<String> = order_words::table
            .filter(order_words::store_id.eq(STORE))
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>(&has))
            .select(order_words::id)
            .load(&mut self.connection)
            .unwrap();
        all.sort_by(|a, b| b.cmp(a));
        all
    }

    /// Returns the plan of a page of the newest orders, or of the orders that match `key`.
    pub(crate) fn plan_page(&mut self, key: Option<&Key>, window: &Window) -> String {
        match key {
            None => explained(&mut self.connection, newest(STORE, window)),
            Some(key) => explained(&mut self.connection, matching(STORE, key, window)),
        }
    }
}

/// Returns the bound between ids made before `millis` and later ids, in milliseconds since 1970.
pub(crate) fn first_of(millis: i64) -> String {
    OrderId::first_of(Timestamp::from_millis(millis)).to_string()
}

pub(crate) fn window(offset: i64) -> Window {
    Window {
        from: OrderId::LOWEST.to_string(),
        before: OrderId::HIGHEST.to_string(),
        offset,
        limit: 21,
        bytes: u64::MAX,
    }
}
