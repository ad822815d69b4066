//! Operators administer stores while the stores send orders.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Client, Site, TIMEOUT, assert_error, on_both_databases, order, wait_for};

on_both_databases!(
    a_store_is_administered_while_it_orders,
    a_bound_token_has_no_access_to_other_stores
);

fn a_store_is_administered_while_it_orders(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let admin = Operator::create(site, &server, "admin", &[]);
    let change = |call: &str, body: Value| admin.call(call, &body).order();
    let made = change("stores/create", json!({ "name": "Shop" }));
    let id = made["storeId"].as_str().unwrap().to_owned();
    let client = |made: &Value| Client {
        address: server.address,
        store: id.clone(),
        key: made["secretKey"].as_str().unwrap().to_owned(),
    };
    let first = client(&made);
    first.create(&order("A-1"));
    let rotated = change("stores/keys/rotate", json!({ "storeId": id }));
    let second = client(&rotated);
    second.create(&order("A-2"));
    let refused = |client: &Client| client.call("search", &json!({})).status == 401;
    change(
        "stores/keys/revoke",
        json!({ "storeId": id, "keyId": made["keyId"] }),
    );
    wait_for("the revocation", TIMEOUT, || refused(&first).then_some(()));
    assert_eq!(second.search(&json!({})).len(), 2);
    change("stores/disable", json!({ "storeId": id }));
    wait_for("the store to be disabled", TIMEOUT, || {
        refused(&second).then_some(())
    });
    change("stores/enable", json!({ "storeId": id }));
    wait_for("the store to be enabled", TIMEOUT, || {
        (!refused(&second)).then_some(())
    });
    let set = change(
        "stores/set",
        json!({ "storeId": id, "strictCatalog": true }),
    );
    // The command line shows the same document.
    let shown = site.run(&["--json", "store", "show", &id]).json();
    assert_eq!(set, shown);
    assert_eq!(shown["strictCatalog"], true);
    assert_changes_are_logged(&server.log_up_to_now(), &id);
}

fn assert_changes_are_logged(log: &str, store: &str) {
    let events = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let changes = events.filter(|event| event["message"] == "an operator has changed a store");
    let changes: Vec<Value> = changes.collect();
    let calls: Vec<&str> = changes
        .iter()
        .map(|event| event["call"].as_str().unwrap())
        .collect();
    let expected = [
        "stores/create",
        "stores/keys/rotate",
        "stores/keys/revoke",
        "stores/disable",
        "stores/enable",
        "stores/set",
    ];
    assert_eq!(calls, expected);
    for change in &changes {
        assert_eq!(
            (&change["operator"], &change["store"]),
            (&json!("admin"), &json!(store))
        );
    }
    assert!(changes[1]["key"].is_string() && changes[2]["key"].is_string());
    assert!(!log.contains("plsk_"), "a secret key is in the log");
}

fn a_bound_token_has_no_access_to_other_stores(site: &Site) {
    let server = site.serve();
    let own = site.store(&server, &["--prefix", "OWN"]);
    let other = site.store(&server, &["--prefix", "OTHER"]);
    let admin = Operator::create(site, &server, "admin", &["--store", "OWN"]);
    let listed = admin.call("stores/list", &json!({})).ok();
    let ids: Vec<&Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|store| &store["storeId"])
        .collect();
    assert_eq!(ids, [&json!(own.store)]);
    admin
        .call("stores/show", &json!({ "storeId": own.store }))
        .ok();
    for call in ["show", "set", "enable", "disable", "keys/rotate"] {
        let response = admin.call(
            &format!("stores/{call}"),
            &json!({ "storeId": other.store }),
        );
        assert_error(&response, 404, "store_not_found");
    }
    let create = admin.call("stores/create", &json!({ "name": "Another" }));
    assert_error(&create, 403, "forbidden");
    assert_eq!(
        site.run(&["--json", "store", "list"])
            .json()
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
