//! Imports of files over the operators' API.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Server, Site, assert_error, on_both_databases};

on_both_databases!(
    orders_and_parcels_are_checked_and_imported_over_the_api,
    a_file_with_a_wrong_row_changes_nothing_over_the_api,
    the_catalog_is_imported_by_an_admin_and_in_the_audit
);

/// A server with a store whose orders are ready at once, and the id of the store.
fn opened(site: &Site) -> (Server, String) {
    site.import_catalog();
    let server = site.serve();
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    (server, store.store)
}

/// A file of so many orders of one mug, with umlauts and quotation marks.
fn orders(count: usize) -> String {
    let mut text =
        "order_id,first_name,address1,city,zip,country_code,sku,quantity,file_urls\r\n".to_owned();
    for number in 1..=count {
        text.push_str(&format!(
            "X-{number},\"Jörg \"\"Jo\"\"\",1 Rua,Lisboa,1000,PT,MUG-11OZ-WHITE,1,https://files.example/{number}.png\r\n"
        ));
    }
    text
}

/// What an import came to: how much is new and how much was so already, and whether it was imported.
#[track_caller]
fn import(operator: &Operator, call: &str, body: &Value) -> (u64, u64, bool) {
    let data = operator.call(call, body).ok()["data"].clone();
    assert_eq!(data["problems"], json!([]), "{data}");
    let count = |name: &str| data[name].as_u64().unwrap();
    (
        count("created"),
        count("unchanged"),
        data["imported"] == true,
    )
}

fn orders_and_parcels_are_checked_and_imported_over_the_api(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let mut file = json!({ "storeId": store, "file": orders(30), "dryRun": true });
    let check = import(&operator, "orders/import", &file);
    assert_eq!(check, (30, 0, false));
    file["dryRun"] = json!(false);
    assert_eq!(import(&operator, "orders/import", &file), (30, 0, true));
    assert_eq!(import(&operator, "orders/import", &file), (0, 30, true));
    let placed = operator.call("orders/get", &json!({ "order_id": "OWN-30" }));
    let placed = placed.ok()["data"].clone();
    assert_eq!(placed["source"], "app");
    assert_eq!(placed["customer"]["firstName"], "Jörg \"Jo\"");
    let parcels = "order_id,carrier,tracking_number\nOWN-1,UPS,1Z-1\nOWN-2,UPS,1Z-2\n";
    let mut file = json!({ "file": parcels, "dryRun": true });
    let call = "shipments/import";
    assert_eq!(import(&operator, call, &file), (2, 0, false));
    file["dryRun"] = json!(false);
    assert_eq!(import(&operator, call, &file), (2, 0, true));
    assert_eq!(import(&operator, call, &file), (0, 2, true));
    let shipped = operator.call("orders/search", &json!({ "statuses": ["fulfilled"] }));
    assert_eq!(shipped.ok()["data"].as_array().unwrap().len(), 2);
}

fn a_file_with_a_wrong_row_changes_nothing_over_the_api(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let file = json!({ "storeId": store, "file": orders(3) });
    import(&operator, "orders/import", &file);
    let parcels = "order_id,carrier,tracking_number\nOWN-1,UPS,1Z-1\nOWN-99,UPS,1Z-2\n";
    let refused = operator.call("shipments/import", &json!({ "file": parcels }));
    let data = refused.ok()["data"].clone();
    assert_eq!(
        (&data["imported"], &data["created"]),
        (&json!(false), &json!(0))
    );
    let problem = &data["problems"][0];
    assert_eq!(
        (&problem["line"], &problem["code"]),
        (&json!(3), &json!("order_not_found"))
    );
    let shipped = operator.call("orders/search", &json!({ "statuses": ["fulfilled"] }));
    assert_eq!(shipped.ok()["data"], json!([]));
    let viewer = Operator::create(site, &server, "viewer", &[]);
    let refused = viewer.call("shipments/import", &json!({ "file": parcels }));
    assert_error(&refused, 403, "forbidden");
}

fn the_catalog_is_imported_by_an_admin_and_in_the_audit(site: &Site) {
    let (server, _) = opened(site);
    let admin = Operator::create(site, &server, "admin", &[]);
    let prices = "sku,price,currency,valid_from\nMUG-11,3.95,EUR,2026-01-01\n";
    let mut file = json!({ "content": "prices", "file": prices, "dryRun": true });
    let check = admin.call("catalog/import", &file).ok()["data"].clone();
    assert_eq!(
        (&check["added"], &check["imported"]),
        (&json!(1), &json!(false))
    );
    file["dryRun"] = json!(false);
    let done = admin.call("catalog/import", &file).ok()["data"].clone();
    assert_eq!(
        (&done["added"], &done["imported"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(done["changes"][0]["change"], "added");
    let again = admin.call("catalog/import", &file).ok()["data"].clone();
    assert_eq!(again["unchanged"], 1);
    let operator = Operator::create(site, &server, "operator", &[]);
    assert_error(&operator.call("catalog/import", &file), 403, "forbidden");
    let entries = site.run(&["--json", "audit"]).json();
    let entries = entries.as_array().unwrap().iter();
    let by_admin = entries.filter(|entry| {
        entry["action"] == "catalog-imported" && entry["operator"]["name"] == "admin"
    });
    let subjects: Vec<&Value> = by_admin.map(|entry| &entry["subject"]).collect();
    assert_eq!(subjects, ["prices", "prices"]);
}
