//! Operators' commands for orders.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Site, address, assert_error, customer, on_both_databases, order};

on_both_databases!(
    an_order_of_any_store_is_read_by_its_number,
    orders_are_moved_in_bulk_and_their_history_names_the_operator,
    an_operator_decides_a_change_and_adds_a_fee_and_a_note,
    an_order_is_replaced_once
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
    // An order of another store, a store's own order id, and an unknown number.
    for (operator, order_id) in [(&bound, "OTHER-1"), (&viewer, "A-1"), (&viewer, "OWN-2")] {
        assert_error(&get(operator, order_id), 404, "order_not_found");
    }
    // The order before the move.
    let first = viewer.call(
        "orders/get",
        &json!({ "order_id": "OWN-1", "atVersion": 1 }),
    );
    assert_eq!(first.order()["itemStatuses"], json!(["cooling-off"]));
}

/// Returns the member `name` of each entry of a list.
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
    // One more than exist.
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
    // The order is not on hold, so there is nothing to release.
    let ask = json!({ "command": "release", "orders": [{ "order_id": "OWN-1" }] });
    let released = operator.call("orders/move", &ask).ok();
    assert_eq!(released["data"][0]["result"], "unchanged");
    // The version is outdated.
    let back = json!({ "command": "start", "orders": [{ "order_id": "OWN-1", "version": 1 }] });
    let refused = operator.call("orders/move", &back).ok();
    assert_eq!(refused["data"][0]["error"]["code"], "version_conflict");
    let named = json!({ "order_id": "OWN-1" });
    let history = operator.call("orders/history", &named).ok();
    assert_eq!(
        column(&history["data"], "operator"),
        [&json!("operator"), &Value::Null]
    );
    // A store sees that an operator acted, but not who.
    let shown = client.call("history", &json!({ "order_id": "A-1" })).ok();
    assert_eq!(shown["data"][0]["actor"], "operator");
    assert_eq!(shown["data"][0].get("operator"), None);
}

fn an_operator_decides_a_change_and_adds_a_fee_and_a_note(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let client = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let placed = client.create(&order("A-1"));
    let named = json!({ "order_id": "OWN-1" });
    let more = json!({
        "order_id": "A-1",
        "shipping_address": address(),
        "customer": customer(),
        "line_items": [{ "appItemId": placed["childDetails"][0]["id"], "quantity": 5 }]
    });
    let asked = client.call("update", &more).order();
    assert_eq!(asked["itemStatuses"], json!(["request-change", "ready"]));
    let decide = |more: Value| {
        let mut body = json!({
            "order_id": "OWN-1", "decision": "approve", "changeId": asked["pendingChange"]["id"]
        });
        let members = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(members);
        operator.call("orders/decide", &body)
    };
    // A dry run does not decide the change.
    let would_be = decide(json!({ "dryRun": true })).order();
    assert_eq!(would_be["childDetails"][0]["quantity"], 5);
    assert_eq!(client.shown("A-1")["pendingChange"], asked["pendingChange"]);
    let approved = decide(json!({ "version": asked["version"] })).order();
    assert_eq!(approved["totalCost"], would_be["totalCost"]);
    assert_eq!(approved["itemStatuses"], json!(["ready"]));
    // The change is decided already.
    assert_error(&decide(json!({})), 409, "illegal_transition");

    let fee = json!({ "order_id": "OWN-1", "type": "other", "amount": 2.5, "reason": "Gift box." });
    let charged = operator.call("orders/fee-lines", &fee).order();
    assert_eq!(charged["otherFee"], 2.5);
    // The sum of the fee would be negative.
    let below = json!({ "order_id": "OWN-1", "type": "other", "amount": -2.51, "reason": "x" });
    let refused = assert_error(
        &operator.call("orders/fee-lines", &below),
        400,
        "validation_failed",
    );
    assert_eq!(refused.fields(), ["amount"]);

    let note = json!({ "order_id": "OWN-1", "text": "Plain box, Đỗ said." });
    let noted = operator.call("orders/notes", &note).order();
    // A note does not make a new version.
    assert_eq!(noted["version"], charged["version"]);
    let read = operator.call("orders/get", &named).order();
    assert_eq!(read["notes"], noted["notes"]);
    assert_eq!(read["notes"][0]["operator"], "operator");
    assert_eq!(read["notes"][0]["text"], note["text"]);
    // Stores do not see notes.
    assert_eq!(client.shown("A-1").get("notes"), None);

    let update =
        json!({ "order_id": "OWN-1", "reason": "By phone.", "production_note": "Careful." });
    let updated = operator.call("orders/update", &update).order();
    assert_eq!(updated["productionNote"], "Careful.");
    assert_eq!(updated["otherFee"], 2.5);
}

fn an_order_is_replaced_once(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let client = site.store(&server, &["--prefix", "OWN"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let placed = client.create(&order("A-1"));
    let again = json!({
        "order_id": "OWN-1", "version": 1, "reason": "Damaged.",
        "line_items": [{ "appItemId": placed["childDetails"][0]["id"], "quantity": 1 }]
    });
    let made = operator.call("orders/replace", &again);
    assert!(!made.is_replay());
    let new = made.order();
    let number = &new["serviceOrderId"];
    assert_eq!((number, &new["orderId"]), (&json!("OWN-2"), number));
    assert_eq!(
        (&new["source"], &new["replaces"]),
        (&json!("app"), &json!("OWN-1"))
    );
    // A replacement is free by default.
    assert_eq!(
        (&new["totalCost"], &new["priced"]),
        (&json!(0), &json!(true))
    );
    assert_eq!(new["itemStatuses"], json!(["ready"]));
    let replay = operator.call("orders/replace", &again);
    assert!(replay.is_replay());
    assert_eq!(replay.order()["id"], new["id"]);
    let replaced = client.shown("A-1");
    assert_eq!(replaced["replacedBy"], json!(["OWN-2"]));
    assert_eq!(replaced["version"], 2);
    // The number of the new order is also its order id for the store.
    let shown = client.shown("OWN-2");
    assert_eq!(shown["orderId"], "OWN-2");
    assert_eq!(shown["replaces"], "OWN-1");
    let note = json!({ "order_id": "OWN-2", "reason": "x", "production_note": "Careful." });
    let updated = operator.call("orders/update", &note).order();
    assert_eq!(updated["totalCost"], 0);
    // A different request for the same replacement.
    let mut other = again.clone();
    other["charge"] = json!(true);
    assert_error(
        &operator.call("orders/replace", &other),
        409,
        "duplicate_order_id",
    );
}
