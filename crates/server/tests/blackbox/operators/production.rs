//! Production: recording steps of items, and batches of items.

use std::thread;

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Client, Site, assert_error, item, on_both_databases, order};

on_both_databases!(
    units_are_recorded_step_by_step_and_misprints_repeated,
    a_batch_is_made_started_and_closed,
    concurrent_operators_record_no_more_units_than_exist,
    production_is_hidden_from_stores
);

/// Starts a server, and creates a store without cooling-off period and an operator of all stores.
fn shop(site: &Site) -> (crate::common::Server, Client, Operator) {
    site.import_catalog();
    let server = site.serve();
    let client = site.store(&server, &["--prefix", "SUN", "--cooling-off", "0"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    (server, client, operator)
}

/// An order of a mug in `quantity` units.
fn mugs(order_id: &str, quantity: u32) -> Value {
    let mut mugs = order(order_id);
    mugs["line_items"] = json!([item("MUG-11OZ-WHITE", quantity, 1)]);
    mugs
}

fn done(data: &Value) -> Vec<u64> {
    let steps = data["steps"].as_array().unwrap().iter();
    steps.map(|step| step["done"].as_u64().unwrap()).collect()
}

fn units_are_recorded_step_by_step_and_misprints_repeated(site: &Site) {
    let (_server, client, operator) = shop(site);
    client.create(&mugs("A-1", 5));
    let scan = |step: &str| {
        // Codes are accepted in lower case and with other separators.
        let body = json!({ "itemCode": "sun/1/1", "step": step });
        operator.call("production/record", &body)
    };
    // Units must be printed before they are checked.
    assert_error(&scan("check"), 409, "step_out_of_order");
    let printed = scan("print").ok();
    assert_eq!(printed["data"]["status"], "in-production");
    // All units are printed already.
    assert!(scan("print").is_replay());
    // `once` makes a call with `units` repeatable.
    let some = json!({ "itemCode": "SUN-1-1", "step": "check", "units": 3, "once": "scan 7" });
    for is_replay in [false, true] {
        let recorded = operator.call("production/record", &some);
        assert_eq!(done(&recorded.ok()["data"]), [5, 3, 0]);
        assert_eq!(recorded.is_replay(), is_replay);
    }
    // Misprinted units must be printed and checked again.
    let misprint = json!({ "itemCode": "SUN-1-1", "units": 3, "reason": "Smeared." });
    let again = operator.call("production/misprint", &misprint).ok();
    assert_eq!(done(&again["data"]), [2, 2, 0]);
    assert_eq!(again["data"]["misprints"], 3);
    let all = [scan("print"), scan("check"), scan("pack")].map(|done| done.ok());
    assert_eq!(done(&all[2]["data"]), [5, 5, 5]);
    let hold = json!({
        "command": "hold", "reason": "Later.", "orders": [{ "order_id": "SUN-1" }]
    });
    operator.call("orders/move", &hold).ok();
    let refused = scan("pack");
    assert_error(&refused, 409, "illegal_transition");
    assert_eq!(refused.json()["from"], "on-hold");
    let found = operator.call("production/get", &json!({ "order_id": "SUN-1" }));
    let records = found.ok()["data"]["records"].clone();
    assert_eq!(records.as_array().unwrap().len(), 6);
    assert_eq!(records[0]["step"], "pack");
    assert_eq!(records[5]["operator"], "operator");
}

fn a_batch_is_made_started_and_closed(site: &Site) {
    let (server, client, operator) = shop(site);
    for number in 1..=4 {
        client.create(&mugs(&format!("A-{number}"), number));
    }
    let codes = ["SUN-3-1", "SUN-1-1", "SUN-2-1"];
    let body = json!({ "items": codes, "name": "Đợt 1" });
    let made = operator.call("batches/create", &body).ok();
    assert_eq!(made["data"]["batch"], "BATCH-1");
    let listed = |data: &Value, field: &str| -> Vec<Value> {
        let items = data["items"].as_array().unwrap().iter();
        items.map(|line| line["item"][field].clone()).collect()
    };
    assert_eq!(listed(&made["data"], "itemCode"), codes);
    assert_eq!(listed(&made["data"], "status"), ["ready"; 3]);
    // SUN-1-1 is in an open batch already.
    let taken = json!({ "items": ["SUN-4-1", "SUN-1-1"] });
    let refused = operator.call("batches/create", &taken);
    let error = assert_error(&refused, 409, "item_in_batch");
    assert_eq!(error.fields(), ["items[1]"]);
    let move_to = |command: &str, order: &str| {
        let orders = json!([{ "order_id": order }]);
        let body = json!({ "command": command, "reason": "Later.", "orders": orders });
        operator.call("orders/move", &body).ok();
    };
    move_to("hold", "SUN-2");
    let named = json!({ "batch": "BATCH-1" });
    let started = operator.call("batches/start", &named).ok();
    assert_eq!(started["data"]["startedBy"], "operator");
    let results = started["data"]["orders"].as_array().unwrap().iter();
    let results: Vec<_> = results.map(|order| order["result"].clone()).collect();
    assert_eq!(results, ["moved", "refused", "moved"]);
    assert_eq!(started["data"]["items"][2]["takenOut"], "on-hold");
    move_to("release", "SUN-2");
    // The second call starts the released item.
    assert!(!operator.call("batches/start", &named).is_replay());
    assert!(operator.call("batches/start", &named).is_replay());
    let queue = operator.call("queue/search", &json!({})).ok();
    let batches = queue["data"].as_array().unwrap().iter();
    let batches: Vec<_> = batches.map(|item| item["batch"].clone()).collect();
    let in_batch = json!("BATCH-1");
    assert_eq!(
        batches,
        [in_batch.clone(), in_batch.clone(), in_batch, Value::Null]
    );
    // Operators of other stores do not see the batch.
    let other = site.store(&server, &["--prefix", "OTHER"]);
    let bound = Operator::create(site, &server, "operator", &["--store", "OTHER"]);
    assert_error(&bound.call("batches/get", &named), 404, "batch_not_found");
    drop(other);
    let closed = operator.call("batches/close", &named).ok();
    assert_eq!(closed["data"]["open"], false);
    assert!(operator.call("batches/close", &named).is_replay());
    assert_error(&operator.call("batches/start", &named), 409, "batch_closed");
    // Items of a closed batch may be in another batch.
    operator.call("batches/create", &taken).ok();
    let open = operator
        .call("batches/search", &json!({ "open": true }))
        .ok();
    assert_eq!(open["data"].as_array().unwrap().len(), 1);
    assert_eq!(open["data"][0]["batch"], "BATCH-2");
    // The prefix of batch numbers cannot be a store's prefix.
    site.run(&["store", "create", "--name", "B", "--prefix", "BATCH"])
        .fails(2, &["BATCH"]);
}

fn concurrent_operators_record_no_more_units_than_exist(site: &Site) {
    const UNITS: u32 = 12;
    let (_server, client, operator) = shop(site);
    client.create(&mugs("A-1", UNITS));
    let body = json!({ "itemCode": "SUN-1-1", "step": "print", "units": 1 });
    // Each of two operators tries to record all units, one by one.
    let recorded: usize = thread::scope(|scope| {
        let calls: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let calls = (0..UNITS).map(|_| operator.call("production/record", &body));
                    calls
                        .filter(|call| call.status == 200 && !call.is_replay())
                        .count()
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).sum()
    });
    assert_eq!(recorded, UNITS as usize);
    let found = operator.call("production/get", &json!({ "order_id": "SUN-1" }));
    let item = found.ok()["data"]["items"][0].clone();
    assert_eq!(done(&item), [u64::from(UNITS), 0, 0]);
}

fn production_is_hidden_from_stores(site: &Site) {
    let (_server, client, operator) = shop(site);
    client.create(&mugs("A-1", 5));
    let start = json!({ "command": "start", "orders": [{ "order_id": "SUN-1" }] });
    operator.call("orders/move", &start).ok();
    let order = client.shown("A-1");
    let events = || client.call("history", &json!({ "order_id": "A-1" })).ok();
    let before = events();
    let record = json!({ "itemCode": "SUN-1-1", "step": "print", "units": 2 });
    operator.call("production/record", &record).ok();
    operator
        .call("batches/create", &json!({ "items": ["SUN-1-1"] }))
        .ok();
    assert_eq!(client.shown("A-1"), order);
    assert_eq!(events()["data"], before["data"]);
}
