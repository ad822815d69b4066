//! The response to a create request: its members and its fees.

use serde_json::{Value, json};

use crate::common::{Site, assert_members, assert_order, item, on_both_databases, order, strings};

on_both_databases!(an_order_has_the_shape_of_the_interface, fees_are_exact,);

/// The sample's shipping address as a response shows it.
fn shown_address() -> Value {
    json!({
        "firstName": "Ana", "lastName": "Souza", "fullName": "Ana Souza", "company": "Prints Ltd",
        "address1": "12 Market St", "address2": "Floor 3", "city": "San Francisco", "postcode": "94105",
        "province": "California", "country": "United States", "phone": "+1 415 555 0100",
        "email": "ana@example.com"
    })
}

fn an_order_has_the_shape_of_the_interface(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("shape-1");
    body["billing_address"] =
        json!({ "name": "Billing Dept", "city": "Lyon", "country_code": "FR" });
    body["line_items"][0]["mockupImages"] = json!(["https://example.com/mock.png"]);
    body["line_items"][0]["name"] = json!("Mug of the year");
    let response = client.call("create", &body);
    assert_eq!(response.header("Content-Type"), Some("application/json"));
    let envelope = response.ok();
    assert_eq!(envelope["message"], "OK");
    assert!(envelope.get("warnings").is_none(), "{response}");
    let made = &envelope["data"];
    assert_order(made, false);
    assert_members(
        made,
        &json!({
            "orderId": "shape-1", "storeId": client.store, "type": "manual", "source": "store",
            "version": 1, "currency": "USD", "shipping_address_label": null, "itemStatuses": null
        }),
    );
    assert_eq!(made["customer"]["name"], "Ana Souza");
    assert_members(&made["shippingAddress"], &shown_address());
    assert_members(
        &made["billingAddress"],
        &json!({ "fullName": "Billing Dept", "country": "France" }),
    );
    assert_items(&made["childDetails"]);

    let found = client.stored("shape-1");
    assert_order(&found, false);
    assert_eq!(
        strings(&found["childDetails"][0]["thumbnailMockupImages"]),
        ["https://example.com/mock.png"]
    );
    assert_members(&found, &json!({ "itemStatuses": ["cooling-off"] }));
    assert_eq!(
        without_additions(found),
        without_additions(made.clone()),
        "a search shows the same order; only what search adds differs"
    );
}

fn assert_items(items: &Value) {
    let items = items.as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert_members(
        &items[0],
        &json!({
            "sku": "MUG-11", "name": "Mug of the year", "mockupImages": ["https://example.com/mock.png"],
            "thumbnailMockupImages": null, "status": null
        }),
    );
    assert_members(&items[1], &json!({ "sku": "TEE-M", "name": "Shirt, M" }));
    assert_eq!(items[0]["files"].as_array().unwrap().len(), 1);
    let [front, back] = [&items[1]["files"][0], &items[1]["files"][1]];
    assert_members(
        front,
        &json!({
            "name": "Front", "sizeWidth": "4500", "sizeHeight": "5400",
            "fileUrl": ["https://example.com/art/1.png"]
        }),
    );
    assert_members(
        back,
        &json!({
            "name": "Back", "requirement": "base_belongs", "thumbnailFileUrl": [],
            "fileUrl": ["https://example.com/art/2.png"]
        }),
    );
    let fee: f64 = back["extraFee"].as_str().unwrap().parse().unwrap();
    assert_eq!(fee, 4.0);
}

/// Removes the thumbnails and statuses from `order`: only a search shows them.
fn without_additions(mut order: Value) -> Value {
    order["itemStatuses"].take();
    for item in order["childDetails"].as_array_mut().unwrap() {
        item["thumbnailMockupImages"].take();
        item["status"].take();
        for file in item["files"].as_array_mut().unwrap() {
            file["thumbnailFileUrl"].take();
        }
    }
    order
}

fn fees_are_exact(site: &Site) {
    let (_server, client) = site.open();
    let response = client.call("create", &order("fees-1"));
    let made = response.order();
    // 2 x 5.20 + 8.75; the shirt's back 4.00; three units by Standard: 4.99 + 2 x 1.50.
    assert_eq!(made["productCost"], 19.15);
    assert_eq!(made["surchargeFee"], 4.0);
    assert_eq!(made["shippingFee"], 7.99);
    assert_eq!(made["totalCost"], 31.14);
    assert!(
        response.text().contains("\"totalCost\":31.14,"),
        "written without a rounding error: {response}"
    );
    assert_eq!(made["childDetails"][0]["sellerCost"], 5.2);
    for fee in ["handleFee", "otherFee", "otherShippingFee"] {
        assert_eq!(made[fee], Value::Null, "{fee}");
    }
    assert_eq!(made["priced"], true);

    // Each of the two ship classes has a first unit. The names of ship classes are compared without
    // regard to case.
    let mut body = order("fees-2");
    body["line_items"] = json!([item("MUG-11", 3, 1), item("TEE-M", 2, 1)]);
    body["line_items"][1]["shipClass"] = json!("EXPRESS");
    let made = client.create(&body);
    assert_eq!(made["productCost"], 33.1);
    assert_eq!(made["shippingFee"], 7.99 + 15.99);
    assert!(
        made["surchargeFee"].is_null() || made["surchargeFee"] == 0.0,
        "{made}"
    );
    assert_eq!(made["totalCost"], 57.08);

    let mut body = order("fees-3");
    body["line_items"] = json!([item("MUG-11", 1000, 0)]);
    assert_eq!(client.create(&body)["totalCost"], 5200.0 + 4.99 + 1498.5);
}
