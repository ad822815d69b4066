//! Pins how SQLite reads production and placed orders: by their keys, and as ranges of keys.

use pressline_domain::figures::PlacedRange;
use pressline_domain::id::OrderId;
use pressline_store_kit::{placed_documents, placed_lines, production_statements};
use pressline_store_sqlite::test_support::PRODUCTION;

use crate::plan;

#[test]
fn production_is_read_by_keys() {
    let searches = [
        "SEARCH item_progress USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH production_records USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH production_records USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
        "SEARCH open_batch_items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH open_batch_items USING COVERING INDEX open_batch_items_by_batch (store_id=? AND batch=?)",
    ];
    let statements = production_statements(PRODUCTION, "store-1");
    for ((name, statement), search) in statements.into_iter().zip(searches) {
        let plan = plan(statement);
        assert!(plan.contains(search), "{name}: {search}\n{plan}");
    }
}

fn range() -> PlacedRange {
    PlacedRange {
        store: "00000000-0000-0000-0000-000000000001".parse().unwrap(),
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        count: 500,
    }
}

#[test]
fn placed_orders_are_ranges_of_keys() {
    let lines = plan(placed_lines(&range()));
    for search in [
        "SEARCH orders USING INDEX sqlite_autoindex_orders_1 (store_id=? AND id>? AND id<?)",
        "SEARCH states USING PRIMARY KEY (store_id=? AND id=?)",
        "SEARCH items USING PRIMARY KEY (store_id=? AND order_uuid=?)",
        "SEARCH progress USING PRIMARY KEY (store_id=? AND order_uuid=? AND item_id=?)",
    ] {
        assert!(lines.contains(search), "{search}\n{lines}");
    }
    let tables = ["shipments", "fee_corrections"];
    for (statement, table) in placed_documents(&range()).into_iter().zip(tables) {
        let plan = plan(statement);
        let search = format!(
            "SEARCH {table} USING PRIMARY KEY (store_id=? AND order_uuid>? AND order_uuid<?)"
        );
        assert!(plan.contains(&search), "{search}\n{plan}");
    }
}
