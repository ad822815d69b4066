//! Test stores: calls without a response, and several servers that advance the clock.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{
    Client, Site, TIMEOUT, assert_error, on_both_databases, order, try_send, wait_for,
};

on_both_databases!(
    a_held_call_is_carried_out_and_ends_with_the_server,
    the_clock_does_not_rewrite_history,
    a_test_store_cannot_use_up_all_held_calls,
);

const CLOCK: &str = "/app/v1/sandbox/clock";

fn a_held_call_is_carried_out_and_ends_with_the_server(site: &Site) {
    site.import_catalog();
    let mut server = site.serve();
    let client = &site.store(&server, &["--test"]);
    let live = &site.store(&server, &[]);
    let silent = |client: &Client| {
        let request = client.request("create", order("S-1").to_string());
        let request = request.header("X-Sandbox-Fault", "timeout");
        try_send(client.address, &request)
    };
    // Only test stores may request a fault.
    let refused = silent(live).unwrap();
    assert_error(&refused, 403, "not_a_test_store");
    thread::scope(|scope| {
        let call = scope.spawn(move || silent(client));
        let named = json!({ "order_id": "S-1" });
        // The order is stored although its call gets no response.
        wait_for("the order", TIMEOUT, || {
            let found = client.call("get", &named);
            (found.status == 200).then_some(())
        });
        assert!(!call.is_finished(), "the call is held");
        let begin = Instant::now();
        server.terminate();
        let response = call.join().unwrap();
        assert!(response.is_err(), "{response:?}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    });
    assert_eq!(server.wait().code(), Some(0));
}

fn a_test_store_cannot_use_up_all_held_calls(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let (one, other) = (
        &site.store(&server, &["--test"]),
        &site.store(&server, &["--test"]),
    );
    let silent = |client: &Client, id: &str| {
        let request = client.request("create", order(id).to_string());
        let request = request.header("X-Sandbox-Fault", "timeout");
        try_send(client.address, &request)
    };
    let is_placed = |client: &Client, id: &str| {
        wait_for("the order", TIMEOUT, || {
            let found = client.call("get", &json!({ "order_id": id }));
            (found.status == 200).then_some(())
        });
    };
    // A store may hold eight calls at a time.
    let ids: Vec<String> = (0..8).map(|number| format!("S-{number}")).collect();
    thread::scope(|scope| {
        for id in &ids {
            scope.spawn(move || silent(one, id));
            is_placed(one, id);
        }
        assert_error(&silent(one, "S-8").unwrap(), 429, "rate_limited");
        let held = scope.spawn(move || silent(other, "S-1"));
        is_placed(other, "S-1");
        assert!(!held.is_finished(), "the other store has places");
        server.terminate();
    });
}

fn the_clock_does_not_rewrite_history(site: &Site) {
    let (server, _) = site.open();
    let client = site.store(&server, &["--test"]);
    let named = json!({ "order_id": "S-1" });
    client.create(&order("S-1"));
    let placed = client.shown("S-1");
    let first_version = || {
        let body = json!({ "order_id": "S-1", "atVersion": 1 });
        client.call("get", &body).order()
    };
    let first_event = || {
        let body = json!({ "order_id": "S-1", "include": "order" }).to_string();
        let events = client.send(&client.request_to("/app/v1/events/search", body));
        events.ok()["data"][0]["data"]["order"].clone()
    };
    let before = (first_version(), first_event());
    assert_eq!(before.0["editableUntil"], placed["editableUntil"]);
    let body = json!({ "advanceSeconds": 60 }).to_string();
    client.send(&client.request_to(CLOCK, body)).ok();
    let nearer = client.shown("S-1");
    assert_ne!(nearer["editableUntil"], placed["editableUntil"]);
    assert_eq!(
        (first_version(), first_event()),
        before,
        "without a later event"
    );
    client.call("hold", &named).ok();
    let body = json!({ "advanceSeconds": 60 }).to_string();
    client.send(&client.request_to(CLOCK, body)).ok();
    client.call("release", &named).ok();
    assert_eq!(
        (first_version(), first_event()),
        before,
        "with later events"
    );
}

#[test]
fn concurrent_clock_calls_on_two_servers_move_each_order_once() {
    let site = Site::postgres();
    let (first, _) = site.open();
    let second = site.serve();
    let client = &site.store(&second, &["--test"]);
    let elsewhere = &Client {
        address: first.address,
        ..client.clone()
    };
    for number in 0..20 {
        client.create(&order(&format!("S-{number}")));
    }
    let moved = |client: &Client, seconds: u32| {
        let body = json!({ "advanceSeconds": seconds }).to_string();
        // On a busy machine, calls that wait too long for each other's rows get 503 and are
        // repeated.
        let done = wait_for("the clock to be moved", TIMEOUT, || {
            let response = client.send(&client.request_to(CLOCK, body.clone()));
            (response.status != 503).then(|| response.ok())
        });
        done["data"]["ordersMoved"].as_u64().unwrap()
    };
    assert_eq!(moved(client, 60), 0);
    let moved = thread::scope(|scope| {
        let calls = [client, elsewhere, client].map(|of| scope.spawn(move || moved(of, 3600)));
        calls.map(|call| call.join().unwrap()).iter().sum::<u64>()
    });
    // The server that looks for due orders may have moved some orders itself.
    assert!(moved <= 20, "{moved}");
    let found = client.search(&json!({ "statuses": ["ready"], "size": 100 }));
    assert_eq!(found.len(), 20);
    assert!(found.iter().all(|order| order["version"] == 2));
}
