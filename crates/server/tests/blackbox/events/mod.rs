//! The event feed: nothing is missing, also while several servers write, and calls wait for new
//! events.

mod changes;
mod kills;
mod lives;
#[cfg(target_os = "linux")]
mod polls;

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{
    Client, Response, Site, TIMEOUT, assert_error, on_both_databases, order, wait_for,
};

on_both_databases!(
    events_are_printed_by_the_command,
    a_shutdown_ends_waiting_calls,
);

pub(crate) const EVENTS: &str = "/app/v1/events/search";

fn read(client: &Client, request: &Value) -> Response {
    client.send(&client.request_to(EVENTS, request.to_string()))
}

fn sequences(page: &Value) -> Vec<u64> {
    let events = page["data"].as_array().unwrap().iter();
    events
        .map(|event| event["sequence"].as_u64().unwrap())
        .collect()
}

/// Creates orders and moves some of them. That makes 23 events.
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

fn events_are_printed_by_the_command(site: &Site) {
    let (_server, client) = site.open();
    write(&client);
    let tail = |options: &[&str]| {
        let arguments = ["events", "tail", client.store.as_str()];
        site.run(&[&arguments, options].concat())
    };
    // Of 23 events, 21 to 23 are printed.
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

/// Waits for the event after the sequence `after`. A refused call is repeated.
fn wait_for_event(client: &Client, after: u64) -> Value {
    let request = json!({ "afterSequence": after, "waitSeconds": 25 });
    loop {
        let response = read(client, &request);
        if response.status != 429 {
            return response.ok();
        }
    }
}

/// Returns when the maximum number of calls are waiting: a further call is refused.
fn until_all_wait(client: &Client, after: u64) {
    let request = json!({ "afterSequence": after, "waitSeconds": 1 });
    wait_for("as many calls to wait as may", TIMEOUT, || {
        let response = read(client, &request);
        (response.status != 200).then(|| assert_error(&response, 429, "rate_limited"))
    });
}

fn a_shutdown_ends_waiting_calls(site: &Site) {
    site.import_catalog();
    let mut server = site.serve_with(&[("PRESSLINE__EVENTS__WAITING_POLLS", "2")]);
    let client = &site.store(&server, &[]);
    client.create(&order("E-1"));
    thread::scope(|scope| {
        let polls = [1, 1].map(|after| scope.spawn(move || wait_for_event(client, after)));
        // A third waiting call is refused.
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
fn an_event_of_another_server_ends_a_waiting_call_within_seconds() {
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

/// Holds a transaction with a change open, until a row says that it may end.
const OPEN_TRANSACTION: &str = "
    BEGIN;
    CREATE TABLE elsewhere (id INTEGER);
    DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM hold_ends) LOOP PERFORM pg_sleep(0.02); END LOOP;
    END $$;
    COMMIT";

/// Waits until the transaction is open.
const IS_HELD: &str = "
    DO $$ BEGIN
        WHILE NOT EXISTS (
            SELECT FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND backend_xid IS NOT NULL AND query LIKE '%elsewhere%'
        ) LOOP
            PERFORM pg_sleep(0.02);
            PERFORM pg_stat_clear_snapshot();
        END LOOP;
    END $$";

#[test]
fn an_unrelated_long_transaction_does_not_delay_the_feed() {
    let site = Site::postgres();
    let (_server, client) = site.open();
    site.sql("CREATE TABLE hold_ends (id INTEGER)");
    thread::scope(|scope| {
        let held = scope.spawn(|| site.sql(OPEN_TRANSACTION));
        // The transaction is open before the order is created.
        site.sql(IS_HELD);
        let poll = scope.spawn(|| wait_for_event(&client, 0));
        client.create(&order("E-1"));
        assert_eq!(sequences(&poll.join().unwrap()), [1]);
        for number in 2..=5 {
            client.create(&order(&format!("E-{number}")));
            let page = read(&client, &json!({ "include": "changes" })).ok();
            assert_eq!(sequences(&page), (1..=number).collect::<Vec<u64>>());
        }
        // The transaction was open all the time.
        assert!(!held.is_finished());
        site.sql("INSERT INTO hold_ends VALUES (1)");
    });
}
