//! What operators do with orders.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Site, assert_error, on_both_databases, order};

on_both_databases!(
    an_order_of_any_store_is_read_by_its_number,
    orders_are_moved_in_bulk_and_their_history_names_the_operator
);

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

/// The members of each entry of a list with this name.
fn column<'a>(list: &'a Value, name: &str) -> Vec<&'a Value> {
    let entries = list.as_array().unwrap().iter();
    entries.map(|entry| &entry[name]).collect()
}

fn orders_are_moved_in_bulk_and_their_history_names_the_operator(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let client = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    const ORDERS: usize = 40;
    for number in 1..=ORDERS {
        client.create(&order(&format!("A-{number}")));
    }
    let ids: Vec<String> = (1..=ORDERS + 1)
        .map(|number| format!("OWN-{number}"))
        .collect();
    let orders: Vec<Value> = ids.iter().map(|id| json!({ "order_id": id })).collect();
    let start = json!({ "command": "start", "orders": orders });
    for expected in ["moved", "unchanged"] {
        let moved = operator.call("orders/move", &start).ok();
        let results = &moved["data"];
        let mut wanted = vec![expected; ORDERS];
        wanted.push("refused");
        assert_eq!(column(results, "result"), wanted);
        assert_eq!(column(results, "order_id"), ids.iter().collect::<Vec<_>>());
        let last = &results[ORDERS];
        assert_eq!(last["error"]["code"], "order_not_found");
        assert_eq!(results[0]["itemStatuses"], json!(["in-production"]));
    }
    let ask = json!({ "command": "release", "orders": [{ "order_id": "OWN-1" }] });
    let released = operator.call("orders/move", &ask).ok();
    assert_eq!(released["data"][0]["result"], "unchanged");
    let back = json!({ "command": "start", "orders": [{ "order_id": "OWN-1", "version": 1 }] });
    let refused = operator.call("orders/move", &back).ok();
    assert_eq!(refused["data"][0]["error"]["code"], "version_conflict");
    let named = json!({ "order_id": "OWN-1" });
    let history = operator.call("orders/history", &named).ok();
    assert_eq!(
        column(&history["data"], "operator"),
        [&json!("operator"), &Value::Null]
    );
    // A store sees that an operator acted, and not which one.
    let shown = client.call("history", &json!({ "order_id": "A-1" })).ok();
    assert_eq!(shown["data"][0]["actor"], "operator");
    assert_eq!(shown["data"][0].get("operator"), None);
}
