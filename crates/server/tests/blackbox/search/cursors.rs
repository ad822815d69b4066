//! Paging by cursor, and cursors of other stores or searches.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::common::{Client, Site, assert_error, label, on_both_databases, order};

on_both_databases!(
    paging_returns_every_order_once_while_orders_arrive,
    a_cursor_belongs_to_its_store,
    an_invented_product_cursor_is_refused,
);

fn paging_returns_every_order_once_while_orders_arrive(site: &Site) {
    let (_server, client) = site.open();
    let there: Vec<String> = (0..23).map(|i| format!("walk-{i}")).collect();
    for name in &there {
        client.call("create-label", &label(name)).ok();
    }
    for filter in [json!({}), json!({ "searchKey": "walk mug" })] {
        let seen = walk(&client, &filter);
        for name in &there {
            assert_eq!(seen.get(name), Some(&1), "{name}");
        }
        assert!(seen.values().all(|times| *times == 1), "{seen:?}");
    }
    assert!(
        client.search(&json!({ "size": 100 })).len() > there.len(),
        "others have arrived"
    );
}

/// Follows the cursors of a search to its end, and creates another matching order with each page.
/// Returns the number of pages that showed each order.
fn walk(client: &Client, filter: &Value) -> HashMap<String, u32> {
    static NEWCOMERS: AtomicU32 = AtomicU32::new(0);
    let mut seen = HashMap::new();
    let mut body = filter.clone();
    body["size"] = json!(4);
    let mut places = Vec::new();
    loop {
        let newcomer = label(&format!(
            "walk-late-{}",
            NEWCOMERS.fetch_add(1, Ordering::Relaxed)
        ));
        let mut envelope = thread::scope(|scope| {
            let created = scope.spawn(|| client.call("create-label", &newcomer).order());
            let envelope = client.call("search", &body).ok();
            created.join().unwrap();
            envelope
        });
        for order in envelope["data"].as_array().unwrap() {
            *seen
                .entry(order["orderId"].as_str().unwrap().to_owned())
                .or_default() += 1;
            let text = |key: &str| order[key].as_str().unwrap().to_owned();
            places.push((text("createdAt"), text("id")));
        }
        if envelope["pageHasNext"] == false {
            break;
        }
        body["cursor"] = envelope["nextCursor"].take();
    }
    assert!(
        places.is_sorted_by(|newer, older| newer > older),
        "newest first: {places:?}"
    );
    seen
}

fn a_cursor_belongs_to_its_store(site: &Site) {
    let (server, first) = site.open();
    let second = site.store(&server, &[]);
    for client in [&first, &second] {
        for number in 1..=3 {
            client.create(&order(&format!("own-{number}")));
        }
    }
    for path in ["/app/v1/orders/search", "/app/v1/products/search"] {
        let search =
            |client: &Client, body: Value| client.send(&client.request_to(path, body.to_string()));
        let cursor = search(&first, json!({ "size": 1 })).ok()["nextCursor"].take();
        search(&first, json!({ "size": 1, "cursor": cursor })).ok();
        // A cursor of the first store is invalid for the second.
        let response = search(&second, json!({ "size": 1, "cursor": cursor }));
        let error = assert_error(&response, 400, "validation_failed");
        assert_eq!(error.body["errors"][0]["field"], "cursor", "{response}");
    }
}

fn an_invented_product_cursor_is_refused(site: &Site) {
    let (_server, client) = site.open();
    let search = |cursor: &str| {
        let body = json!({ "size": 1, "cursor": cursor }).to_string();
        client.send(&client.request_to("/app/v1/products/search", body))
    };
    let page = client
        .send(&client.request_to("/app/v1/products/search", "{\"size\":1}"))
        .ok();
    let digest = &page["nextCursor"].as_str().unwrap()[..18];
    // With a valid digest, any valid SKU is accepted.
    search(&format!("{digest}{}", hex::encode("A"))).ok();
    for id in ["\0", "A\0B", &"A".repeat(256)] {
        let response = search(&format!("{digest}{}", hex::encode(id)));
        let error = assert_error(&response, 400, "validation_failed");
        assert_eq!(
            error.body["errors"][0]["field"], "cursor",
            "{id:?}: {response}"
        );
    }
}
