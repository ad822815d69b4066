//! Extra fees of print areas, in orders with another currency than the catalog.

use serde_json::{Value, json};

use crate::common::{Client, Site, customer, on_both_databases, order};

on_both_databases!(an_extra_fee_has_the_currency_of_the_catalog);

const AREAS: &str = "\
sku,name,price,currency,area_id,area_name,extra_fee
DOLLARS,Shirt,8.75,USD,front,Front,
DOLLARS,Shirt,8.75,USD,back,Back,4.25
YEN,Shirt,900,JPY,front,Front,
YEN,Shirt,900,JPY,back,Back,350
DINARS,Shirt,8.750,KWD,front,Front,0.125
";

/// Returns `extraFee` and `extraFeeCurrency` of each print area of each item.
fn fees(order: &Value) -> Vec<(String, Value)> {
    let items = order["childDetails"].as_array().unwrap().iter();
    let files = items.flat_map(|item| item["files"].as_array().unwrap());
    let fee = |file: &Value| {
        let text = file["extraFee"].as_str().unwrap().to_owned();
        (text, file["extraFeeCurrency"].clone())
    };
    files.map(fee).collect()
}

fn an_extra_fee_has_the_currency_of_the_catalog(site: &Site) {
    site.import("catalog", AREAS, &[]).ok();
    let server = site.serve();
    for currency in ["USD", "JPY", "KWD"] {
        let client: Client = site.store(&server, &["--currency", currency]);
        let mut body = order("shirts");
        let skus = ["DOLLARS", "YEN", "DINARS"];
        let items = skus.map(|sku| json!({ "sku": sku, "quantity": 1, "fileUrls": [] }));
        body["line_items"] = json!(items);
        let of_catalog = [
            ("0", "USD"),
            ("4.25", "USD"),
            ("0", "JPY"),
            ("350", "JPY"),
            ("0.125", "KWD"),
        ];
        // The currency is left out if the order has the same.
        let named = |own: &str| (own != currency).then(|| own.to_owned());
        let expected = of_catalog.map(|(fee, own)| (fee.to_owned(), json!(named(own))));
        let created = client.create(&body);
        assert_eq!(fees(&created), expected, "{created}");
        let read = client.call("get", &json!({ "order_id": "shirts" })).order();
        assert_eq!(fees(&read), expected, "{read}");
        let found = client.search(&json!({}));
        assert_eq!(fees(&found[0]), expected, "{found:?}");
        let update = json!({
            "order_id": "shirts", "customer": customer(), "shipping_address": body["shipping_address"],
            "line_items": [{ "appItemId": read["childDetails"][0]["id"], "quantity": 2 }]
        });
        let updated = client.call("update", &update).order();
        assert_eq!(fees(&updated), expected, "{updated}");
    }
}
