//! Names of orders in operators' calls, files and pages.

use serde_json::{Value, json};

use super::{CODE, Homonyms, ids, named, text};
use crate::common::{Server, Site, assert_error, assert_warns, on_both_databases, order, warnings};
use crate::operators::Operator;
use crate::operators::console::{PLAIN, create, signed_in};

on_both_databases!(
    operators_name_orders_by_number_and_id,
    shipment_files_name_orders_by_number_and_id,
);

fn moved(operator: &Operator, name: &str) -> Value {
    let body = json!({ "command": "hold", "reason": "?", "orders": [{ "order_id": name }] });
    operator.call("orders/move", &body).ok()["data"][0].clone()
}

fn operators_name_orders_by_number_and_id(site: &Site) {
    let server = site.serve_with(&[PLAIN]);
    site.import_catalog();
    let client = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    let other = site.store(&server, &["--prefix", "OTHER"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let elsewhere = Operator::create(site, &server, "operator", &["--store", &other.store]);
    let homonyms = Homonyms::place(&client);
    // An order id that looks like the number of another store's order names nothing here.
    client.create(&order("OTHER-1"));
    assert_error(
        &operator.call("orders/get", &named("OTHER-1")),
        404,
        "order_not_found",
    );
    let (number, id) = (
        text(&homonyms.numbered, "serviceOrderId"),
        text(&homonyms.numbered, "id"),
    );
    assert_ambiguous_for_operators(&operator, &homonyms);
    for call in ["orders/get", "orders/history", "production/get"] {
        let response = operator.call(call, &named(number));
        assert_warns(&response, "order_id", CODE, text(&homonyms.as_number, "id"));
        assert!(
            warnings(&operator.call(call, &named(id))).is_empty(),
            "{call}"
        );
        assert_error(&elsewhere.call(call, &named(id)), 404, "order_not_found");
    }
    let found = operator.call("orders/get", &named(number)).order();
    assert_eq!(found["id"], homonyms.numbered["id"]);
    assert_eq!(moved(&elsewhere, id)["error"]["code"], "order_not_found");
    assert_eq!(moved(&operator, id)["result"], "moved");
    assert_eq!(
        client.call("get", &named("shop-1")).order()["itemStatuses"],
        json!(["on-hold"])
    );
    let note = json!({ "order_id": id, "text": "Found by its id." });
    operator.call("orders/notes", &note).ok();
    assert_console_names_orders_by_number(site, &server, &homonyms);
}

fn assert_ambiguous_for_operators(operator: &Operator, homonyms: &Homonyms) {
    let number = text(&homonyms.numbered, "serviceOrderId");
    let candidates = json!([ids(&homonyms.numbered), ids(&homonyms.as_number)]);
    let with = |rest: Value| {
        let mut body = rest;
        body["order_id"] = json!(number);
        body
    };
    for (call, body) in [
        ("orders/notes", with(json!({ "text": "?" }))),
        (
            "orders/fee-lines",
            with(json!({ "type": "shipping", "amount": 1, "reason": "?" })),
        ),
        (
            "orders/update",
            with(json!({ "reason": "?", "production_note": "?" })),
        ),
        (
            "shipments/create",
            with(json!({ "carrier": "UPS", "trackingNumber": "1Z999AA10123456784" })),
        ),
    ] {
        let refused = operator.call(call, &body);
        assert_error(&refused, 409, CODE);
        assert_eq!(refused.json()["candidates"], candidates, "{call}");
    }
    let refused = moved(operator, number);
    let error = &refused["error"];
    assert_eq!(
        (&error["code"], &error["candidates"]),
        (&json!(CODE), &candidates),
        "{refused}"
    );
}

/// A page of the console shows the order of its number, whatever order ids stores choose.
fn assert_console_names_orders_by_number(site: &Site, server: &Server, homonyms: &Homonyms) {
    create(site, "Ana");
    let mut browser = signed_in(site, server, "Ana");
    let (number, id) = (
        text(&homonyms.numbered, "serviceOrderId"),
        text(&homonyms.numbered, "id"),
    );
    for name in [number, id] {
        let page = browser.get(&format!("/console/orders/{name}"));
        assert_eq!(page.status, 200, "{page}");
        assert!(page.text().contains("Found by its id."), "{page}");
        let note = [("text", "Another note.")];
        let added = browser.post(&format!("/console/orders/{name}/notes"), &note);
        assert_eq!(added.status, 303, "{added}");
    }
    // The text names two orders, so the search lists both.
    let found = browser.get(&format!("/console/find?text={number}"));
    let location = found.header("Location").unwrap();
    assert!(location.contains("searchKey"), "{location}");
    let found = browser.get(&format!("/console/find?text={id}"));
    assert_eq!(
        found.header("Location"),
        Some(&*format!("/console/orders/{number}"))
    );
}

fn shipment_files_name_orders_by_number_and_id(site: &Site) {
    let (server, client) = site.open();
    let operator = Operator::create(site, &server, "operator", &[]);
    let homonyms = Homonyms::place(&client);
    for order in [&homonyms.numbered, &homonyms.as_number] {
        client.call("process-now", &named(text(order, "orderId")));
        client.call("process-now", &named(text(order, "id")));
    }
    let (number, id) = (
        text(&homonyms.numbered, "serviceOrderId"),
        text(&homonyms.numbered, "id"),
    );
    let import = |rows: &str| {
        let file = format!("number,order_id,carrier,tracking_number\n{rows}");
        operator.call("shipments/import", &json!({ "file": file }))
    };
    let refused = import(&format!(",{number},DHL,JJD1\n"));
    assert!(refused.text().contains(CODE), "{refused}");
    assert!(refused.text().contains(id), "{refused}");
    let unknown = import(",018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e,DHL,JJD1\n");
    assert!(unknown.text().contains("order_not_found"), "{unknown}");
    // One order by two of its names; the other by its id.
    let other = text(&homonyms.as_number, "id");
    let rows = format!("{number},,DHL,JJD1\n,{id},DHL,JJD1\n,{other},DHL,JJD2\n");
    let refused = import(&rows);
    // Two rows of one parcel must name their items, so the importer knows that it is one order.
    assert!(refused.text().contains("same parcel"), "{refused}");
    let imported = import(&format!("{number},,DHL,JJD1\n,{other},DHL,JJD2\n"));
    assert_eq!(imported.ok()["data"]["created"], 2, "{imported}");
    for (order, parcel) in [(&homonyms.numbered, "JJD1"), (&homonyms.as_number, "JJD2")] {
        let shown = operator
            .call("orders/get", &named(text(order, "id")))
            .order();
        assert_eq!(shown["shipments"][0]["trackingNumber"], parcel, "{shown}");
    }
}
