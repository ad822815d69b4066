//! After a restore: nothing is given away twice, and every reader and receiver learns of every
//! order.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::common::{
    Client, Receiver, Response, Server, Site, TIMEOUT, assert_error, on_both_databases, order,
    permitting, wait_for,
};
use crate::events::EVENTS;

on_both_databases!(
    nothing_is_given_away_twice_after_a_restore,
    counters_are_skipped_once_for_each_restore,
    a_position_above_the_feed_is_refused,
    a_restored_order_has_a_version_that_was_never_used,
    lost_writes_that_are_not_skipped_are_noticed,
);

/// Starts a server that may call `receiver`.
fn serve(site: &Site, receiver: &Receiver) -> Server {
    let mut command = site.command();
    command.arg("serve").envs(permitting([receiver]));
    // The lease of a stopped server ends soon.
    command.env("PRESSLINE__WEBHOOKS__TIMEOUT_SECONDS", "2");
    Server::start(command)
}

fn at(server: &Server, client: &Client) -> Client {
    Client {
        address: server.address,
        ..client.clone()
    }
}

/// Stops a server, so that its database has no connection.
fn stop(mut server: Server) {
    server.terminate();
    server.wait();
}

fn create(client: &Client, numbers: std::ops::RangeInclusive<u32>) -> BTreeMap<String, String> {
    numbers
        .map(|number| {
            let order_id = format!("O-{number}");
            let made = client.create(&order(&order_id));
            let number = made["serviceOrderId"].as_str().unwrap().to_owned();
            (number, order_id)
        })
        .collect()
}

fn read(client: &Client, request: &Value) -> Response {
    client.send(&client.request_to(EVENTS, request.to_string()))
}

/// Returns the order ids of the events after `position`, by event id, and the new position.
fn read_on(client: &Client, position: u64) -> (BTreeMap<String, String>, u64) {
    let (mut events, mut position) = (BTreeMap::new(), position);
    loop {
        let page = read(client, &json!({ "afterSequence": position, "limit": 500 })).ok();
        for event in page["data"].as_array().unwrap() {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            events.insert(text(&event["id"]), text(&event["data"]["orderId"]));
        }
        position = page["nextAfterSequence"].as_u64().unwrap();
        if page["lastSequence"] == position {
            return (events, position);
        }
    }
}

/// Returns the order ids of received events, by event id. Fails if an id was given to two events.
fn received(receiver: &Receiver) -> BTreeMap<String, String> {
    let mut events = BTreeMap::new();
    for attempt in receiver.attempts() {
        let event: Value = serde_json::from_slice(&attempt.body).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (id, order) = (text(&event["id"]), text(&event["data"]["orderId"]));
        let before = events.insert(id.clone(), order.clone());
        assert!(before.is_none_or(|before| before == order), "{id}");
    }
    events
}

/// Waits until events about all of `orders` were received. A receiver ignores repeated ids, so an
/// order whose id was used before would be missing.
fn wait_for_orders(receiver: &Receiver, orders: &BTreeSet<String>) {
    wait_for("webhooks", TIMEOUT * 4, || {
        let known: BTreeSet<String> = received(receiver).into_values().collect();
        orders.is_subset(&known).then_some(())
    });
}

fn skip(site: &Site) -> Value {
    site.run(&["--json", "after-restore"]).json()
}

fn nothing_is_given_away_twice_after_a_restore(site: &Site) {
    let receiver = Receiver::accepting();
    site.import_catalog();
    let server = serve(site, &receiver);
    let client = site.store(&server, &[]);
    let endpoint = json!({ "url": receiver.url() });
    let path = "/app/v1/webhooks/create";
    client
        .send(&client.request_to(path, endpoint.to_string()))
        .ok();
    let kept = create(&client, 1..=5);
    stop(server);
    let backup = site.copy();

    let server = serve(site, &receiver);
    let client = at(&server, &client);
    let lost = create(&client, 6..=9);
    let (before, position) = read_on(&client, 0);
    assert_eq!((before.len(), position), (9, 9));
    wait_for_orders(&receiver, &before.values().cloned().collect());
    stop(server);

    let skipped = skip(&backup);
    assert_eq!(skipped["repeated"], false);
    let server = serve(&backup, &receiver);
    let client = at(&server, &client);
    let (none, same) = read_on(&client, position);
    assert!(none.is_empty() && same > position, "{none:?} {same}");
    let new = create(&client, 6..=12);
    let (after, _) = read_on(&client, position);
    let found: BTreeSet<&String> = after.values().collect();
    assert_eq!(found, new.values().collect(), "{skipped}");
    let used: BTreeSet<&String> = kept.keys().chain(lost.keys()).collect();
    assert!(new.keys().all(|number| !used.contains(number)), "{new:?}");
    assert!(after.keys().all(|id| !before.contains_key(id)), "{after:?}");
    // A reader from the beginning passes over the gap.
    assert_eq!(read_on(&client, 0).0.len(), 12);
    wait_for_orders(&receiver, &new.values().cloned().collect());
}

