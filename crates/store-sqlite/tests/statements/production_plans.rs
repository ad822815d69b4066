//! Pins the query plans of production and placed orders: by key, and as key ranges.

use crate::{plan, plan_of, ports};

#[test]
fn production_is_read_by_keys() {
    let searches = [
        "SEARCH item_progress USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH production_records USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH production_records USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH open_batch_items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH open_batch_items USING COVERING INDEX open_batch_items_by_batch (store_id=? AND batch=?)",
    ];
    let statements = ports().production();
    assert_eq!(statements.len(), searches.len());
    for ((name, statement), search) in statements.into_iter().zip(searches) {
        let plan = plan(statement);
        assert!(plan.contains(search), "{name}: {search}\n{plan}");
    }
}

#[test]
fn placed_orders_are_ranges_of_keys() {
    let lines = plan_of("placed orders of a store", ports().placed());
    for search in [
        "SEARCH orders USING INDEX sqlite_autoindex_orders_1 (store_id=? AND id>? AND id<?)",
        "SEARCH states USING PRIMARY KEY (store_id=? AND id=?)",
        "SEARCH items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH progress USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH shipments USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH lines USING PRIMARY KEY (store_id=? AND order_uuid=?)",
    ] {
        assert!(lines.contains(search), "{search}\n{lines}");
    }
}
