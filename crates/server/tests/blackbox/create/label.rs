//! Orders shipped with a prepared label.

use serde_json::{Value, json};

use crate::common::{
    Site, address, assert_members, assert_order, assert_warns, label, on_both_databases, warnings,
};

on_both_databases!(a_label_order_has_a_handling_fee,);

fn a_label_order_has_a_handling_fee(site: &Site) {
    let (_server, client) = site.open();
    let mut body = label("label-1");
    body["response_type"] = json!("normal");
    let response = client.call("create-label", &body);
    let made = response.order();
    assert_order(&made, true);
    assert!(warnings(&response).is_empty());
    assert_members(
        &made,
        &json!({
            "type": "label", "handleFee": 2.5, "totalCost": 2.5, "productCost": null,
            "shippingFee": null, "shipping_address_label": "https://example.com/label.pdf",
            "shippingAddress": {}
        }),
    );
    assert_eq!(made["childDetails"][0]["refId"], "REF-7");
    assert_eq!(client.stored("label-1")["type"], "label");

    // The response has the address fields of the request, also for a repeated call; a search has
    // its own.
    let mut body = label("label-2");
    body["shipping_address"] = address();
    for replay in [false, true] {
        let response = client.call("create-label", &body);
        assert_eq!(response.is_replay(), replay);
        let made = response.order();
        assert_order(&made, true);
        assert_members(
            &made["shippingAddress"],
            &json!({ "first_name": "Ana", "zip": "94105", "city": "San Francisco" }),
        );
    }
    let found = client.stored("label-2");
    assert_order(&found, false);
    assert_eq!(found["shippingAddress"]["postcode"], "94105");

    for url in [
        json!("ftp://example.com/l.pdf"),
        json!("label.pdf"),
        json!(""),
        Value::Null,
        json!(7),
    ] {
        let mut body = label("label-3");
        body["shipping_address_label"] = url;
        let error = client.rejected("create-label", &body);
        assert_eq!(error.fields(), ["shipping_address_label"]);
    }
    let mut body = label("label-3");
    body["response_type"] = json!("brief");
    let response = client.call("create-label", &body);
    assert_warns(&response, "response_type", "unsupported_value", "normal");
}
