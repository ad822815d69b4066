//! Repeated, conflicting and concurrent create requests.

use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::common::{
    Client, Response, Site, assert_error, label, on_both_databases, order, update,
};

on_both_databases!(
    a_repeated_request_returns_the_same_order,
    a_different_request_with_the_same_id_is_a_conflict,
    sixteen_concurrent_creates_make_one_order,
    order_numbers_grow_and_are_never_used_twice,
);

fn a_repeated_request_returns_the_same_order(site: &Site) {
    let (_server, client) = site.open();
    let body = order("again-1");
    let first = client.call("create", &body);
    assert!(!first.is_replay(), "{first}");
    let first = first.order();

    // White space, an optional null, and `2.0` instead of `2` do not change the request.
    let pretty = serde_json::to_string_pretty(&body).unwrap();
    let mut padded = body.clone();
    padded["billing_address"] = Value::Null;
    padded["line_items"][0]["quantity"] = json!(2.0);
    for text in [body.to_string(), pretty, padded.to_string()] {
        let response = client.send(&client.request("create", text));
        let envelope = response.ok();
        assert!(response.is_replay(), "{response}");
        assert_eq!(envelope["message"], "Already exists");
        assert_eq!(envelope["data"]["id"], first["id"]);
    }

    // The response shows the current order. Neither an update nor a new catalog turns the repeated
    // request into a conflict.
    let mut change = update("again-1");
    change["production_note"] = json!("Gift");
    change["shipping_address"]["city"] = json!("Oakland");
    client.call("update", &change).ok();
    let dearer = "sku,name,price\nMUG-11,Mug,6.00\n";
    site.import("catalog", dearer, &[]).ok();
    site.run(&["store", "set", &client.store, "--strict-catalog"])
        .ok();
    let response = client.call("create", &body);
    assert!(response.is_replay(), "{response}");
    let now = response.order();
    assert_eq!((&now["id"], &now["version"]), (&first["id"], &json!(2)));
    assert_eq!(now["shippingAddress"]["city"], "Oakland");
    assert_eq!(now["totalCost"], first["totalCost"]);
    assert_eq!(client.search(&json!({})).len(), 1);
}

fn a_different_request_with_the_same_id_is_a_conflict(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&order("twice"));
    let mut other = order("twice");
    other["line_items"][1]["quantity"] = json!(5);
    other["customer"]["first_name"] = json!("Bea");
    let error = assert_error(&client.call("create", &other), 409, "duplicate_order_id");
    assert_eq!(error.fields().len(), 2, "{error:?}");
    assert!(
        error.fields().contains(&"line_items[1].quantity"),
        "{error:?}"
    );
    assert!(error.fields().contains(&"customer.first_name"), "{error:?}");
    let existing = &error.body["existing"];
    for key in ["id", "serviceOrderId", "orderId"] {
        assert_eq!(existing[key], made[key], "{key}");
    }
    // A label order is a different request, and shares the order ids.
    let error = assert_error(
        &client.call("create-label", &label("twice")),
        409,
        "duplicate_order_id",
    );
    assert_eq!(error.body["existing"]["id"], made["id"]);
    assert_eq!(client.stored("twice")["version"], 1);
}

/// Sends all requests concurrently, each on its own connection.
fn at_once(client: &Client, operation: &str, bodies: &[Value]) -> Vec<Response> {
    let start = Barrier::new(bodies.len());
    thread::scope(|scope| {
        let calls: Vec<_> = bodies
            .iter()
            .map(|body| {
                scope.spawn(|| {
                    start.wait();
                    client.call(operation, body)
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    })
}

fn sixteen_concurrent_creates_make_one_order(site: &Site) {
    let (_server, client) = site.open();
    for round in 0..5 {
        let (operation, body) = match round % 2 {
            0 => ("create", order(&format!("at-once-{round}"))),
            _ => ("create-label", label(&format!("at-once-{round}"))),
        };
        let responses = at_once(&client, operation, &vec![body; 16]);
        let ids: HashSet<String> = responses
            .iter()
            .map(|response| response.order()["id"].to_string())
            .collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(
            responses
                .iter()
                .filter(|response| response.is_replay())
                .count(),
            15
        );
    }
    assert_eq!(client.search(&json!({})).len(), 5);
}

fn order_numbers_grow_and_are_never_used_twice(site: &Site) {
    let (server, client) = site.open();
    let bodies: Vec<Value> = (0..16).map(|i| order(&format!("number-{i}"))).collect();
    let responses = at_once(&client, "create", &bodies);
    let numbers: HashSet<String> = responses
        .iter()
        .map(|a| a.order()["serviceOrderId"].to_string())
        .collect();
    assert_eq!(numbers.len(), 16);
    let number = |order: &Value| {
        let text = order["serviceOrderId"]
            .as_str()
            .unwrap()
            .rsplit_once('-')
            .unwrap();
        (text.0.to_owned(), text.1.parse::<u64>().unwrap())
    };
    // Consecutive orders have growing numbers; concurrent orders only have different numbers.
    let (first, second) = (
        number(&client.create(&order("later-1"))),
        number(&client.create(&order("later-2"))),
    );
    assert!(
        second.1 > first.1 && second.0 == first.0,
        "{first:?} {second:?}"
    );
    let other = site.store(&server, &["--prefix", "OTHER"]);
    assert_eq!(number(&other.create(&order("later-1"))).0, "OTHER");
}
