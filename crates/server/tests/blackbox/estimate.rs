//! Estimates: a cart has a price when only its items and its destination are known.

use serde_json::{Value, json};

use crate::common::{Site, assert_error, item, on_both_databases, order};

on_both_databases!(an_estimate_has_a_price_and_shipping_options,);

fn an_estimate_has_a_price_and_shipping_options(site: &Site) {
    let (server, client) = site.open();
    let cart = json!({
        "shipping_address": { "country": "United States", "province": "California" },
        "line_items": [item("MUG-11", 2, 1), item("TEE-M", 1, 2)]
    });
    let estimated = client.call("estimate", &cart).order();
    assert_eq!(
        (&estimated["orderId"], &estimated["customer"]),
        (&json!(""), &json!({ "name": "" }))
    );
    // 2 x 5.20 + 8.75 and the back 4.00; three units by Standard: 4.99 + 2 x 1.50.
    assert_eq!(estimated["totalCost"], 31.14);
    let options = estimated["shippingOptions"].as_array().unwrap();
    assert_eq!(
        options[0],
        json!({ "shipClass": "Standard", "shippingFee": 7.99, "totalCost": 31.14 })
    );
    assert_eq!(
        (options.len(), &options[1]["shipClass"]),
        (2, &json!("Express"))
    );
    assert_eq!(
        client.search(&json!({})),
        Vec::<Value>::new(),
        "nothing is stored"
    );

    // An order has the price of its estimate.
    for (index, option) in options.iter().enumerate() {
        let mut body = order(&format!("cart-{index}"));
        for line in body["line_items"].as_array_mut().unwrap() {
            line["shipClass"] = option["shipClass"].clone();
        }
        let made = client.create(&body);
        assert_eq!(made["shippingFee"], option["shippingFee"]);
        assert_eq!(made["totalCost"], option["totalCost"]);
    }

    let mut nowhere = cart.clone();
    nowhere["shipping_address"]["province"] = Value::Null;
    let error = assert_error(&client.call("estimate", &nowhere), 400, "validation_failed");
    assert_eq!(error.fields(), ["shipping_address.province_code"]);
    // An order id that is taken is reported before the store relies on it.
    let mut taken = cart;
    taken["order_id"] = json!("cart-0");
    assert_error(&client.call("estimate", &taken), 409, "duplicate_order_id");

    // There is no rate in euros, so there are no shipping options, and a strict store gets an
    // error.
    let euro = site.store(&server, &["--currency", "EUR"]);
    taken["order_id"] = Value::Null;
    let response = euro.call("estimate", &taken);
    assert_eq!(response.order()["shippingOptions"], json!([]));
    let strict = site.store(&server, &["--currency", "EUR", "--strict-catalog"]);
    let error = assert_error(&strict.call("estimate", &taken), 400, "validation_failed");
    assert!(
        error.has("line_items[0].shipClass", "no_shipping_rate"),
        "{error:?}"
    );
}
