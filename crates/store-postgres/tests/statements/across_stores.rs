//! Pins the query plans of lookups across stores: store by store, in an index.

use diesel::connection::SimpleConnection;

use crate::{explained, migrated_database, ports};

/// 200 stores with 100 shipments each. One shipment in ten has no tracking number; all others of a
/// store share one number. The shipments of one store have the ids of their orders.
const ROWS: &str = "
    INSERT INTO stores (store_id, name, prefix, currency, test, strict_catalog, require_timestamp,
        allow_unsigned_search, enabled, created_at, version)
    SELECT 'store-' || n, 'Shop', 'SHOP' || n, 'USD', false, false, false, false, true, 0, 1
    FROM generate_series(1, 200) AS n;
    INSERT INTO event_counters (store_id, last_sequence) SELECT store_id, 0 FROM stores;
    INSERT INTO orders (store_id, id, order_id, prefix, number, source, test, currency,
        shipping_address, art, bill, priced_at, fingerprint, size)
    SELECT store_id, '0197f3c2-0003-7c3a-9d52-' || lpad(to_hex(n), 12, '0'), 'order-' || n, prefix, n, 'store', false, 'USD', '{}', '[]', '{\"lines\":[]}', 0, 'x', 2000
    FROM stores, generate_series(1, 100) AS n;
    INSERT INTO shipments (store_id, order_uuid, position, id, tracking_number, document)
    SELECT store_id, id, 0, CASE prefix WHEN 'SHOP77' THEN id ELSE id || store_id END, CASE WHEN number % 10 > 0 THEN 'NONE' END, '{}'
    FROM orders";

/// Asserts that the statement `name` reads `index` once per store, with `rows` rows on average.
fn check(name: &str, index: &str, rows: &str) {
    let (_database, mut connection) = migrated_database();
    connection.batch_execute(ROWS).unwrap();
    let plan_for_any_values = "SET plan_cache_mode = force_generic_plan";
    for prepare in ["SET jit = off", "ANALYZE", plan_for_any_values] {
        connection.batch_execute(prepare).unwrap();
        let mut statements = ports().shipments().into_iter();
        let (_, statement) = statements.find(|(known, _)| *known == name).unwrap();
        let plan = explained(&mut connection, statement);
        let scan = plan.lines().find(|line| line.contains(index));
        let scan = scan.unwrap_or_else(|| panic!("{prepare}\n{plan}"));
        let of_each_store = scan.contains(rows) && scan.contains("loops=200");
        assert!(of_each_store, "{prepare}\n{plan}");
        assert!(!plan.contains("Seq Scan on shipments"), "{prepare}\n{plan}");
    }
}

#[test]
fn the_number_of_an_order_is_looked_up_store_by_store_by_its_id() {
    let (_database, mut connection) = migrated_database();
    connection.batch_execute(ROWS).unwrap();
    let plan_for_any_values = "SET plan_cache_mode = force_generic_plan";
    for prepare in ["SET jit = off", "ANALYZE", plan_for_any_values] {
        connection.batch_execute(prepare).unwrap();
        let (_, statement) = ports().number().remove(0);
        let plan = explained(&mut connection, statement);
        let scan = "Index Scan using orders_pkey on orders";
        assert!(plan.contains(scan), "{prepare}\n{plan}");
        assert!(!plan.contains("Seq Scan on orders"), "{prepare}\n{plan}");
    }
}

#[test]
fn shipments_are_looked_up_store_by_store_by_their_number() {
    let name = "shipments of any stores by the tracking number";
    check(name, "shipments_by_number", "rows=10");
}

#[test]
fn a_shipment_is_looked_up_store_by_store_by_its_id() {
    let name = "a shipment of any store by its id";
    check(name, "shipments_by_id", "rows=0");
}

#[test]
fn the_shipments_of_the_newest_orders_are_read_store_by_store() {
    let name = "the shipments of the newest orders of any stores";
    check(name, "shipments_pkey", "rows=10");
}
