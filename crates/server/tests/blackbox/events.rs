//! The feed of events: nothing is missing, also while several servers write, and calls wait for more.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Client, Response, Site, assert_error, on_both_databases, order};

on_both_databases!(
    the_feed_replayed_is_what_a_search_finds,
    events_are_printed_by_the_command,
    a_stop_ends_calls_that_wait,
);

const EVENTS: &str = "/app/v1/events/search";

/// Reads events.
fn read(client: &Client, request: &Value) -> Response {
    client.send(&client.request_to(EVENTS, request.to_string()))
}

fn sequences(page: &Value) -> Vec<u64> {
    let events = page["data"].as_array().unwrap().iter();
    events
        .map(|event| event["sequence"].as_u64().unwrap())
        .collect()
}

/// Creates orders and moves some of them, which makes 23 events.
fn write(client: &Client) {
    for number in 0..10 {
        let order_id = format!("E-{number}");
        client.create(&order(&order_id));
        let named = json!({ "order_id": order_id });
        for command in ["hold", "release", "cancel"].iter().take(number % 4) {
            client.call(command, &named).ok();
        }
    }
}

fn the_feed_replayed_is_what_a_search_finds(site: &Site) {
    let (_server, client) = site.open();
    write(&client);
    let whole = read(&client, &json!({ "limit": 500 })).ok();
    assert_eq!(sequences(&whole), (1..=23).collect::<Vec<u64>>());
    // From each cursor on, and page by page.
    for after in 0..=23_u64 {
        let mut orders = BTreeMap::new();
        let mut next = 0;
        while next < 23 {
            // The first call ends at the cursor.
            let limit = if next == 0 && after > 0 { after } else { 4 };
            let page = read(&client, &json!({ "afterSequence": next, "limit": limit })).ok();
            for event in page["data"].as_array().unwrap() {
                let data = &event["data"];
                orders.insert(data["orderId"].to_string(), data["order"].clone());
            }
            next = page["nextAfterSequence"].as_u64().unwrap();
            assert_eq!(page["lastSequence"], 23);
        }
        let found = client.search(&json!({ "size": 100 }));
        let found = found.into_iter();
        let found: BTreeMap<_, _> = found
            .map(|order| (order["orderId"].to_string(), order))
            .collect();
        assert_eq!(orders, found, "after {after}");
    }
}

fn events_are_printed_by_the_command(site: &Site) {
    let (_server, client) = site.open();
    write(&client);
    let tail = |options: &[&str]| {
        let arguments = ["events", "tail", client.store.as_str()];
        site.run(&[&arguments, options].concat())
    };
    let lines = tail(&["--after", "20"]).ok().out;
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(lines.trim_start().starts_with("21  "), "{lines}");
    let held = tail(&["--types", "order.held,order.released", "--json"])
        .ok()
        .out;
    let wanted = read(
        &client,
        &json!({ "types": ["order.held", "order.released"] }),
    )
    .ok();
    let printed = held
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(Value::from_iter(printed), wanted["data"]);
    tail(&["--types", "order.eaten"]).fails(2, &["--types", "order.created"]);
}

/// Waits for the events after a sequence. A call that is refused is repeated.
fn wait_for_event(client: &Client, after: u64) -> Value {
    let request = json!({ "afterSequence": after, "waitSeconds": 25 });
    loop {
        let response = read(client, &request);
        if response.status != 429 {
            return response.ok();
        }
    }
}

/// Returns when as many calls wait as may: one more is refused then.
fn until_all_wait(client: &Client, after: u64) {
    let request = json!({ "afterSequence": after, "waitSeconds": 1 });
    loop {
        let response = read(client, &request);
        if response.status != 200 {
            assert_error(&response, 429, "rate_limited");
            return;
        }
    }
}

fn a_stop_ends_calls_that_wait(site: &Site) {
    site.import_catalog();
    let mut server = site.serve_with(&[("PRESSLINE__EVENTS__WAITING_POLLS", "2")]);
    let client = &site.store(&server, &[]);
    client.create(&order("E-1"));
    thread::scope(|scope| {
        let polls = [1, 1].map(|after| scope.spawn(move || wait_for_event(client, after)));
        until_all_wait(client, 1);
        // Other calls are served meanwhile.
        client.create(&order("E-2"));
        for poll in polls {
            assert_eq!(sequences(&poll.join().unwrap()), [2]);
        }
        let polls = [2, 2].map(|after| scope.spawn(move || wait_for_event(client, after)));
        until_all_wait(client, 2);
        let begin = Instant::now();
        server.terminate();
        for poll in polls {
            assert_eq!(sequences(&poll.join().unwrap()), [0; 0]);
        }
        assert!(begin.elapsed() < Duration::from_secs(20));
    });
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn events_of_another_server_end_a_wait_within_seconds() {
    let site = Site::postgres();
    let (_first, client) = site.open();
    let second = site.serve_with(&[("PRESSLINE__EVENTS__WAITING_POLLS", "1")]);
    let elsewhere = &Client {
        address: second.address,
        ..client.clone()
    };
    client.create(&order("E-1"));
    thread::scope(|scope| {
        let poll = scope.spawn(move || wait_for_event(elsewhere, 1));
        until_all_wait(elsewhere, 1);
        let begin = Instant::now();
        client.create(&order("E-2"));
        assert_eq!(sequences(&poll.join().unwrap()), [2]);
        assert!(begin.elapsed() < Duration::from_secs(10));
    });
}
