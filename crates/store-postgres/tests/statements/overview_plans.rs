//! Pins the query plans of the overview and the reports: orders by key, and the last hours and days
//! as key ranges.

use diesel::connection::SimpleConnection;

use crate::{explained, migrated_database, ports};

/// 20 stores with 1,000 orders each. Each order has an item, a state and a shipment.
const ROWS: &str = "
    INSERT INTO stores (store_id, name, prefix, currency, test, strict_catalog, require_timestamp, allow_unsigned_search,
        enabled, created_at, version)
    SELECT '0197f3c2-0001-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 'Shop', 'SHOP' || n, 'USD', false, false, false, false, true, 0, 1
    FROM generate_series(1, 20) AS n;
    INSERT INTO orders (store_id, id, order_id, prefix, number, source, test, currency,
        shipping_address, art, bill, priced_at, fingerprint, size)
    SELECT store_id, '0197f3c2-0003-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 'order-' || n, prefix, n, 'store', false, 'USD', '{}', '[]', '{\"lines\":[]}', 0, 'x', 2000
    FROM stores, generate_series(1, 1000) AS n;
    INSERT INTO order_states (store_id, id, version, updated_at, last_sequence, cooling_off_seconds, item_count, items,
        status_bitmask)
    SELECT store_id, id, 1, 0, 1, 0, 1, '[]', 1
    FROM orders;
    INSERT INTO line_items (store_id, order_uuid, position, id, name_given, sku, quantity)
    SELECT store_id, id, 0, 'item-' || number, false, 'MUG', 1
    FROM orders;
    INSERT INTO shipments (store_id, order_uuid, position, id, document)
    SELECT store_id, id, 0, 'shipment-' || number, '{}'
    FROM orders";

/// Asserts that the statement `name` reads `indexes` and scans no whole table, with and without
/// statistics.
fn check(name: &str, indexes: &[&str]) {
    let (_database, mut connection) = migrated_database();
    connection.batch_execute(ROWS).unwrap();
    let plan_for_any_values = "SET plan_cache_mode = force_generic_plan";
    for prepare in ["SELECT 1", "ANALYZE", plan_for_any_values] {
        connection.batch_execute(prepare).unwrap();
        let mut statements = ports().overview().into_iter().chain(ports().placed());
        let (_, statement) = statements.find(|(known, _)| *known == name).unwrap();
        let plan = explained(&mut connection, statement);
        for index in indexes {
            assert!(plan.contains(index), "{prepare}: {index}\n{plan}");
        }
        for table in ["orders", "order_states", "line_items", "shipments"] {
            let scan = format!("Seq Scan on {table}");
            assert!(!plan.contains(&scan), "{prepare}\n{plan}");
        }
    }
}

#[test]
fn open_orders_are_read_by_their_keys() {
    check(
        "open orders of any stores",
        &[
            "orders_pkey",
            "order_states_pkey",
            "line_items_pkey",
            "shipments_pkey",
        ],
    );
}

#[test]
fn the_last_hours_are_ranges_of_keys() {
    check("orders of any stores by hour", &["orders_pkey"]);
    check("parcels of any stores by hour", &["shipments_by_id"]);
}

#[test]
fn placed_orders_are_ranges_of_keys() {
    check(
        "placed orders of a store",
        &[
            "orders_pkey",
            "order_states_pkey",
            "line_items_pkey",
            "shipments_pkey",
        ],
    );
}
