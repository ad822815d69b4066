//! The life of an order: commands, automatic status changes, and the history.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Site, assert_error, on_both_databases, order, wait_for};

/// Time limit of an automatic move: three times as long as an order is reserved for a server whose
/// write failed, as writes do on a busy machine.
const MOVED_WITHIN: Duration = Duration::from_secs(60);

on_both_databases!(
    commands_move_an_order_and_its_history_lists_them,
    due_items_become_ready_on_one_server_only,
);

fn named(order_id: &str) -> Value {
    json!({ "order_id": order_id })
}

fn kinds(events: &Value) -> Vec<&str> {
    let events = events.as_array().unwrap().iter();
    events
        .map(|event| event["type"].as_str().unwrap())
        .collect()
}

fn commands_move_an_order_and_its_history_lists_them(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("life-1"));
    let placed = client.shown("life-1");
    assert_eq!(placed["itemStatuses"], json!(["cooling-off"]));
    for (command, status) in [
        ("hold", "on-hold"),
        ("release", "cooling-off"),
        ("process-now", "ready"),
        ("cancel", "request-change"),
        ("withdraw-change", "ready"),
    ] {
        let moved = client.call(command, &named("life-1")).order();
        assert_eq!(moved["itemStatuses"], json!([status]), "{command}");
    }
    let again = client.call("process-now", &named("life-1"));
    assert_eq!(again.ok()["message"], "No change");
    client.create(&order("life-2"));
    client.call("cancel", &named("life-2")).ok();
    let refused = client.call("hold", &named("life-2"));
    assert_error(&refused, 409, "illegal_transition");
    let history = client.call("history", &named("life-1")).ok();
    let events = &history["data"];
    let sequences: Vec<u64> = events
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["sequence"].as_u64().unwrap())
        .collect();
    assert_eq!(sequences, [6, 5, 4, 3, 2, 1], "{events}");
    assert_eq!(kinds(events).last(), Some(&"order.created"));
    let mut first = named("life-1");
    first["atVersion"] = json!(1);
    assert_eq!(client.call("get", &first).order(), placed);
    assert_error(
        &client.call("get", &named("life-3")),
        404,
        "order_not_found",
    );
}

fn due_items_become_ready_on_one_server_only(site: &Site) {
    site.import_catalog();
    let short = [("PRESSLINE__ORDERS__COOLING_OFF", "1s")];
    let servers = [site.serve_with(&short), site.serve_with(&short)];
    let client = site.store(&servers[0], &[]);
    for number in 0..10 {
        client.create(&order(&format!("due-{number}")));
    }
    for number in 0..10 {
        let order_id = format!("due-{number}");
        wait_for("items to become ready", MOVED_WITHIN, || {
            let shown = client.shown(&order_id);
            (shown["itemStatuses"] == json!(["ready"])).then_some(())
        });
        let events = client.call("history", &named(&order_id)).ok();
        assert_eq!(events["data"].as_array().unwrap().len(), 2, "{events}");
        assert_eq!(events["data"][0]["actor"], "service");
    }
}
