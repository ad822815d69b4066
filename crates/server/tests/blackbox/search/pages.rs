//! Pages by number, and the order of results.

use serde_json::{Value, json};

use super::order_ids;
use crate::common::{Site, assert_members, assert_order, on_both_databases, order};

on_both_databases!(both_paths_return_pages,);

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
