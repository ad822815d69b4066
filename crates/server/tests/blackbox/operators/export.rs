//! Unshipped parcels, in files for shipping programs that are imported again.

use std::fs;

use serde_json::{Value, json};

use super::Operator;
use super::console::{create, signed_in};
use crate::common::{Server, Site, on_both_databases};

on_both_databases!(
    exported_parcels_are_imported_with_their_tracking_numbers,
    each_order_is_exported_once
);

const COLUMNS: &str = "number,order_id,store,name,company,address1,address2,city,zip,province,province_code,\
    country_code,phone,email,ship_class,weight_g,units,skus,value,currency,tax_number,\
    carrier,tracking_number";

const ORDERS: &str = "\
order_id;first_name;last_name;company;address1;city;zip;province_code;country_code;phone;email;sku;quantity;file_urls
X-1;Ana;Ruiz;=1+1;1 Main St;Springfield;62701;US-IL;US;+1 555 0100;ana@shop.example;MUG-11;2;https://files.example/1.png
X-2;Jo;;;1 Rua;Lisboa;1000-001;;PT;;;MUG-11;1;https://files.example/2.png
X-3;Held;;;1 Rua;Lisboa;1000-001;;PT;;;MUG-11;1;https://files.example/3.png
X-4;Late;;;1 Rua;Lisboa;1000-001;;PT;;;MUG-11;1;
";

/// Places the orders of [`ORDERS`], and holds the third. Each order is imported by itself, because
/// orders of a file get their numbers in any order.
fn place(operator: &Operator, store: &str) {
    let (header, rows) = ORDERS.split_once('\n').unwrap();
    for row in rows.lines() {
        let file = format!("{header}\n{row}\n").replace(';', ",");
        let placed = json!({ "storeId": store, "file": file });
        operator.call("orders/import", &placed).ok();
    }
    let held = json!({ "command": "hold", "reason": "?", "orders": [{ "order_id": "OWN-3" }] });
    operator.call("orders/move", &held).ok();
}

fn exported(operator: &Operator, body: Value) -> (Value, String) {
    let data = operator.call("shipments/export", &body).ok()["data"].clone();
    let file = data["file"].as_str().unwrap().to_owned();
    (data["parcels"].clone(), file)
}

/// Asserts that the queue page and the batch page link to the files that the call returns.
fn assert_pages_offer_the_files(
    site: &Site,
    server: &Server,
    operator: &Operator,
    elsewhere: &Operator,
    file: &str,
) {
    create(site, "Ana");
    let mut browser = signed_in(site, server, "Ana");
    let downloaded = browser.get("/console/shipments/to-send.csv?searchKey=OWN");
    // Spreadsheets need the mark to show accents.
    assert_eq!(downloaded.text(), format!("\u{feff}{file}"));
    operator
        .call("batches/create", &json!({ "items": ["OWN-2-1"] }))
        .ok();
    let (parcels, of_batch) = exported(operator, json!({ "batch": "BATCH-1" }));
    assert_eq!(parcels, 1);
    assert!(
        of_batch.contains("\nOWN-2,") && !of_batch.contains("\nOWN-1,"),
        "{of_batch}"
    );
    let refused = elsewhere.call("shipments/export", &json!({ "batch": "BATCH-1" }));
    assert_eq!(refused.status, 404, "{refused}");
    let queue = browser.get("/console/queue");
    assert!(
        queue.text().contains("/console/shipments/to-send.csv"),
        "{queue}"
    );
    let page = browser.get("/console/batches/BATCH-1");
    let link = "/console/shipments/to-send.csv?batch=BATCH-1";
    assert!(page.text().contains(link), "{page}");
    let downloaded = browser.get(link).text();
    assert_eq!(downloaded, format!("\u{feff}{of_batch}"));
}

/// Imports the file with carriers and tracking numbers. Its orders are shipped and no longer
/// exported.
fn assert_tracked_file_is_imported(site: &Site, operator: &Operator, file: &str) {
    assert_eq!(site.run(&["shipments", "export"]).ok().out, file);
    let filled = file.lines().enumerate().map(|(number, line)| match number {
        0 => format!("{line}\n"),
        _ => format!("{},UPS,1Z-{number}\n", line.strip_suffix(",,").unwrap()),
    });
    let path = site.folder().join("parcels.csv");
    fs::write(&path, filled.collect::<String>()).unwrap();
    let report = site
        .run(&["--json", "shipments", "import", path.to_str().unwrap()])
        .json();
    assert_eq!(report["created"], 2, "{report}");
    let shipped = operator
        .call("orders/search", &json!({ "statuses": ["fulfilled"] }))
        .ok();
    assert_eq!(shipped["data"].as_array().unwrap().len(), 2);
    let none = site
        .run(&["shipments", "export", path.to_str().unwrap()])
        .ok();
    assert!(none.out.contains(": 0 parcels."), "{}", none.out);
    let file = fs::read_to_string(&path).unwrap();
    assert_eq!(file, format!("\u{feff}{COLUMNS}\n"));
}

fn exported_parcels_are_imported_with_their_tracking_numbers(site: &Site) {
    site.import_catalog();
    let server = site.serve_with(&[("PRESSLINE__OPERATOR__PLAIN_HTTP", "true")]);
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    let other = site.store(&server, &["--prefix", "OTH"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let elsewhere = Operator::create(site, &server, "viewer", &["--store", &other.store]);
    place(&operator, &store.store);
    let (parcels, file) = exported(&operator, json!({ "searchKey": "OWN" }));
    assert_eq!(parcels, 2, "{file}");
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines[0], COLUMNS);
    let cells: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(cells[..2], ["OWN-1", "OWN-1"]);
    assert_eq!(
        cells[3..15],
        [
            "Ana Ruiz",
            "'=1+1",
            "1 Main St",
            "",
            "Springfield",
            "62701",
            "Illinois",
            "IL",
            "US",
            "'+1 555 0100",
            "ana@shop.example",
            "Standard"
        ]
    );
    assert_eq!(cells[15..20], ["", "2", "MUG-11=2", "10.40", "USD"]);
    assert!(lines[2].starts_with("OWN-2,OWN-2,"), "{file}");
    assert_eq!(exported(&elsewhere, json!({})).0, 0);

    assert_pages_offer_the_files(site, &server, &operator, &elsewhere, &file);
    assert_tracked_file_is_imported(site, &operator, &file);
}

fn each_order_is_exported_once(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let (header, row) = ORDERS.split_once('\n').unwrap();
    let row = row.lines().next().unwrap();
    // More orders than one read returns, each with two items.
    let rows = (0..130).map(|number| {
        let row = row.replace("X-1", &format!("X-{number}"));
        format!("{row}\n{row}\n")
    });
    let file = format!("{header}\n{}", rows.collect::<String>());
    let placed = json!({ "storeId": store.store, "file": file.replace(';', ",") });
    assert_eq!(
        operator.call("orders/import", &placed).ok()["data"]["created"],
        130
    );
    let data = operator.call("shipments/export", &json!({})).ok()["data"].clone();
    assert_eq!(
        (&data["parcels"], &data["nextCursor"]),
        (&json!(130), &json!(null))
    );
    let file = data["file"].as_str().unwrap();
    let numbers = file
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap());
    let mut numbers: Vec<&str> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 130);
    assert!(
        file.lines()
            .skip(1)
            .all(|line| line.contains("=2|MUG-11=2")),
        "{file}"
    );
}