fn counters_are_skipped_once_for_each_restore(site: &Site) {
    let (server, client) = site.open();
    create(&client, 1..=2);
    stop(server);
    let first = skip(site);
    let again = skip(site);
    assert_eq!(again["repeated"], true);
    assert_eq!(first["stores"], again["stores"]);
    let text = site.run(&["after-restore"]).ok().out;
    assert!(text.starts_with("Each counter is skipped once"), "{text}");
    // A backup that is made and restored after the service has run again.
    stop(site.serve());
    let second = skip(site);
    assert_eq!(second["repeated"], false);
    let [first, second] = [first, second].map(|skip| skip["stores"][0].clone());
    assert_eq!(first["numbers"]["last"], second["numbers"]["after"]);
    assert_eq!(first["sequences"]["last"], second["sequences"]["after"]);
    // A given number, and nothing.
    let skip = |options: &[&str]| {
        let arguments = ["--json", "after-restore", "--again"];
        let skipped = site.run(&[&arguments, options].concat()).json();
        let numbers = &skipped["stores"][0]["numbers"];
        numbers["last"].as_u64().unwrap() - numbers["after"].as_u64().unwrap()
    };
    assert_eq!(skip(&["--skip", "17"]), 17);
    assert_eq!(skip(&["--skip", "0"]), 0);
    assert!(skip(&["--since", "2026-01-01"]) > 1_000_000_000);
    site.run(&["after-restore", "--again", "--since", "2999-01-01"])
        .fails(2, &["2999-01-01", "clock", "--since"]);
    let audited = site.run(&["audit"]).ok().out;
    assert_eq!(audited.matches("database-restored").count(), 5, "{audited}");
}

fn a_position_above_the_feed_is_refused(site: &Site) {
    let (_server, client) = site.open();
    create(&client, 1..=5);
    for request in [
        json!({ "afterSequence": 6 }),
        json!({ "afterSequence": 1_000_000_000_000_u64 }),
        json!({ "afterSequence": 7, "types": ["order.held"] }),
        json!({ "afterSequence": 7, "order_id": "O-1", "include": "changes" }),
        // It does not wait.
        json!({ "afterSequence": 7, "waitSeconds": 25 }),
    ] {
        let response = read(&client, &request);
        assert_error(&response, 409, "position_ahead");
        assert_eq!(response.json()["lastSequence"], 5, "{request}");
    }
    let last = read(&client, &json!({ "afterSequence": 5 })).ok();
    assert_eq!(
        (&last["data"], &last["lastSequence"]),
        (&json!([]), &json!(5))
    );
    site.run(&["events", "tail", &client.store, "--after", "7"])
        .fails(2, &["--after", "7", "5"]);
}

fn a_restored_order_has_a_version_that_was_never_used(site: &Site) {
    let (server, client) = site.open();
    create(&client, 1..=1);
    let named = json!({ "order_id": "O-1" });
    client.call("hold", &named).ok();
    stop(server);
    let backup = site.copy();
    let server = site.serve();
    let lost = at(&server, &client).call("release", &named).ok();
    assert_eq!(lost["data"]["version"], 3);
    stop(server);

    skip(&backup);
    let server = backup.serve();
    let client = at(&server, &client);
    let released = client.call("release", &named).ok();
    // The store believes the lost version 3.
    let stale = json!({ "order_id": "O-1", "version": 3 });
    assert_error(&client.call("cancel", &stale), 412, "version_conflict");
    let version = released["data"]["version"].as_u64().unwrap();
    assert!(version > 1_000_000, "{version}");
    // All versions with events are readable, the skipped ones are not.
    let get = |version: u64| {
        let request = json!({ "order_id": "O-1", "atVersion": version });
        client.call("get", &request)
    };
    for version in [1, 2, version] {
        assert_eq!(get(version).ok()["data"]["version"], version);
    }
    let history = client.call("history", &named).ok();
    let versions = history["data"].as_array().unwrap().iter();
    let versions: Vec<u64> = versions
        .map(|entry| entry["version"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, [version, 2, 1]);
    // Each event has the order with the version of the event.
    let page = read(&client, &json!({ "limit": 2 })).ok();
    for event in page["data"].as_array().unwrap() {
        assert_eq!(event["data"]["version"], event["data"]["order"]["version"]);
    }
}

/// PostgreSQL tells a restored database from the original one; a file of SQLite does not.
fn lost_writes_that_are_not_skipped_are_noticed(site: &Site) {
    let (server, _) = site.open();
    stop(server);
    let quiet = site.serve();
    let message = "pressline after-restore";
    assert!(!quiet.log().contains(message), "{}", quiet.log());
    stop(quiet);
    let backup = site.copy();
    for _ in 0..2 {
        let server = backup.serve();
        assert_eq!(
            server.log().contains(message),
            site.url().starts_with("postgres")
        );
        stop(server);
    }
    backup.run(&["after-restore", "--skip", "0"]).ok();
    let server = backup.serve();
    assert!(!server.log().contains(message), "{}", server.log());
}
