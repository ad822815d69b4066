//! Applying an event's changes to the order before must give the order after.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::lives::{live, opened};
use super::read;
use crate::common::{Client, Site, on_both_databases};

on_both_databases!(applying_an_events_changes_gives_the_order_after_it);

/// Splits `name[id]` into its parts.
fn split(part: &str) -> (&str, Option<&str>) {
    match part.split_once('[') {
        Some((name, id)) => (name, id.strip_suffix(']')),
        None => (part, None),
    }
}

fn place(list: &Value, id: &str) -> Option<usize> {
    let mut entries = list.as_array().expect("entries with ids").iter();
    entries.position(|entry| entry["id"] == id)
}

/// Sets a field of `order` like a receiver that knows only the path and the values of `change`.
fn apply(order: &mut Value, change: &Value) {
    let path = change["path"].as_str().unwrap();
    let (objects, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut object = order;
    for part in objects.split('.').filter(|part| !part.is_empty()) {
        let (name, id) = split(part);
        object = &mut object[name];
        if let Some(id) = id {
            let place = place(object, id).unwrap_or_else(|| panic!("no entry of {path}"));
            object = &mut object[place];
        }
    }
    let (name, id) = split(last);
    let (old, new) = (&change["old"], &change["new"]);
    let Some(id) = id else {
        assert_eq!(&object[name], old, "{path}");
        object[name] = new.clone();
        return;
    };
    let place = place(&object[name], id);
    let list = object[name].as_array_mut().unwrap();
    match place {
        Some(place) => {
            assert_eq!((&list[place], &Value::Null), (old, new), "{path}");
            list.remove(place);
        }
        None => {
            assert_eq!(&Value::Null, old, "{path}");
            list.push(new.clone());
        }
    }
}

/// Computes the order after `event` from the `order` before it.
fn after(mut order: Value, event: &Value) -> Value {
    let data = &event["data"];
    for change in data["changes"].as_array().unwrap() {
        apply(&mut order, change);
    }
    for moved in data["items"].as_array().unwrap() {
        let place = place(&order["childDetails"], moved["id"].as_str().unwrap());
        if let Some(place) = place {
            order["childDetails"][place]["status"] = moved["new"].clone();
        }
    }
    order["version"] = data["version"].clone();
    order["updatedAt"] = event["timestamp"].clone();
    order
}

/// Removes null fields, because they mean the same as absent fields, and fields that no change
/// lists: `allowedActions` and `itemStatuses`.
fn comparable(value: &Value) -> Value {
    let listed = |name: &str, value: &Value| {
        name != "allowedActions" && name != "itemStatuses" && !value.is_null()
    };
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, value)| listed(name, value));
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), comparable(value)))
                    .collect(),
            )
        }
        Value::Array(entries) => Value::Array(entries.iter().map(comparable).collect()),
        value => value.clone(),
    }
}

fn feed(client: &Client, include: &str) -> Vec<Value> {
    let (mut events, mut after) = (Vec::new(), json!(0));
    loop {
        let request = json!({ "afterSequence": after, "limit": 100, "include": include });
        let page = read(client, &request).ok();
        events.extend(page["data"].as_array().unwrap().iter().cloned());
        after = page["nextAfterSequence"].clone();
        if after == page["lastSequence"] {
            return events;
        }
    }
}

/// Reads an order's history in small pages. Returns the changes of its events, by sequence.
fn history(client: &Client, order_id: &Value) -> BTreeMap<u64, Value> {
    let (mut changes, mut cursor) = (BTreeMap::new(), Value::Null);
    loop {
        let request = json!({ "order_id": order_id, "size": 7, "cursor": cursor });
        let page = client.call("history", &request).ok();
        for event in page["data"].as_array().unwrap() {
            changes.insert(
                event["sequence"].as_u64().unwrap(),
                event["changes"].clone(),
            );
        }
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return changes;
        }
    }
}

fn applying_an_events_changes_gives_the_order_after_it(site: &Site) {
    let (_server, client, operator) = opened(site);
    live(&client, &operator);
    let events = feed(&client, "order");
    let mut orders: BTreeMap<String, Value> = BTreeMap::new();
    let mut changes: BTreeMap<u64, Value> = BTreeMap::new();
    for event in &events {
        let order = &event["data"]["order"];
        let id = order["serviceOrderId"].as_str().unwrap();
        match orders.get(id) {
            Some(before) => {
                let reached = after(before.clone(), event);
                assert_eq!(comparable(&reached), comparable(order), "{event:#}");
            }
            None => assert_eq!(event["data"]["changes"], json!([])),
        }
        orders.insert(id.to_owned(), order.clone());
        let sequence = event["sequence"].as_u64().unwrap();
        changes.insert(sequence, event["data"]["changes"].clone());
    }
    for event in feed(&client, "changes") {
        let sequence = event["sequence"].as_u64().unwrap();
        assert_eq!(event["data"]["changes"], changes[&sequence]);
    }
    for order in orders.values() {
        for (sequence, listed) in history(&client, &order["serviceOrderId"]) {
            assert_eq!(listed, changes[&sequence]);
        }
    }
}
