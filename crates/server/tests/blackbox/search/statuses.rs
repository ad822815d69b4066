//! Filters by item status and by order type.

use serde_json::{Value, json};

use super::order_ids;
use crate::common::{Client, Site, label, on_both_databases, order};

on_both_databases!(
    statuses_and_types_filter_orders,
    unknown_statuses_and_types_are_refused
);

/// Creates the orders `S-0` to `S-5` in several statuses. `S-2` has a label.
fn placed(client: &Client) {
    for number in 0..6 {
        let order_id = format!("S-{number}");
        let made = match number {
            2 => client.call("create-label", &label(&order_id)),
            _ => client.call("create", &order(&order_id)),
        };
        made.ok();
    }
    for (command, order_id) in [
        ("cancel", "S-0"),
        ("hold", "S-1"),
        ("process-now", "S-3"),
        ("process-now", "S-4"),
    ] {
        client.call(command, &json!({ "order_id": order_id })).ok();
    }
    let one_item = &client.shown("S-5")["childDetails"][0]["id"];
    let body = json!({ "order_id": "S-5", "line_items": [{ "appItemId": one_item }] });
    client.call("cancel", &body).ok();
}

fn statuses_and_types_filter_orders(site: &Site) {
    site.import_catalog();
    let (_server, client) = site.open();
    placed(&client);
    let found = |body: Value| order_ids(&client.call("search", &body).ok());
    for (body, expected) in [
        (json!({ "statuses": ["ready"] }), vec!["S-4", "S-3"]),
        (json!({ "statuses": ["cancelled"] }), vec!["S-5", "S-0"]),
        (json!({ "statuses": ["cooling-off"] }), vec!["S-5"]),
        (
            json!({ "statuses": ["on-hold", "ready", "ready"] }),
            vec!["S-4", "S-3", "S-1"],
        ),
        (json!({ "statuses": ["delivered"] }), vec![]),
        (json!({ "types": ["label"] }), vec!["S-2"]),
        (
            json!({ "types": ["manual"], "statuses": ["cancelled"], "searchKey": "s-0" }),
            vec!["S-0"],
        ),
        (
            json!({ "statuses": ["ready"], "searchKey": "ana s-3" }),
            vec!["S-3"],
        ),
        (
            json!({ "statuses": ["ready"], "searchKey": "nobody" }),
            vec![],
        ),
        (
            json!({ "statuses": [], "types": [] }),
            vec!["S-5", "S-4", "S-3", "S-2", "S-1", "S-0"],
        ),
    ] {
        assert_eq!(found(body.clone()), expected, "{body}");
    }
    // A cursor continues only its own search.
    let first = json!({ "types": ["manual"], "size": 2 });
    let page = client.call("search", &first).ok();
    let with = |statuses: Value| json!({ "types": ["manual"], "size": 9, "statuses": statuses, "cursor": page["nextCursor"] });
    assert_eq!(found(with(json!([]))), ["S-3", "S-1", "S-0"]);
    let refused = client.rejected("search", &with(json!(["ready"])));
    assert!(refused.has("cursor", "invalid_format"), "{}", refused.body);
    let second = json!({ "statuses": ["ready"], "page": 2, "size": 1 });
    assert_eq!(found(second), ["S-3"]);
}

fn unknown_statuses_and_types_are_refused(site: &Site) {
    let (_server, client) = site.open();
    for (body, field, says) in [
        (
            json!({ "statuses": ["redy"] }),
            "statuses[0]",
            "did you mean `ready`?",
        ),
        (
            json!({ "statuses": ["ready", null] }),
            "statuses[1]",
            "null",
        ),
        (json!({ "statuses": "ready" }), "statuses", "array"),
        (
            json!({ "types": ["labels"] }),
            "types[0]",
            "did you mean `label`?",
        ),
    ] {
        let refused = client.rejected("search", &body);
        assert_eq!(refused.fields(), [field], "{body}");
        assert!(refused.body.to_string().contains(says), "{}", refused.body);
    }
}
