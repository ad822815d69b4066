//! Pins the query plans of the overview: orders by key, and the last hours as key ranges.

use crate::{plan_of, ports};

fn plan(name: &str) -> String {
    plan_of(name, ports().overview())
}

#[test]
fn open_orders_are_read_by_their_keys() {
    let plan = plan("open orders of any stores");
    for search in [
        "SEARCH states USING PRIMARY KEY (store_id=? AND id=?)",
        "SEARCH orders USING INDEX sqlite_autoindex_orders_1 (store_id=? AND id=?)",
        "SEARCH items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH progress USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH batches USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH shipments USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH lines USING PRIMARY KEY (store_id=? AND order_uuid=?)",
    ] {
        assert!(plan.contains(search), "{search}\n{plan}");
    }
}

#[test]
fn the_last_hours_are_ranges_of_keys() {
    let placed = plan("orders of any stores by hour");
    let search = "SEARCH orders USING COVERING INDEX sqlite_autoindex_orders_1 (store_id=? AND id>? AND id<?)";
    assert!(placed.contains(search), "{placed}");
    let parcels = plan("parcels of any stores by hour");
    let search = "SEARCH shipments USING INDEX shipments_by_id (store_id=? AND id>? AND id<?)";
    assert!(parcels.contains(search), "{parcels}");
}
