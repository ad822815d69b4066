//! Pins how SQLite reads what the overview shows: given orders by their keys, and the last hours as ranges of keys.

use pressline_domain::overview::Hours;
use pressline_domain::time::Timestamp;
use pressline_store_kit::{overview_documents, overview_lines, overview_parcels, overview_placed};
use pressline_store_sqlite::test_support::OVERVIEW;

use crate::plan;

fn hours() -> Hours {
    Hours::until(Timestamp::from_millis(1_717_818_552_905))
}

#[test]
fn open_orders_are_read_by_their_keys() {
    let plan = plan(overview_lines(OVERVIEW));
    for search in [
        "SEARCH states USING PRIMARY KEY (store_id=? AND id=?)",
        "SEARCH orders USING INDEX sqlite_autoindex_orders_1 (store_id=? AND id=?)",
        "SEARCH items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH progress USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH batches USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
    ] {
        assert!(plan.contains(search), "{search}\n{plan}");
    }
}

#[test]
fn shipments_of_open_orders_are_read_by_their_keys() {
    let plan = plan(overview_documents(OVERVIEW));
    let search = "SEARCH shipments USING PRIMARY KEY (store_id=? AND order_uuid=?)";
    assert!(plan.contains(search), "{plan}");
}

#[test]
fn the_last_hours_are_ranges_of_keys() {
    let placed = plan(overview_placed(OVERVIEW, hours()));
    let search = "SEARCH orders USING COVERING INDEX sqlite_autoindex_orders_1 (store_id=? AND id>? AND id<?)";
    assert!(placed.contains(search), "{placed}");
    let parcels = plan(overview_parcels(OVERVIEW, hours()));
    let search = "SEARCH shipments USING INDEX shipments_by_id (store_id=? AND id>? AND id<?)";
    assert!(parcels.contains(search), "{parcels}");
}
