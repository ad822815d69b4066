//! Warnings and problems of a create request.

use serde_json::{Value, json};

use crate::common::{
    Site, assert_members, assert_order, assert_warns, item, on_both_databases, order, strings,
    warnings,
};

on_both_databases!(
    doubtful_values_get_warnings,
    all_problems_are_reported_in_one_response,
);

/// Field and code of each warning of [`odd_order`], and a part of its message.
const WARNINGS_OF_ODD_ORDER: [(&str, &str, &str); 8] = [
    ("emial", "unknown_field", "email"),
    ("shipping_address.adress1", "unknown_field", "address1"),
    ("line_items[1].colour", "unknown_field", ""),
    ("shipping_address.province_code", "unknown_province", ""),
    ("line_items[0].sku", "unknown_sku", "MUG-11"),
    ("line_items[0].shipClass", "unknown_ship_class", "Express"),
    ("line_items[1].fileUrls", "more_files_than_areas", ""),
    ("totalCost", "total_incomplete", ""),
];

/// An order with a warning of every kind.
fn odd_order() -> Value {
    let mut body = order("odd-1");
    body["emial"] = json!("x");
    body["shipping_address"]["adress1"] = json!("x");
    body["shipping_address"]["province_code"] = json!("US-QQ");
    body["line_items"] = json!([item("MUG-12", 1, 1), item("TEE-M", 1, 3)]);
    body["line_items"][0]["shipClass"] = json!("Expres");
    body["line_items"][1]["colour"] = json!({ "a": [1, 2] });
    body
}

fn doubtful_values_get_warnings(site: &Site) {
    let (_server, client) = site.open();
    let body = odd_order();
    let response = client.call("create", &body);
    for (field, code, says) in WARNINGS_OF_ODD_ORDER {
        assert_warns(&response, field, code, says);
    }
    let made = response.order();
    assert_order(&made, false);
    assert_members(&made, &json!({ "productCost": null, "priced": false }));
    assert_eq!(made["childDetails"][0]["sellerCost"], Value::Null);
    assert_eq!(made["childDetails"][0]["files"][0]["name"], "Main");
    // The shirt's back 4.00, and the unknown class is shipped as Standard: 4.99 + 1.50.
    assert_eq!(made["totalCost"], 10.49);
    let back = &made["childDetails"][1]["files"][1];
    assert_eq!(
        strings(&back["fileUrl"]).len(),
        2,
        "the last area takes the further files"
    );
    // A repeated request gets the same warnings.
    let repeated = client.call("create", &body);
    assert_eq!(warnings(&repeated).len(), warnings(&response).len());

    let mut body = order("odd-2");
    body["shipping_address"] = json!({ "name": "A", "address1": "1 Rue", "city": "Lyon", "zip": "69001", "country": "france" });
    let response = client.call("create", &body);
    let field = "shipping_address.tax_number";
    assert_warns(&response, field, "tax_number_recommended", "");
    assert_eq!(
        response.order()["shippingAddress"]["country"],
        "france",
        "a name stays as it was given"
    );

    // A product without a price.
    let mut body = order("odd-3");
    body["line_items"] = json!([item("POSTER", 1, 1)]);
    assert_eq!(client.create(&body)["productCost"], Value::Null);

    // A list of warnings ends after 100, with the number of the others.
    let mut body = order("odd-4");
    for i in 0..150 {
        body[format!("unheard_of_{i}")] = json!(1);
    }
    let found = warnings(&client.call("create", &body));
    assert_eq!(found.len(), 101);
    assert!(found[100].2.contains("50"), "{:?}", found[100]);
}

/// Field and code of each problem of [`faulty_order`].
const PROBLEMS_OF_FAULTY_ORDER: [(&str, &str); 15] = [
    ("order_id", "too_long"),
    ("email", "wrong_type"),
    ("customer.first_name", "wrong_type"),
    ("shipping_address.name", "required"),
    ("shipping_address.address1", "required"),
    ("shipping_address.country", "country_mismatch"),
    ("shipping_address.tax_number", "required"),
    ("shipping_address.longitude", "wrong_type"),
    ("line_items[0].quantity", "out_of_range"),
    ("line_items[0].fileUrls[1]", "wrong_type"),
    ("line_items[1]", "required"),
    ("line_items[2].sku", "required"),
    ("line_items[2].quantity", "wrong_type"),
    ("line_items[3]", "required"),
    ("line_items[4]", "wrong_type"),
];

/// A body with a problem in most of its fields.
fn faulty_order() -> Value {
    json!({
        "order_id": "x".repeat(129), "email": 7, "customer": { "first_name": 7, "last_name": " " },
        "shipping_address": { "name": "", "city": "Tijuana", "country_code": "MX", "country": "Canada", "zip": "22000",
            "latitude": 91, "longitude": "east" },
        "line_items": [{ "sku": "MUG-11", "quantity": 0, "fileUrls": ["ftp://x", 3] }, null, { "quantity": "two" }, [], [1]]
    })
}

fn all_problems_are_reported_in_one_response(site: &Site) {
    let (_server, client) = site.open();
    let error = client.rejected("create", &faulty_order());
    for (field, code) in PROBLEMS_OF_FAULTY_ORDER {
        let list = &error.errors;
        assert!(error.has(field, code), "no {code} on {field}: {list:#?}");
    }
    assert!(
        error.fields().contains(&"line_items[0].fileUrls[0]"),
        "{:#?}",
        error.errors
    );
    for operation in ["create", "create-label"] {
        let error = client.rejected(operation, &json!({}));
        assert_eq!(error.fields().len(), 4, "{error:?}");
    }

    let mut body = order("many");
    body["line_items"] = json!(vec![json!({}); 101]);
    assert_eq!(
        client.rejected("create", &body).fields(),
        ["line_items"],
        "more than 100 items are that one problem"
    );
    body["line_items"] = json!(vec![json!({}); 100]);
    assert_eq!(client.rejected("create", &body).errors.len(), 101);
    body["line_items"] = json!(vec![item("MUG-11", 1, 0); 100]);
    let items = client.create(&body)["childDetails"].take();
    assert_eq!(items.as_array().unwrap().len(), 100);

    let mut body = order("whole");
    // A whole number may have decimals.
    body["line_items"][0]["quantity"] = serde_json::from_str("20.0").unwrap();
    assert_eq!(client.create(&body)["childDetails"][0]["quantity"], 20);
    assert_eq!(client.found("whole").len(), 1);
    assert_eq!(
        client.search(&json!({})).len(),
        2,
        "nothing that was refused is stored"
    );
}
