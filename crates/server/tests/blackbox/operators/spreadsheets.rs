//! Files that a spreadsheet has saved, over the API, in the console and on the command line.

use std::fs;

use serde_json::json;

use super::Operator;
use super::console::{Browser, PLAIN, create, shows, signed_in};
use super::imports::upload;
use crate::common::{Client, Server, Site, on_both_databases};

on_both_databases!(
    two_orders_whose_ids_were_rounded_alike_are_never_one,
    parcels_with_rounded_numbers_are_refused_everywhere,
    a_catalog_with_awkward_skus_survives_its_export
);

const HEADER: &str =
    "sep=;\norder_id;first_name;address1;city;zip;country_code;sku;quantity;file_urls;;\n";

/// A file of one order as Excel writes it, with two empty columns at its end.
fn order(order_id: &str, first_name: &str, sku: &str) -> String {
    format!(
        "{HEADER}{order_id};{first_name};1 Rua;Lisboa;1000;PT;{sku};1;https://files.example/a.png;;\n;;;;;;;;;;\n"
    )
}

fn opened(site: &Site) -> (Server, Client) {
    site.import_catalog();
    let server = site.serve_with(&[PLAIN]);
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    (server, store)
}

/// Uploads a file on the import page `path`, and returns the preview.
fn preview(browser: &mut Browser, path: &str, store: &str, file: &[u8]) -> String {
    browser.get(path);
    let sent = upload(browser, path, store, file);
    let location = sent.header("Location").map(str::to_owned);
    let location = location.unwrap_or_else(|| panic!("{sent}"));
    browser.get(&location).text()
}

/// The order files of two customers have ids that Excel rounded to the same number.
fn two_orders_whose_ids_were_rounded_alike_are_never_one(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    create(site, "Ana");
    let mut browser = signed_in(site, &server, "Ana");
    for name in ["Zoë", "Jörg"] {
        let file = order("1,23457E+12", name, "MUG-11");
        let body = json!({ "storeId": store.store, "file": file });
        let data = operator.call("orders/import", &body).ok()["data"].clone();
        assert_eq!(
            (&data["imported"], &data["created"], &data["unchanged"]),
            (&json!(false), &json!(0), &json!(0))
        );
        let problem = &data["problems"][0];
        assert_eq!(
            (&problem["line"], &problem["field"], &problem["code"]),
            (&json!(3), &json!("order_id"), &json!("invalid_format"))
        );
        let message = problem["message"].as_str().unwrap();
        assert!(
            message.contains("a spreadsheet rounded this number"),
            "{message}"
        );
        assert!(message.contains("the format Text (Excel: "), "{message}");
        let path = "/console/orders/import";
        let page = preview(&mut browser, path, &store.store, file.as_bytes());
        assert!(page.contains("a spreadsheet rounded this number"), "{page}");
        assert!(page.contains("nothing can be imported"), "{page}");
    }
    let found = operator.call("orders/search", &json!({}));
    assert_eq!(found.ok()["data"], json!([]));

    // Excel's "Unicode Text", with exact ids.
    let text = order("1234567890123", "Zoë", "MUG-11")
        .replace("sep=;\n", "")
        .replace(';', "\t");
    let text = format!("\u{feff}{text}");
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let page = preview(&mut browser, "/console/orders/import", &store.store, &bytes);
    assert!(
        page.contains("1 order new") && page.contains("Zoë"),
        "{page}"
    );
    let windows: Vec<u8> = text.chars().skip(1).map(|c| c as u8).collect();
    let page = preview(
        &mut browser,
        "/console/orders/import",
        &store.store,
        &windows,
    );
    assert!(page.contains("cell 2 is not UTF-8"), "{page}");
}

fn parcels_with_rounded_numbers_are_refused_everywhere(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    create(site, "Ana");
    let mut browser = signed_in(site, &server, "Ana");
    let body = json!({ "storeId": store.store, "file": order("A", "Zoë", "MUG-11") });
    operator.call("orders/import", &body).ok();
    for number in ["9.4001E+21", "9400100000000090000000", "#REF!"] {
        let file = format!("order_id,tracking_number\nOWN-1,{number}\n");
        let data = operator
            .call("shipments/import", &json!({ "file": file }))
            .ok();
        let problem = data["data"]["problems"][0].clone();
        assert_eq!(
            (&problem["line"], &problem["field"]),
            (&json!(2), &json!("tracking_number"))
        );
        let path = "/console/shipments/import";
        let page = preview(&mut browser, path, &store.store, file.as_bytes());
        assert!(page.contains("in a column with the format Text"), "{page}");
        let path = site.file("parcels.csv", &file);
        let refused = site.run(&["shipments", "import", path.to_str().unwrap()]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(
            refused.err.contains("line 2, tracking_number: "),
            "{}",
            refused.err
        );
    }
    let file = "order_id,tracking_number\nOWN-1,9400100000000095897714\n";
    let data = operator
        .call("shipments/import", &json!({ "file": file }))
        .ok();
    assert_eq!(data["data"]["created"], 1, "{data}");
}

fn a_catalog_with_awkward_skus_survives_its_export(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let refused = site.import("catalog", "sku,name\n1E5,Tasse für Zoë\n", &[]);
    assert_eq!(refused.code, 1, "{refused:?}");
    let skus = [
        "1E5",
        "12.0",
        "00123",
        "=A1",
        "4006381333931",
        "1-Mar",
        "#N/A",
    ];
    let entries = skus.map(|sku| json!({ "sku": sku, "name": "Tasse für Zoë" }));
    site.import("catalog", &json!(entries).to_string(), &[])
        .ok();
    let path = site.folder().join("catalog.csv");
    let name = path.to_str().unwrap();
    site.run(&["catalog", "export", name]).ok();
    let exported = fs::read_to_string(&path).unwrap();
    assert!(exported.starts_with("\u{feff}sku,"), "{exported}");
    for sku in skus {
        assert!(exported.contains(&format!("\n'{sku},")), "{exported}");
    }
    let again = site.run(&["--json", "catalog", "import", name]).json();
    assert_eq!(
        (&again["added"], &again["changed"]),
        (&json!(0), &json!(0)),
        "{again}"
    );
    create(site, "Ana");
    let mut browser = signed_in(site, &server, "Ana");
    let downloaded = browser.get("/console/catalog/products.csv");
    shows(&downloaded, &exported);
    // The catalog confirms the SKU.
    let body = json!({ "storeId": store.store, "file": order("A", "Zoë", "1E5") });
    let data = operator.call("orders/import", &body).ok();
    assert_eq!(data["data"]["created"], 1, "{data}");
}
