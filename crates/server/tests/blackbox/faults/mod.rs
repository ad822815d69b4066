//! Temporarily failing statements and broken connections: each request gets its correct response or
//! 503, and no data is lost or stored twice.

mod proxy;

use std::collections::BTreeSet;
use std::thread;

use serde_json::json;

use crate::common::{Client, Response, Site, TIMEOUT, assert_error, item, order, update, wait_for};
use crate::failure::stored_numbers;
use proxy::Proxy;

const WRITERS: usize = 4;
const ORDERS_OF_WRITER: usize = 12;

/// Repeats a call while it gets 503, or 429 because other writers search. Returns the response, and
/// whether there was a 503 before.
fn insist(client: &Client, operation: &str, body: &serde_json::Value) -> (Response, bool) {
    let mut retried = false;
    let response = wait_for("another response than 503 and 429", TIMEOUT, || {
        let response = client.call(operation, body);
        if response.status == 429 {
            return None;
        }
        if response.status != 503 {
            return Some(response);
        }
        assert_error(&response, 503, "unavailable");
        assert!(response.header("Retry-After").is_some(), "{response}");
        retried = true;
        None
    });
    (response, retried)
}

fn write_order(client: &Client, name: &str) {
    let (made, _) = insist(client, "create", &order(name));
    let made = made.order();

    let mut note = update(name);
    note["production_note"] = json!(name);
    let (noted, _) = insist(client, "update", &note);
    assert_eq!(noted.order()["version"], 2, "{noted}");

    let mut addition = update(name);
    addition["version"] = json!(2);
    addition["line_items"] = json!([item("MUG-11", 1, 1)]);
    let (added, retried) = insist(client, "update", &addition);
    if retried && added.status == 412 {
        // An earlier request made the change, but got a 503 because its result was lost.
        assert_error(&added, 412, "version_conflict");
    } else {
        assert_eq!(added.order()["version"], 3, "{added}");
    }

    let (found, _) = insist(client, "search", &json!({ "searchKey": name }));
    let found = found.ok()["data"].take();
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let stored = &found[0];
    assert_eq!(
        (&stored["id"], &stored["serviceOrderId"], &stored["version"]),
        (&made["id"], &made["serviceOrderId"], &json!(3))
    );
    assert_eq!(stored["productionNote"], *name);
    assert_eq!(stored["childDetails"].as_array().unwrap().len(), 3);
}

#[test]
fn conflicts_and_lost_connections_neither_lose_nor_duplicate_orders() {
    let site = Site::postgres();
    site.import_catalog();
    let (login, rest) = site.url().rsplit_once('@').unwrap();
    let (server, database) = rest.split_once('/').unwrap();
    let proxy = Proxy::before(server);
    let url = format!(
        "{login}@{}/{database}?sslmode=disable&gssencmode=disable",
        proxy.address()
    );
    let server = site.serve_with(&[("PRESSLINE__DATABASE__URL", &url)]);
    let client = site.store(&server, &[]);
    proxy.set_faults(true);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let client = &client;
            scope.spawn(move || {
                for i in 0..ORDERS_OF_WRITER {
                    write_order(client, &format!("fault-{writer}-{i}"));
                }
            });
        }
    });
    proxy.set_faults(false);
    let (failed, cut) = proxy.counts();
    assert!(failed > 50 && cut > 0, "{failed} failed, {cut} cut");

    let stored = stored_numbers(&client);
    assert_eq!(stored.len(), WRITERS * ORDERS_OF_WRITER);
    let numbers: BTreeSet<&String> = stored.values().flatten().collect();
    assert_eq!(numbers.len(), stored.len(), "{stored:?}");
}
