//! An endpoint that accepts nothing while very many events happen.

use std::collections::BTreeSet;
use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{LIMIT, call, deliveries, open, shown};
use crate::common::{Client, Receiver, Site, on_both_databases, order, status, wait_for};

on_both_databases!(a_dead_endpoint_stores_no_row_per_event_and_catches_up);

/// Environment variable with the number of events while the endpoint is dead.
const EVENTS_VARIABLE: &str = "PRESSLINE_TEST_DEAD_EVENTS";
/// Default of [`EVENTS_VARIABLE`].
const EVENTS: usize = 600;
const WRITERS: usize = 8;
/// Maximum number of attempts while the endpoint is dead: a batch of eight, then one every few
/// seconds, later minutes.
const ATTEMPTS: usize = 30;
/// Time per event to catch up, on a machine that is busy with other tests.
const CATCH_UP: Duration = Duration::from_millis(20);

/// Creates an order. Repeats the call while the server is overloaded and responds with 503.
fn create(client: &Client, order: &Value) {
    let mut response = client.call("create", order);
    while response.status == 503 {
        thread::sleep(Duration::from_millis(100));
        response = client.call("create", order);
    }
    response.order();
}

/// Creates `count` orders.
fn write(client: &Client, count: usize) {
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let numbers = (writer..count).step_by(WRITERS);
            scope.spawn(move || {
                for number in numbers {
                    create(client, &order(&format!("D-{number}")));
                }
            });
        }
    });
}

/// Fails if PostgreSQL has more open messages than the eight that failed before the pause.
fn check_rows(site: &Site) {
    if site.url().starts_with("postgres") {
        site.sql(
            "DO $$ BEGIN
                IF (SELECT count(*) FROM webhook_messages) > 8 THEN RAISE 'a row for each event'; END IF;
            END $$",
        );
    }
}

fn a_dead_endpoint_stores_no_row_per_event_and_catches_up(site: &Site) {
    let count = env::var(EVENTS_VARIABLE).map_or(EVENTS, |count| count.parse().unwrap());
    let is_alive = Arc::new(AtomicBool::new(false));
    let alive = Arc::clone(&is_alive);
    let receiver = Receiver::start(move |_| {
        let is_alive = alive.load(Ordering::SeqCst);
        status(if is_alive { 204 } else { 500 })
    });
    let (_server, client) = open(site, &receiver);
    let url = json!({ "url": receiver.url(), "payload": "thin" });
    let made = call(&client, "create", &url).ok();
    let id = made["data"]["id"].as_str().unwrap();
    write(&client, count);
    let lag = || shown(&client, id)["lag"]["events"].as_u64().unwrap();
    wait_for("a pause", LIMIT, || {
        shown(&client, id)["pausedUntil"].is_string().then_some(())
    });
    assert_eq!(lag(), count as u64);
    check_rows(site);
    let failed = receiver.count();
    assert!(failed <= ATTEMPTS, "{failed} attempts");
    let log = deliveries(&client, &json!({ "webhookId": id, "size": 100 }));
    assert!(log.len() <= ATTEMPTS, "{} deliveries", log.len());

    is_alive.store(true, Ordering::SeqCst);
    let enable = json!({ "webhookId": id, "from": "stopped" });
    call(&client, "enable", &enable).ok();
    let limit = LIMIT + CATCH_UP * u32::try_from(count).unwrap();
    wait_for("an empty subscription", limit, || {
        thread::sleep(Duration::from_millis(100));
        (lag() == 0).then_some(())
    });
    let attempts = receiver.attempts();
    let taken: BTreeSet<&str> = attempts[failed..]
        .iter()
        .map(|attempt| attempt.id())
        .collect();
    assert_eq!(taken.len(), count);
}
