//! The feed of orders that live random lives, replayed from random sequences.

use std::collections::BTreeMap;
use std::env;

use serde_json::{Value, json};

use super::read;
use crate::common::{Client, Site, on_both_databases, order, random_below, update};

on_both_databases!(the_feed_replayed_from_any_sequence_is_what_a_search_finds);

const ORDERS: usize = 20;
/// Commands that are tried, of which the state of the order refuses some.
const COMMANDS: usize = 160;
/// Variable that sets the number of sequences from which the feed is replayed.
const CURSORS_VARIABLE: &str = "PRESSLINE_TEST_FEED_CURSORS";
/// Default of `CURSORS_VARIABLE`.
const CURSORS: usize = 25;

const MOVES: [&str; 5] = [
    "hold",
    "release",
    "process-now",
    "cancel",
    "withdraw-change",
];

/// Creates orders, and sends commands for any of them.
fn live(client: &Client) {
    for number in 0..ORDERS {
        client.create(&order(&format!("L-{number}")));
    }
    for step in 0..COMMANDS {
        let order_id = format!("L-{}", random_below(ORDERS));
        let (command, body) = match MOVES.get(random_below(MOVES.len() + 3)) {
            Some(command) => (*command, json!({ "order_id": order_id })),
            None => {
                let mut body = update(&order_id);
                body["production_note"] = json!(format!("step {step}"));
                ("update", body)
            }
        };
        let status = client.call(command, &body).status;
        assert!([200, 409].contains(&status), "{command}: {status}");
    }
}

/// Reads to a sequence, then to the end. Returns the last state of each order.
fn replay(client: &Client, cursor: u64) -> BTreeMap<String, Value> {
    let mut orders = BTreeMap::new();
    let mut after = 0;
    loop {
        let limit = if after < cursor {
            (cursor - after).min(500)
        } else {
            1 + random_below(500) as u64
        };
        let page = read(client, &json!({ "afterSequence": after, "limit": limit })).ok();
        for event in page["data"].as_array().unwrap() {
            let order = &event["data"]["order"];
            orders.insert(order["orderId"].to_string(), order.clone());
        }
        after = page["nextAfterSequence"].as_u64().unwrap();
        if after >= page["lastSequence"].as_u64().unwrap() {
            return orders;
        }
    }
}

fn the_feed_replayed_from_any_sequence_is_what_a_search_finds(site: &Site) {
    let (_server, client) = site.open();
    live(&client);
    let found = client.search(&json!({ "size": 100 })).into_iter();
    let found: BTreeMap<String, Value> = found
        .map(|order| (order["orderId"].to_string(), order))
        .collect();
    assert_eq!(found.len(), ORDERS);
    let page = read(&client, &json!({ "limit": 1 })).ok();
    let last = usize::try_from(page["lastSequence"].as_u64().unwrap()).unwrap();
    let cursors = env::var(CURSORS_VARIABLE).map_or(CURSORS, |cursors| cursors.parse().unwrap());
    for _ in 0..cursors {
        let cursor = random_below(last + 1) as u64;
        assert_eq!(replay(&client, cursor), found, "from {cursor}");
    }
}
