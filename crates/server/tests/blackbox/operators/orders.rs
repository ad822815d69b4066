//! What operators do with orders.

use serde_json::json;

use super::Operator;
use crate::common::{Site, assert_error, on_both_databases, order};

on_both_databases!(an_order_of_any_store_is_read_by_its_number);

fn an_order_of_any_store_is_read_by_its_number(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let own = site.store(&server, &["--prefix", "OWN"]);
    let other = site.store(&server, &["--prefix", "OTHER"]);
    let viewer = Operator::create(site, &server, "viewer", &[]);
    let bound = Operator::create(site, &server, "viewer", &["--store", "OWN"]);
    for store in [&own, &other] {
        store.create(&order("A-1"));
    }
    own.call("process-now", &json!({ "order_id": "A-1" })).ok();
    let get = |operator: &Operator, order_id: &str| {
        operator.call("orders/get", &json!({ "order_id": order_id }))
    };
    let found = get(&viewer, "OWN-1").order();
    assert_eq!(found["orderId"], "A-1");
    assert_eq!(found["itemStatuses"], json!(["ready"]));
    let allowed: Vec<&str> = found["allowedActions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|allowed| allowed["action"].as_str().unwrap())
        .collect();
    let expected = ["update", "cancel", "hold", "start", "need", "ship"];
    assert_eq!(allowed, expected);
    assert_eq!(
        found["childDetails"][0]["allowedActions"],
        found["allowedActions"]
    );
    assert_eq!(
        get(&viewer, "OTHER-1").order()["storeId"],
        json!(other.store)
    );
    get(&bound, "OWN-1").ok();
    for (operator, order_id) in [(&bound, "OTHER-1"), (&viewer, "A-1"), (&viewer, "OWN-2")] {
        assert_error(&get(operator, order_id), 404, "order_not_found");
    }
    let first = viewer.call(
        "orders/get",
        &json!({ "order_id": "OWN-1", "atVersion": 1 }),
    );
    assert_eq!(first.order()["itemStatuses"], json!(["cooling-off"]));
}
