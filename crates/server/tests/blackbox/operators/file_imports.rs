//! File imports over the operators' API.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Server, Site, assert_error, on_both_databases};

on_both_databases!(
    orders_and_parcels_are_validated_and_imported_over_the_api,
    a_file_with_a_wrong_row_changes_nothing_over_the_api,
    a_catalog_import_by_an_admin_is_in_the_audit_log,
    an_import_of_orders_warns_of_unknown_skus_and_reads_semicolons
);

/// Maximum file size, in bytes.
const FILE: usize = 10 * 1024 * 1024;
/// Maximum memory of a server that reads such files in sequence, in MiB.
const BOUND: u64 = 200;

/// Starts a server, and creates a store without cooling-off period. Returns the store's id.
fn opened(site: &Site) -> (Server, String) {
    site.import_catalog();
    let server = site.serve();
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    (server, store.store)
}

/// Returns a file with `count` orders of a mug, with umlauts and quotation marks.
fn orders(count: usize) -> String {
    let mut text =
        "order_id,first_name,address1,city,zip,country_code,sku,quantity,file_urls\r\n".to_owned();
    for number in 1..=count {
        text.push_str(&format!(
            "X-{number},\"Jörg \"\"Jo\"\"\",1 Rua,Lisboa,1000-001,PT,MUG-11OZ-WHITE,1,https://files.example/{number}.png\r\n"
        ));
    }
    text
}

/// Imports a file. Returns the counts `created` and `unchanged`, and whether it was imported.
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

fn orders_and_parcels_are_validated_and_imported_over_the_api(site: &Site) {
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

fn an_import_of_orders_warns_of_unknown_skus_and_reads_semicolons(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let file = orders(2)
        .replace("MUG-11OZ-WHITE", "MUG-12")
        .replace(',', ";");
    let body = json!({ "storeId": store, "file": file, "dryRun": true });
    let data = operator.call("orders/import", &body).ok()["data"].clone();
    assert_eq!(
        (&data["created"], &data["problems"]),
        (&json!(2), &json!([]))
    );
    let warnings = data["warnings"].as_array().unwrap().iter();
    let mut of_skus = warnings.filter(|warning| warning["code"] == "unknown_sku");
    let first = of_skus.next().unwrap();
    assert_eq!(
        (&first["line"], &first["field"]),
        (&json!(2), &json!("sku"))
    );
    let message = first["message"].as_str().unwrap();
    assert!(message.contains("did you mean `MUG-11`?"), "{message}");
    assert_eq!(data["orders"][0]["customer"], "Jörg \"Jo\"");
    assert_eq!(data["orders"][0]["products"], json!(["1 x MUG-12"]));
    let wrong = json!({ "storeId": store, "file": "order_nr;sku\nX;Y\n", "dryRun": true });
    let data = operator.call("orders/import", &wrong).ok()["data"].clone();
    let mut problems = data["problems"].as_array().unwrap().iter();
    let lists_columns = problems.any(|problem| {
        let message = problem["message"].as_str().unwrap();
        problem["field"] == "order_nr" && message.contains("(columns: order_id, email, ")
    });
    assert!(lists_columns, "{data}");
}

#[test]
fn a_file_of_commas_needs_little_memory() {
    let site = Site::sqlite();
    let (server, store) = opened(&site);
    let operator = Operator::create(&site, &server, "operator", &[]);
    for file in [
        ",".repeat(FILE),
        format!("order_id,sku,quantity\n{}", ",".repeat(FILE - 100)),
    ] {
        let body = json!({ "storeId": store, "file": file, "dryRun": true });
        let data = operator.call("orders/import", &body).ok()["data"].clone();
        let message = data["problems"][0]["message"].as_str().unwrap();
        assert!(message.contains("at most 1000 columns"), "{message}");
    }
    let peak = server.peak_memory();
    assert!(peak < BOUND, "the server held {peak} MiB");
}

fn a_catalog_import_by_an_admin_is_in_the_audit_log(site: &Site) {
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
