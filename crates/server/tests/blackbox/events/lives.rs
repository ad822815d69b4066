//! The event feed of orders with random histories, replayed from random sequences.

use std::collections::BTreeMap;
use std::env;

use serde_json::{Value, json};

use super::read;
use crate::common::{
    Client, Response, Server, Site, address, item, label, on_both_databases, order, random_below,
    update,
};
use crate::operators::Operator;

on_both_databases!(replaying_the_feed_from_any_sequence_gives_the_stored_orders);

const ORDERS: usize = 20;
/// Number of commands. Some are refused because of the order's status.
const COMMANDS: usize = 300;
/// Environment variable with the number of random sequences to replay the feed from.
const CURSORS_VARIABLE: &str = "PRESSLINE_TEST_FEED_CURSORS";
/// Default of [`CURSORS_VARIABLE`].
const CURSORS: usize = 25;

const MOVES: [&str; 8] = [
    "hold",
    "release",
    "release",
    "process-now",
    "process-now",
    "process-now",
    "cancel",
    "withdraw-change",
];

pub(super) fn opened(site: &Site) -> (Server, Client, Operator) {
    let (server, client) = site.open();
    let operator = Operator::create(site, &server, "operator", &[]);
    (server, client, operator)
}

pub(super) fn live(client: &Client, operator: &Operator) {
    for number in 0..ORDERS {
        let order_id = format!("L-{number}");
        match number % 5 {
            0 => client.call("create-label", &label(&order_id)).order(),
            _ => client.create(&order(&order_id)),
        };
    }
    for step in 0..COMMANDS {
        let order_id = format!("L-{}", random_below(ORDERS));
        let (command, response) = match random_below(5) {
            0 | 1 => by_operator(operator, &client.shown(&order_id)),
            2 => {
                let body = any_update(&client.shown(&order_id), step);
                ("update", client.call("update", &body))
            }
            3 => {
                let body = json!({ "order_id": order_id, "text": "Yes.", "accept": true });
                ("answer", client.call("answer", &body))
            }
            _ => {
                let command = MOVES[random_below(MOVES.len())];
                (
                    command,
                    client.call(command, &json!({ "order_id": order_id })),
                )
            }
        };
        let status = response.status;
        assert!([200, 400, 409].contains(&status), "{command}: {status}");
    }
}

fn one_of<'a>(words: &[&'a str]) -> &'a str {
    words[random_below(words.len())]
}

fn picked(list: &Value) -> &Value {
    let list = list.as_array().unwrap();
    &list[random_below(list.len())]
}

/// An update of a random part of an order.
fn any_update(shown: &Value, step: usize) -> Value {
    let mut body = update(shown["orderId"].as_str().unwrap());
    body["version"] = shown["version"].clone();
    let id = &picked(&shown["childDetails"])["id"];
    let art = format!("https://example.com/art/step-{step}.png");
    match random_below(8) {
        0 => body["production_note"] = json!(format!("step {step}")),
        1 => body["shipping_address"]["first_name"] = json!(format!("Ana {step}")),
        2 => {
            body["customer"]["last_name"] = json!(format!("Souza {step}"));
            body["shipping_address"]["phone"] = json!("");
        }
        3 => body["billing_address"] = [address(), json!({})][random_below(2)].clone(),
        4 => body["line_items"] = json!([{ "appItemId": id, "fileUrls": [art] }]),
        5 => {
            body["line_items"] = json!([{
                "appItemId": id, "quantity": 1 + random_below(9), "sku": one_of(&["MUG-11", "TEE-M", "POSTER"]),
                "mockupImages": [art], "refId": one_of(&["", "R-1"]), "name": one_of(&["", "Mine"])
            }])
        }
        6 => body["line_items"] = json!([item("TEE-M", 3, 2)]),
        _ => body["line_items"] = json!([{ "appItemId": id, "remove": true }]),
    }
    body
}

/// Sends a random command of the print shop for an order.
fn by_operator(operator: &Operator, shown: &Value) -> (&'static str, Response) {
    let (call, body) = if random_below(3) == 0 {
        about_shipments(shown)
    } else {
        about_the_order(shown)
    };
    (call, operator.call(call, &body))
}

fn about_the_order(shown: &Value) -> (&'static str, Value) {
    let id = &shown["serviceOrderId"];
    let reason = "So it is.";
    let moving = |command: &str| {
        let orders = json!([{ "order_id": id }]);
        json!({ "command": command, "orders": orders, "reason": reason })
    };
    match random_below(11) {
        0 | 1 => ("orders/move", moving("start")),
        2 => {
            let command = one_of(&["put-back", "hold", "release"]);
            ("orders/move", moving(command))
        }
        3 | 4 => {
            let mut body = moving("need");
            body["code"] = json!("fee_approval");
            body["amount"] = json!(2.5);
            ("orders/move", body)
        }
        5 => {
            let mut body = moving("resolve");
            body["to"] = json!(one_of(&["return", "cancelled"]));
            ("orders/move", body)
        }
        6 | 7 => {
            let decision = one_of(&["approve", "refuse", "ask"]);
            let mut body = json!({ "order_id": id, "decision": decision, "reason": reason });
            body["text"] = json!("Why?");
            ("orders/decide", body)
        }
        8 | 9 => {
            let fee = one_of(&["shipping", "handling", "product"]);
            let body = json!({ "order_id": id, "type": fee, "amount": 0.75, "reason": reason });
            ("orders/fee-lines", body)
        }
        _ => {
            let item = &picked(&shown["childDetails"])["id"];
            let mut body = json!({ "order_id": id, "reason": reason });
            body["version"] = shown["version"].clone();
            body["line_items"] = json!([{ "appItemId": item, "quantity": 1 }]);
            ("orders/replace", body)
        }
    }
}

fn about_shipments(shown: &Value) -> (&'static str, Value) {
    let number = format!("1Z-{}", random_below(1000));
    let is_shipped = shown["shipments"] != json!([]);
    if !is_shipped || random_below(4) == 0 {
        let body = json!({
            "order_id": shown["serviceOrderId"], "carrier": "UPS", "trackingNumber": number
        });
        return ("shipments/create", body);
    }
    let mut body = json!({ "shipmentId": picked(&shown["shipments"])["id"] });
    let call = match random_below(4) {
        0 => {
            body["trackingNumber"] = json!(number);
            "shipments/update"
        }
        1 => {
            body["reason"] = json!("Wrong.");
            "shipments/void"
        }
        _ => {
            body["status"] = json!(one_of(&["delivered", "returned"]));
            "shipments/track"
        }
    };
    (call, body)
}

/// Reads pages up to the sequence `cursor`, then to the end. Returns the last state of each order.
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

fn replaying_the_feed_from_any_sequence_gives_the_stored_orders(site: &Site) {
    let (_server, client, operator) = opened(site);
    live(&client, &operator);
    let found = client.search(&json!({ "size": 100 })).into_iter();
    let found: BTreeMap<String, Value> = found
        .map(|order| (order["orderId"].to_string(), order))
        .collect();
    assert!(found.len() >= ORDERS);
    let page = read(&client, &json!({ "limit": 1 })).ok();
    let last = usize::try_from(page["lastSequence"].as_u64().unwrap()).unwrap();
    let cursors = env::var(CURSORS_VARIABLE).map_or(CURSORS, |cursors| cursors.parse().unwrap());
    for _ in 0..cursors {
        let cursor = random_below(last + 1) as u64;
        assert_eq!(replay(&client, cursor), found, "from {cursor}");
    }
}
