//! Names of orders: the store's order id, the service's number and the service's id. A name that
//! fits two orders changes neither.

mod operators;

use serde_json::{Value, json};

use crate::common::{
    Client, Site, address, assert_error, assert_warns, customer, item, label, on_both_databases,
    order, update, warnings,
};
use crate::operators::Operator;

on_both_databases!(
    an_order_id_of_the_form_of_a_number_is_accepted_with_a_warning,
    a_store_changes_no_order_by_a_name_that_fits_two,
    a_store_names_an_order_by_its_id_in_every_call,
);

const CODE: &str = "ambiguous_order_id";
/// Calls of stores that change an order, with further fields of their bodies.
const CHANGES: [&str; 7] = [
    "update",
    "update-label",
    "cancel",
    "hold",
    "release",
    "process-now",
    "withdraw-change",
];

fn text<'a>(order: &'a Value, field: &str) -> &'a str {
    order[field].as_str().unwrap()
}

fn named(name: &str) -> Value {
    json!({ "order_id": name })
}

/// A body for `call` about the order `name`.
fn body(call: &str, name: &str) -> Value {
    match call {
        "update" => update(name),
        "update-label" => json!({
            "order_id": name, "shipping_address_label": "https://files.example/other.pdf"
        }),
        "answer" => json!({ "order_id": name, "text": "Blue." }),
        _ => json!({ "order_id": name }),
    }
}

/// An order with a number, and another order whose order id is this number, and a third whose order
/// id is the first's id.
struct Homonyms {
    numbered: Value,
    as_number: Value,
    as_id: Value,
}

impl Homonyms {
    fn place(client: &Client) -> Self {
        let numbered = client.create(&order("shop-1"));
        let as_number = client.create(&order(text(&numbered, "serviceOrderId")));
        let as_id = client.create(&order(text(&numbered, "id")));
        Self {
            numbered,
            as_number,
            as_id,
        }
    }

    /// Names that fit the first order and another order, with the other order.
    fn names(&self) -> [(&str, &Value); 2] {
        [
            (text(&self.numbered, "serviceOrderId"), &self.as_number),
            (text(&self.numbered, "id"), &self.as_id),
        ]
    }
}

fn ids(order: &Value) -> Value {
    let [id, number, own] = ["id", "serviceOrderId", "orderId"].map(|key| &order[key]);
    json!({ "id": id, "serviceOrderId": number, "orderId": own })
}

fn an_order_id_of_the_form_of_a_number_is_accepted_with_a_warning(site: &Site) {
    let (server, client) = site.open();
    let prefix = site.prefix(&client.store);
    let looks_like = [
        (format!("{prefix}-3"), true),
        (format!("{prefix}-999999"), true),
        (format!("{prefix}-03"), false),
        (format!("{prefix}-0"), false),
        (format!("{prefix}-3a"), false),
        (format!("{prefix}-"), false),
        (format!("{prefix}3-3"), false),
        (format!("{}-4", prefix.to_lowercase()), false),
        (format!("{prefix}-99999999999999999999"), false),
        ("OTHER-3".to_owned(), false),
        ("3".to_owned(), false),
    ];
    for (order_id, expected) in &looks_like {
        let cart = json!({
            "order_id": order_id, "shipping_address": address(), "customer": customer(),
            "line_items": [item("MUG-11", 1, 1)]
        });
        let mut dry_run = order(order_id);
        dry_run["dryRun"] = json!(true);
        let calls = [
            ("estimate", &cart),
            ("create", &dry_run),
            ("create", &order(order_id)),
        ];
        for (call, body) in calls {
            // A replay has the same warning.
            for _ in 0..2 {
                let response = client.call(call, body);
                response.ok();
                let warned = warnings(&response);
                let has = warned
                    .iter()
                    .any(|(field, code, _)| field == "order_id" && code == CODE);
                assert_eq!(has, *expected, "{call} {order_id}: {response}");
            }
        }
    }
    let labelled = client.call("create-label", &label(&format!("{prefix}-5000")));
    assert_warns(
        &labelled,
        "order_id",
        CODE,
        "form of this service's order numbers",
    );
    let operator = Operator::create(site, &server, "operator", &[]);
    let file = format!(
        "order_id,first_name,address1,city,zip,country_code,province_code,sku,quantity\n\
         {prefix}-6000,Ana,1 Main St,Springfield,62701,US,US-IL,MUG-11,1\n"
    );
    let import = json!({ "storeId": client.store, "file": file });
    let report = operator.call("orders/import", &import);
    assert!(report.ok().to_string().contains(CODE), "{report}");
}

