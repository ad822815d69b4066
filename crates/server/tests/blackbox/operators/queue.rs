//! The queue across stores, and searches for orders across stores.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Client, Server, Site, assert_error, item, label, on_both_databases, order};

on_both_databases!(
    the_queue_lists_items_of_all_stores_oldest_first,
    the_queue_is_filtered,
    the_queue_shows_only_the_stores_of_a_token,
    items_are_counted_by_status,
    orders_of_all_stores_are_found
);

/// Two stores with three orders each, placed in turns: `A-0` of the first store, `B-0` of the
/// second store, and so on.
struct Shops {
    server: Server,
    stores: [Client; 2],
    viewer: Operator,
    /// Has access to the first store only.
    bound: Operator,
}

fn open(site: &Site) -> Shops {
    site.import_catalog();
    let server = site.serve();
    let stores = ["OWN", "OTHER"].map(|prefix| site.store(&server, &["--prefix", prefix]));
    for number in 0..3 {
        for (store, letter) in stores.iter().zip(["A", "B"]) {
            store.create(&order(&format!("{letter}-{number}")));
        }
    }
    let viewer = Operator::create(site, &server, "viewer", &[]);
    let bound = Operator::create(site, &server, "viewer", &["--store", "OWN"]);
    Shops {
        server,
        stores,
        viewer,
        bound,
    }
}

/// Returns the values of `field` of all entries of a page.
fn each<'a>(page: &'a Value, field: &str) -> Vec<&'a str> {
    let entries = page["data"].as_array().unwrap().iter();
    entries
        .map(|entry| entry[field].as_str().unwrap())
        .collect()
}

fn the_queue_lists_items_of_all_stores_oldest_first(site: &Site) {
    let shops = open(site);
    let queue = |body: Value| shops.viewer.call("queue/search", &body).ok();
    let all = queue(json!({}));
    let expected: Vec<String> = ["A-0", "B-0", "A-1", "B-1", "A-2", "B-2"]
        .iter()
        .flat_map(|id| [(*id).to_owned(), (*id).to_owned()])
        .collect();
    assert_eq!(each(&all, "orderId"), expected);
    let first = &all["data"][0];
    let members: Vec<&String> = first.as_object().unwrap().keys().collect();
    for member in [
        "storeId",
        "orderId",
        "serviceOrderId",
        "version",
        "type",
        "itemId",
        "sku",
        "name",
        "quantity",
        "shippedQuantity",
        "status",
        "shipClass",
        "countryCode",
        "createdAt",
    ] {
        assert!(
            members.iter().any(|name| *name == member),
            "{member}: {first}"
        );
    }
    assert_eq!(first["countryCode"], "US");
    by_cursor(&shops);
    drop(shops.server);
}

/// Pages through the queue with `size` 1. The items must equal a single page.
fn by_cursor(shops: &Shops) {
    let queue = |body: &Value| shops.viewer.call("queue/search", body).ok();
    let (mut items, mut body) = (Vec::new(), json!({ "size": 1 }));
    loop {
        let page = queue(&body);
        items.extend(each(&page, "itemId").into_iter().map(str::to_owned));
        match page["nextCursor"].as_str() {
            Some(cursor) => body["cursor"] = json!(cursor),
            None => break,
        }
    }
    assert_eq!(items, each(&queue(&json!({ "size": 100 })), "itemId"));
    assert_eq!(items.len(), 12);
}

fn the_queue_is_filtered(site: &Site) {
    let shops = open(site);
    let [own, other] = &shops.stores;
    own.call("cancel", &json!({ "order_id": "A-0" })).ok();
    other
        .call("process-now", &json!({ "order_id": "B-2" }))
        .ok();
    let mut cap = order("A-3");
    cap["line_items"] = json!([item("CAP-1", 1, 1)]);
    own.create(&cap);
    let found = |body: Value| {
        let page = shops.viewer.call("queue/search", &body).ok();
        let ids = each(&page, "orderId").into_iter();
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({ "statuses": ["cancelled"] })), ["A-0", "A-0"]);
    assert_eq!(
        found(json!({ "statuses": ["ready"], "sku": "MUG-11" })),
        ["B-2"]
    );
    assert_eq!(found(json!({ "sku": "CAP-1" })), ["A-3"]);
    // SKUs are compared as a whole.
    assert_eq!(found(json!({ "sku": "CAP" })), Vec::<String>::new());
    assert_eq!(found(json!({ "stores": [own.store], "size": 1 })), ["A-1"]);
    assert_eq!(
        found(json!({ "countries": ["us"], "searchKey": "b-1" })).len(),
        2
    );
    assert_eq!(found(json!({ "countries": ["DE"] })), Vec::<String>::new());
    assert_eq!(found(json!({ "types": ["label"] })), Vec::<String>::new());
    assert_eq!(
        found(json!({ "shipClass": "standard", "size": 100 })).len(),
        11
    );
    assert_eq!(
        found(json!({ "placedBefore": 1_600_000_000_000_i64 })),
        Vec::<String>::new()
    );
    drop(shops.server);
}

