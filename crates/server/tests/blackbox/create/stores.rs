//! Stores with their own settings, and the separation of stores.

use serde_json::{Value, json};

use crate::common::{
    Client, Site, assert_error, assert_members, assert_warns, customer, item, label,
    on_both_databases, order, update,
};

on_both_databases!(stores_with_other_settings);

fn stores_with_other_settings(site: &Site) {
    let (server, usual) = site.open();
    let strict = site.store(&server, &["--strict-catalog"]);
    let mut body = order("strict-1");
    // An unknown SKU, and a known SKU with an unknown ship class.
    body["line_items"] = json!([item("MUG-12", 1, 1), item("MUG-11", 1, 1)]);
    body["line_items"][1]["shipClass"] = json!("Rocket");
    let error = strict.rejected("create", &body);
    assert!(error.has("line_items[0].sku", "unknown_sku"), "{error:?}");
    assert!(
        error.has("line_items[1].shipClass", "unknown_ship_class"),
        "{error:?}"
    );
    // Other stores accept the same order with warnings.
    usual.create(&body);
    strict.create(&order("strict-1"));

    // The rates and fees are in the other currency only.
    let euro = site.store(&server, &["--currency", "EUR"]);
    let response = euro.call("create", &order("euro-1"));
    assert_members(
        &response.order(),
        &json!({ "currency": "EUR", "shippingFee": null, "productCost": null, "totalCost": 0 }),
    );
    let field = "line_items[0].shipClass";
    assert_warns(&response, field, "no_shipping_rate", "EUR");
    euro.rejected("create-label", &label("euro-2"));

    let other = site.store(&server, &[]);
    assert_separate(&usual, &other);
}

/// Asserts that `other` can neither see nor change the orders of `usual`, and that its key cannot
/// sign for `usual`.
fn assert_separate(usual: &Client, other: &Client) {
    let made = usual.create(&order("shared-id"));
    let theirs = other.create(&order("shared-id"));
    assert_ne!(made["id"], theirs["id"]);
    assert_eq!(theirs["storeId"], other.store);
    let found = other.search(&json!({}));
    let ids: Vec<&Value> = found.iter().map(|order| &order["id"]).collect();
    assert_eq!(ids, [&theirs["id"]]);
    for key in ["id", "serviceOrderId"] {
        assert!(other.found(made[key].as_str().unwrap()).is_empty(), "{key}");
    }
    for name in ["strict-1", made["serviceOrderId"].as_str().unwrap()] {
        let mut change = update(name);
        change["customer"] = customer();
        assert_error(&other.call("update", &change), 404, "order_not_found");
    }
    let stolen = Client {
        key: other.key.clone(),
        ..usual.clone()
    };
    let response = stolen.call("create", &order("stolen"));
    assert_error(&response, 401, "permission_denied");
}