fn a_store_changes_no_order_by_a_name_that_fits_two(site: &Site) {
    let (_server, client) = site.open();
    let homonyms = Homonyms::place(&client);
    for (name, own) in homonyms.names() {
        for call in CHANGES.into_iter().chain(["answer"]) {
            let refused = client.call(call, &body(call, name));
            assert_error(&refused, 409, CODE);
            let candidates = json!([ids(own), ids(&homonyms.numbered)]);
            assert_eq!(refused.json()["candidates"], candidates, "{call}");
        }
        let mut dry_run = update(name);
        dry_run["dryRun"] = json!(true);
        assert_error(&client.call("update", &dry_run), 409, CODE);
        for call in ["get", "history"] {
            let response = client.call(call, &named(name));
            assert_warns(&response, "order_id", CODE, text(&homonyms.numbered, "id"));
        }
        assert_eq!(client.call("get", &named(name)).order()["id"], own["id"]);
        for path in [
            "/app/v1/events/search",
            "/app/v1/webhooks/deliveries/search",
        ] {
            let request = client.request_to(path, json!({ "order_id": name }).to_string());
            let response = client.send(&request);
            assert_warns(&response, "order_id", CODE, text(&homonyms.numbered, "id"));
        }
        let shown = site.run(&["order", "show", "--store", &client.store, name]);
        let shown = shown.ok().out;
        assert!(shown.contains(text(own, "serviceOrderId")), "{shown}");
    }
    // Nothing was changed.
    for order in [&homonyms.numbered, &homonyms.as_number, &homonyms.as_id] {
        let found = client.search(&json!({ "searchKey": text(order, "serviceOrderId") }));
        let stored = found.iter().find(|found| found["id"] == order["id"]);
        assert_eq!(stored.unwrap()["version"], 1);
    }
    // The other names are not ambiguous.
    let id = text(&homonyms.as_number, "id");
    let cancelled = client.call("cancel", &named(id)).order();
    assert_eq!(cancelled["id"], homonyms.as_number["id"]);
    let held = client.call("hold", &named("shop-1")).order();
    assert_eq!(held["id"], homonyms.numbered["id"]);
}

fn a_store_names_an_order_by_its_id_in_every_call(site: &Site) {
    let (server, client) = site.open();
    let other = site.store(&server, &["--prefix", "OTHER"]);
    let placed = client.create(&order("shop-1"));
    let id = text(&placed, "id");
    let found = client.call("get", &named(&id.to_uppercase())).order();
    assert_eq!(found["id"], placed["id"]);
    for call in [
        "get",
        "history",
        "hold",
        "release",
        "update",
        "process-now",
        "cancel",
    ] {
        let response = client.call(call, &body(call, id));
        let data = &response.ok()["data"];
        assert!(
            call == "history" || data["id"] == placed["id"],
            "{call}: {response}"
        );
        let elsewhere = other.call(call, &body(call, id));
        assert_error(&elsewhere, 404, "order_not_found");
    }
    let feed = json!({ "order_id": id }).to_string();
    let events = client.send(&client.request_to("/app/v1/events/search", feed));
    assert!(
        !events.ok()["data"].as_array().unwrap().is_empty(),
        "{events}"
    );
    let labelled = client.call("create-label", &label("label-1")).order();
    let changed = client.call("update-label", &body("update-label", text(&labelled, "id")));
    assert_eq!(changed.order()["id"], labelled["id"]);
}