fn the_queue_shows_only_the_stores_of_a_token(site: &Site) {
    let shops = open(site);
    let [own, other] = &shops.stores;
    let bound = |body: Value| shops.bound.call("queue/search", &body).ok();
    assert!(
        each(&bound(json!({})), "storeId")
            .iter()
            .all(|id| *id == own.store)
    );
    assert_eq!(bound(json!({ "stores": [other.store] }))["data"], json!([]));
    for (body, field) in [
        (json!({ "statuses": ["done"] }), "statuses[0]"),
        (json!({ "stores": ["OWN"] }), "stores[0]"),
        (json!({ "countries": ["Germany"] }), "countries[0]"),
        (json!({ "size": 101 }), "size"),
    ] {
        let refused = shops.viewer.call("queue/search", &body);
        let refused = assert_error(&refused, 400, "validation_failed");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    drop(shops.server);
}

fn items_are_counted_by_status(site: &Site) {
    let shops = open(site);
    let [own, other] = &shops.stores;
    own.call("process-now", &json!({ "order_id": "A-0" })).ok();
    let one_item = &other.shown("B-0")["childDetails"][0]["id"];
    let body = json!({ "order_id": "B-0", "line_items": [{ "appItemId": one_item }] });
    other.call("cancel", &body).ok();
    let counts = |operator: &Operator, body: Value| operator.call("queue/counts", &body).order();
    let all = counts(&shops.viewer, json!({}));
    let expected = json!({
        "pending-design": 0, "cooling-off": 9, "ready": 2, "in-production": 0, "fulfilled": 0, "delivered": 0,
        "returned": 0, "request-change": 0, "need-action": 0, "on-hold": 0, "cancelled": 1,
    });
    assert_eq!(all, expected);
    let of_own = counts(&shops.bound, json!({}));
    assert_eq!(
        (&of_own["cooling-off"], &of_own["cancelled"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(
        counts(&shops.viewer, json!({ "stores": [own.store] })),
        of_own
    );
    let none = counts(&shops.bound, json!({ "stores": [other.store] }));
    assert!(none.as_object().unwrap().values().all(|count| *count == 0));
    drop(shops.server);
}

fn orders_of_all_stores_are_found(site: &Site) {
    let shops = open(site);
    let [own, _] = &shops.stores;
    own.call("create-label", &label("A-3")).ok();
    own.call("process-now", &json!({ "order_id": "A-1" })).ok();
    let found = |operator: &Operator, body: Value| operator.call("orders/search", &body).ok();
    let all = found(&shops.viewer, json!({}));
    let newest_first = ["A-3", "B-2", "A-2", "B-1", "A-1", "B-0", "A-0"];
    assert_eq!(each(&all, "orderId"), newest_first);
    assert!(all["data"][0]["allowedActions"].is_array());
    for (body, expected) in [
        (json!({ "statuses": ["ready"] }), vec!["A-1"]),
        (json!({ "types": ["label"] }), vec!["A-3"]),
        (json!({ "searchKey": "b" }), vec!["B-2", "B-1", "B-0"]),
        (
            json!({ "stores": [own.store], "searchKey": "ana", "size": 2 }),
            vec!["A-3", "A-2"],
        ),
        (json!({ "toTime": 1_600_000_000_000_i64 }), vec![]),
        (json!({ "trackingNumber": "1Z-none" }), vec![]),
    ] {
        assert_eq!(
            each(&found(&shops.viewer, body.clone()), "orderId"),
            expected,
            "{body}"
        );
    }
    let first = found(&shops.viewer, json!({ "size": 3 }));
    let rest = json!({ "size": 9, "cursor": first["nextCursor"] });
    assert_eq!(
        each(&found(&shops.viewer, rest), "orderId"),
        newest_first[3..]
    );
    let own_orders = found(&shops.bound, json!({}));
    assert_eq!(each(&own_orders, "orderId"), ["A-3", "A-2", "A-1", "A-0"]);
    drop(shops.server);
}
