//! Pages by number, and the order of results.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::order_ids;
use crate::common::{Connection, Site, assert_members, assert_order, on_both_databases, order};

on_both_databases!(both_paths_return_pages,);

/// Minimum time until a client without data to send acknowledges a part of a response (tcp(7)).
const DELAYED_ACKNOWLEDGEMENT: Duration = Duration::from_millis(40);

fn both_paths_return_pages(site: &Site) {
    let (_server, client) = site.open();
    for path in ["/app/v1/orders/search", "/api/v1/orders/search"] {
        let envelope = client.send(&client.request_to(path, "{}")).ok();
        assert_members(
            &envelope,
            &json!({ "data": [], "page": 1, "size": 20, "pageHasNext": false, "pageHasPre": false }),
        );
    }
    for i in 1..=7 {
        client.create(&order(&format!("page-{i}")));
    }
    let ask = |page: u32| {
        client
            .call("search", &json!({ "page": page, "size": 3 }))
            .ok()
    };
    let (first, last, beyond) = (ask(1), ask(3), ask(4));
    assert_eq!(
        order_ids(&first),
        ["page-7", "page-6", "page-5"],
        "newest first"
    );
    assert_members(&first, &json!({ "pageHasNext": true, "pageHasPre": false }));
    assert!(first["nextCursor"].is_string());
    assert_eq!(order_ids(&last), ["page-1"]);
    assert_members(&last, &json!({ "pageHasNext": false, "pageHasPre": true }));
    assert!(last.get("nextCursor").is_none_or(Value::is_null));
    assert_eq!(order_ids(&beyond), Vec::<String>::new());
    assert_members(
        &beyond,
        &json!({ "pageHasNext": false, "pageHasPre": true }),
    );
    // Whole numbers may have decimals.
    let all = client
        .send(&client.request_to("/api/v1/orders/search", r#"{"page":1.0,"size":100}"#))
        .ok();
    let all = all["data"].as_array().unwrap();
    assert_eq!(all.len(), 7);
    for order in all {
        assert_order(order, false);
    }
    assert_eq!(order_ids(&ask(1_000_000)), Vec::<String>::new());
}

#[test]
fn a_page_is_sent_without_waiting_for_acknowledgements() {
    let site = Site::sqlite();
    let (_server, client) = site.open();
    let mut order = order("");
    // Orders are so long that a page is sent in several parts.
    order["line_items"][0]["mockupImages"] =
        vec![format!("https://example.com/{}", "x".repeat(100)); 4].into();
    for number in 0..20 {
        order["order_id"] = format!("part-{number}").into();
        client.create(&order);
    }
    let page = client.request("search", "{}");
    let mut connection = Connection::open(client.address).unwrap();
    let mut duration_of_page = || {
        let started = Instant::now();
        assert_eq!(connection.send(&page).unwrap().status, 200);
        started.elapsed()
    };

    // On a new connection, the system acknowledges the first parts immediately.
    let first: Vec<Duration> = (0..30).map(|_| duration_of_page()).collect();

    // A single prompt page is enough, so that a busy machine does not matter: a delayed part would
    // delay every page.
    let mut later = (0..600).map(|_| duration_of_page());
    let is_prompt = later.any(|duration| duration < DELAYED_ACKNOWLEDGEMENT);
    assert!(is_prompt, "{first:?}, and 600 more");
}
