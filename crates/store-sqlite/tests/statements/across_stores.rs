//! Pins the query plans of lookups across stores: store by store, in an index.

use std::path::Path;

use crate::{plan_of, ports};

/// Asserts that the plan of the statement `name` contains the step `search`, and not `avoided`.
fn assert_plan(name: &str, search: &str, avoided: &str) {
    let plan = plan_of(name, ports().shipments());
    assert!(plan.contains(search), "{plan}");
    assert!(!plan.contains(avoided), "{plan}");
}

#[test]
fn shipments_are_looked_up_store_by_store_by_their_number() {
    assert_plan(
        "shipments of any stores by the tracking number",
        "SEARCH wanted USING COVERING INDEX shipments_by_number (store_id=? AND tracking_number=?)",
        "SCAN shipments",
    );
}

#[test]
fn a_shipment_is_looked_up_store_by_store_by_its_id() {
    assert_plan(
        "a shipment of any store by its id",
        "SEARCH wanted USING COVERING INDEX shipments_by_id (store_id=? AND id=?)",
        "SCAN shipments",
    );
}

#[test]
fn the_number_of_an_order_is_looked_up_store_by_store_by_its_id() {
    let plan = plan_of("the number of an order of any store", ports().number());
    let search = "SEARCH orders USING INDEX sqlite_autoindex_orders_1 (store_id=? AND id=?)";
    assert!(plan.contains(search), "{plan}");
    assert!(!plan.contains("SCAN orders"), "{plan}");
}

#[test]
fn shipments_of_a_store_are_read_in_primary_key_order() {
    assert_plan(
        "the shipments of the newest orders of a store",
        "SEARCH found USING PRIMARY KEY (store_id=? AND order_uuid>? AND order_uuid<?)",
        "TEMP B-TREE",
    );
}

/// Files of statements that do not name a store.
const OF_ANY_STORE: [&str; 4] = [
    "due_stores.sql",
    "number_of_any.sqlite.sql",
    "shipments_by_id.sqlite.sql",
    "shipments_by_number.sqlite.sql",
];

#[test]
fn the_statements_over_several_stores_are_listed() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in ["store-sqlite/src/order/sql", "store-kit/src/order/sql"] {
        for entry in std::fs::read_dir(crates.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            if text.contains("store_counters") && !text.contains(":store_id") {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    assert_eq!(found, OF_ANY_STORE);
}
