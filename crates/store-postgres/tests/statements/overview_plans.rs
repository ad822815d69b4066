//! Pins how PostgreSQL reads what the overview and reports show: given orders by their keys, and the last hours and days as
//! ranges of keys.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_domain::figures::PlacedRange;
use pressline_domain::id::OrderId;
use pressline_domain::overview::Hours;
use pressline_domain::time::Timestamp;
use pressline_store_kit::{
    overview_documents, overview_lines, overview_parcels, overview_placed, placed_documents,
    placed_lines,
};
use pressline_store_postgres::test_support::overview_texts;

use crate::{explained, migrated_database};

/// 20 stores with a thousand orders each, each with an item, a state and a shipment.
const ROWS: &str = "
    INSERT INTO stores (store_id, name, prefix, currency, test, strict_catalog, require_timestamp, allow_unsigned_search,
        enabled, created_at, version)
    SELECT 'store-' || n, 'Shop', 'SHOP' || n, 'USD', false, false, false, false, true, 0, 1
    FROM generate_series(1, 20) AS n;
    INSERT INTO orders (store_id, id, order_id, prefix, number, source, test, currency,
        shipping_address, art, bill, priced_at, fingerprint, size)
    SELECT store_id, 'order-' || n, 'order-' || n, prefix, n, 'store', false, 'USD', '{}', '[]', '{\"lines\":[]}', 0, 'x', 2000
    FROM stores, generate_series(1, 1000) AS n;
    INSERT INTO order_states (store_id, id, version, updated_at, last_sequence, cooling_off_seconds, item_count, items,
        status_mask)
    SELECT store_id, id, 1, 0, 1, 0, 1, '[]', 1
    FROM orders;
    INSERT INTO line_items (store_id, order_uuid, position, id, name_given, sku, quantity)
    SELECT store_id, id, 0, 'item-' || number, false, 'MUG', 1
    FROM orders;
    INSERT INTO shipments (store_id, order_uuid, position, id, document)
    SELECT store_id, id, 0, 'shipment-' || number, '{}'
    FROM orders";

/// Checks that a statement reads these indexes and no whole table, whether the tables have statistics or not.
fn check(statement: impl Fn() -> Box<dyn QueryFragment<Pg>>, indexes: &[&str]) {
    let (_database, mut connection) = migrated_database();
    connection.batch_execute(ROWS).unwrap();
    let plan_for_any_values = "SET plan_cache_mode = force_generic_plan";
    for prepare in ["SELECT 1", "ANALYZE", plan_for_any_values] {
        connection.batch_execute(prepare).unwrap();
        let plan = explained(&mut connection, statement());
        for index in indexes {
            assert!(plan.contains(index), "{prepare}: {index}\n{plan}");
        }
        for table in ["orders", "order_states", "line_items", "shipments"] {
            let scan = format!("Seq Scan on {table}");
            assert!(!plan.contains(&scan), "{prepare}\n{plan}");
        }
    }
}

fn hours() -> Hours {
    Hours::until(Timestamp::from_millis(1_717_818_552_905))
}

#[test]
fn open_orders_are_read_by_their_keys() {
    let texts = overview_texts(false);
    check(
        || Box::new(overview_lines(texts)),
        &["orders_pkey", "order_states_pkey", "line_items_pkey"],
    );
    check(|| Box::new(overview_documents(texts)), &["shipments_pkey"]);
}

#[test]
fn the_last_hours_are_ranges_of_keys() {
    let texts = overview_texts(false);
    check(
        || Box::new(overview_placed(texts, hours())),
        &["orders_pkey"],
    );
    let parcels = || -> Box<dyn QueryFragment<Pg>> { Box::new(overview_parcels(texts, hours())) };
    check(parcels, &["shipments_by_id"]);
}

#[test]
fn placed_orders_are_ranges_of_keys() {
    let range = PlacedRange {
        store: "00000000-0000-0000-0000-000000000001".parse().unwrap(),
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        count: 500,
    };
    check(
        || Box::new(placed_lines(&range)),
        &["orders_pkey", "order_states_pkey", "line_items_pkey"],
    );
    let shipments = || -> Box<dyn QueryFragment<Pg>> {
        let [shipments, _] = placed_documents(&range);
        Box::new(shipments)
    };
    check(shipments, &["shipments_pkey"]);
}
