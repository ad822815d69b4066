//! Shipments: commands of operators, reports of carriers, and imports from files.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Client, Server, Site, assert_error, item, on_both_databases, order};

on_both_databases!(
    six_of_ten_units_are_sent_and_the_first_number_stays,
    a_void_shipment_is_recorded_again_with_its_reference,
    late_and_repeated_reports_change_nothing,
    a_store_token_does_not_find_parcels_of_other_stores,
    a_file_of_shipments_is_imported_whole_and_once,
    a_file_with_wrong_rows_is_not_imported,
    a_barcode_is_recorded_and_found_by_its_number,
    a_number_is_shown_as_given_and_a_barcode_read_when_its_carrier_is_known,
);

/// Starts a server, and creates a store without cooling-off period.
fn opened(site: &Site) -> (Server, Client) {
    site.import_catalog();
    let server = site.serve();
    let store = site.store(&server, &["--prefix", "OWN", "--cooling-off", "0"]);
    (server, store)
}

/// Places an order of mugs, with an item for each of `quantities`.
fn mugs(store: &Client, order_id: &str, quantities: &[u32]) -> Value {
    let mut body = order(order_id);
    let items = quantities
        .iter()
        .map(|quantity| item("MUG-11OZ-WHITE", *quantity, 1));
    body["line_items"] = items.collect();
    store.create(&body);
    store.shown(order_id)
}

fn of(number: &str) -> Value {
    json!({ "order_id": "OWN-1", "carrier": "UPS", "trackingNumber": number })
}

fn six_of_ten_units_are_sent_and_the_first_number_stays(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let placed = mugs(&store, "A-1", &[10]);
    let units = |quantity: u32| json!([{ "appItemId": placed["childDetails"][0]["id"], "quantity": quantity }]);
    let mut first = of("1Z-1");
    first["line_items"] = units(6);
    let sent = operator.call("shipments/create", &first).ok();
    let item = &sent["data"]["order"]["childDetails"][0];
    assert_eq!(
        (&item["status"], &item["shippedQuantity"]),
        (&json!("in-production"), &json!(6))
    );
    // Only four units are left.
    let mut too_many = of("1Z-2");
    too_many["line_items"] = units(5);
    let refused = operator.call("shipments/create", &too_many);
    let refused = assert_error(&refused, 400, "validation_failed");
    assert!(refused.has("line_items[0].quantity", "out_of_range"));
    // Without `line_items`, all remaining units are shipped.
    let sent = operator.call("shipments/create", &of("1Z-2")).ok();
    assert_eq!(sent["data"]["shipment"]["items"][0]["quantity"], 4);
    let shown = store.shown("A-1");
    assert_eq!(shown["itemStatuses"], json!(["fulfilled"]));
    let numbers: Vec<&Value> = shown["shipments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|shipment| &shipment["trackingNumber"])
        .collect();
    assert_eq!(numbers, ["1Z-1", "1Z-2"]);
    assert_eq!(
        shown["shipments"][0]["trackingUrl"],
        "https://www.ups.com/track?tracknum=1Z-1"
    );
    // The same carrier and tracking number make a repeated call.
    let again = operator.call("shipments/create", &of("1Z-2"));
    assert!(again.is_replay());
    let events = store.call("history", &json!({ "order_id": "A-1" })).ok();
    assert_eq!(events["data"][0]["type"], "shipment.created");
    assert_eq!(events["data"][0]["shipment"]["trackingNumber"], "1Z-2");
    assert_eq!(events["data"].as_array().unwrap().len(), 3);
}

fn a_void_shipment_is_recorded_again_with_its_reference(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    mugs(&store, "A-1", &[2]);
    let mut body = of("1Z-1");
    body["ref"] = json!("box 1");
    let sent = operator.call("shipments/create", &body).ok();
    let id = &sent["data"]["shipment"]["id"];
    let mut other = body.clone();
    other["trackingNumber"] = json!("1Z-2");
    // The first shipment has the same reference.
    assert_error(
        &operator.call("shipments/create", &other),
        409,
        "duplicate_shipment",
    );
    // Voiding requires a reason.
    let without = operator.call("shipments/void", &json!({ "shipmentId": id }));
    assert!(assert_error(&without, 400, "validation_failed").has("reason", "required"));
    let void = json!({ "shipmentId": id, "reason": "The wrong parcel." });
    let voided = operator.call("shipments/void", &void).ok();
    assert_eq!(voided["data"]["shipment"]["status"], "void");
    assert_eq!(
        voided["data"]["order"]["itemStatuses"],
        json!(["in-production"])
    );
    assert!(operator.call("shipments/void", &void).is_replay());
    // A void shipment frees its reference.
    let again = operator.call("shipments/create", &other);
    assert!(!again.is_replay());
    assert_ne!(&again.ok()["data"]["shipment"]["id"], id);
    assert_eq!(store.shown("A-1")["itemStatuses"], json!(["fulfilled"]));
    // The first shipment can still be found by its number, but no longer changed.
    let found = operator
        .call("shipments/find", &json!({ "trackingNumber": "1Z-1" }))
        .ok();
    assert_eq!(found["data"][0]["shipment"]["status"], "void");
    assert_eq!(found["data"][0]["order_id"], "OWN-1");
    let update = json!({ "shipmentId": id, "carrier": "DHL" });
    assert_error(
        &operator.call("shipments/update", &update),
        409,
        "illegal_transition",
    );
}

fn late_and_repeated_reports_change_nothing(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    let carrier = Operator::create(site, &server, "carrier", &[]);
    mugs(&store, "A-1", &[1]);
    operator.call("shipments/create", &of("1Z-1")).ok();
    let report = |status: &str| {
        let body = json!({ "carrier": "ups", "trackingNumber": "1Z-1", "status": status });
        carrier.call("shipments/track", &body)
    };
    assert_eq!(
        report("delivered").ok()["data"]["order"]["itemStatuses"],
        json!(["delivered"])
    );
    assert!(report("delivered").is_replay());
    let returned = report("returned");
    assert!(!returned.is_replay());
    // A late report does not undo the return.
    let late = report("delivered");
    assert!(late.is_replay());
    assert_eq!(late.ok()["data"], returned.ok()["data"]);
    assert_eq!(late.ok()["message"], "No change");
    let events = store.call("history", &json!({ "order_id": "A-1" })).ok();
    assert_eq!(events["data"][0]["actor"], "carrier");
    assert_eq!(events["data"][0]["type"], "shipment.returned");
    // A carrier may report, but not search.
    assert_error(
        &carrier.call("shipments/find", &of("1Z-1")),
        403,
        "forbidden",
    );
}

fn a_store_token_does_not_find_parcels_of_other_stores(site: &Site) {
    let (server, store) = opened(site);
    site.store(&server, &["--prefix", "OTHER"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let bound = Operator::create(site, &server, "operator", &["--store", "OTHER"]);
    mugs(&store, "A-1", &[1]);
    assert_error(
        &bound.call("shipments/create", &of("1Z-1")),
        404,
        "order_not_found",
    );
    let sent = operator.call("shipments/create", &of("1Z-1")).ok();
    let id = &sent["data"]["shipment"]["id"];
    let found = bound
        .call("shipments/find", &json!({ "trackingNumber": "1Z-1" }))
        .ok();
    assert_eq!(found["data"], json!([]));
    for (call, body) in [
        ("update", json!({ "shipmentId": id, "carrier": "DHL" })),
        ("void", json!({ "shipmentId": id, "reason": "x" })),
        ("track", json!({ "shipmentId": id, "status": "delivered" })),
        (
            "track",
            json!({ "carrier": "UPS", "trackingNumber": "1Z-1", "status": "delivered" }),
        ),
    ] {
        let refused = bound.call(&format!("shipments/{call}"), &body);
        assert_error(&refused, 404, "shipment_not_found");
    }
}

const HEADER: &str =
    "order_id,carrier,tracking_number,tracking_url,ref,sku,item_id,quantity,shipped_at\n";

fn a_file_of_shipments_is_imported_whole_and_once(site: &Site) {
    let (_server, store) = opened(site);
    let placed = mugs(&store, "A-1", &[10, 1]);
    mugs(&store, "A-2", &[1]);
    let first = placed["childDetails"][0]["id"].as_str().unwrap();
    let second = placed["childDetails"][1]["code"].as_str().unwrap();
    let rows = format!(
        "{HEADER}\
         OWN-1,UPS,1Z-1,,,,{first},6,2024-06-07T10:00:00Z\n\
         OWN-2,DHL,7,,\"box, 2\",MUG-11OZ-WHITE,,,\n\
         OWN-1,UPS,1Z-1,,,,{second},1,\n"
    );
    let report = |created: u32, unchanged: u32, dry_run: bool| {
        json!({
            "rows": 3, "created": created, "unchanged": unchanged, "dryRun": dry_run, "problems": []
        })
    };
    let import = |options: &[&str]| site.import("shipments", &rows, options).json();
    assert_eq!(import(&["--dry-run"]), report(2, 0, true));
    assert_eq!(store.shown("A-1")["shipments"], json!([]));
    assert_eq!(import(&[]), report(2, 0, false));
    // Importing the file again changes nothing.
    assert_eq!(import(&[]), report(0, 2, false));
    let shown = store.shown("A-1");
    assert_eq!(shown["itemStatuses"], json!(["in-production", "fulfilled"]));
    assert_eq!(shown["shipments"].as_array().unwrap().len(), 1);
    assert_eq!(
        shown["shipments"][0]["shippedAt"],
        "2024-06-07T10:00:00.000Z"
    );
    let history = store.call("history", &json!({ "order_id": "A-1" })).ok();
    assert_eq!(history["data"][0]["actor"], "operator");
    let file = site.file("again.csv", &rows);
    let printed = site
        .run(&["shipments", "import", file.to_str().unwrap()])
        .ok()
        .out;
    assert_eq!(printed.trim(), "3 rows: 0 shipments created, 2 unchanged.");
}

fn a_file_with_wrong_rows_is_not_imported(site: &Site) {
    let (_server, store) = opened(site);
    mugs(&store, "A-1", &[2]);
    let rows = format!(
        "{HEADER}\
         OWN-1,UPS,1Z-1,,,,,,\n\
         OWN-1,UPS,1Z-2,,,MUG-11OZ-WHITE,,3,\n\
         OWN-7,UPS,1Z-3,,,,,,\n"
    );
    let refused = site.import("shipments", &rows, &[]);
    refused.fails(
        1,
        &["2 problems", "nothing was imported", "line 3", "line 4"],
    );
    let report: Value = serde_json::from_str(&refused.out).unwrap();
    assert_eq!(
        (&report["rows"], &report["created"]),
        (&json!(3), &json!(0))
    );
    let problems = report["problems"].as_array().unwrap();
    let found: Vec<Value> = problems
        .iter()
        .map(|problem| json!([problem["line"], problem["field"], problem["code"]]))
        .collect();
    let expected = [
        json!([3, "sku", "illegal_transition"]),
        json!([4, "order_id", "order_not_found"]),
    ];
    assert_eq!(found, expected, "{report}");
    assert_eq!(store.shown("A-1")["shipments"], json!([]));
    site.import("shipments", "order,carrier\n", &["--dry-run"])
        .fails(1, &["order_id"]);
}

fn a_barcode_is_recorded_and_found_by_its_number(site: &Site) {
    const BARCODE: &str = "420941059400100000000095897714";
    const NUMBER: &str = "9400100000000095897714";
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    mugs(&store, "A-1", &[1]);
    mugs(&store, "A-2", &[1]);
    let usps =
        |number: &str| json!({ "order_id": "OWN-1", "carrier": "USPS", "trackingNumber": number });
    let sent = operator.call("shipments/create", &usps(BARCODE)).ok();
    assert_eq!(sent["data"]["shipment"]["trackingNumber"], NUMBER);
    // The number in any form is the same parcel.
    for same in [
        NUMBER,
        BARCODE,
        "9400 1000 0000 0095 8977 14",
        "]C1420100019400100000000095897714",
    ] {
        assert!(operator.call("shipments/create", &usps(same)).is_replay());
        let shipments = operator
            .call("shipments/find", &json!({ "trackingNumber": same }))
            .ok();
        assert_eq!(shipments["data"][0]["order_id"], "OWN-1", "{same}");
        let page = operator
            .call("orders/search", &json!({ "trackingNumber": same }))
            .ok();
        assert_eq!(page["data"].as_array().unwrap().len(), 1, "{same}");
    }
    let report = json!({ "carrier": "usps", "trackingNumber": NUMBER, "status": "delivered" });
    assert_eq!(
        operator.call("shipments/track", &report).ok()["data"]["shipment"]["status"],
        "delivered"
    );

    // A file with the barcode in one row, and the number in small letters in others.
    let row =
        |order: &str, carrier: &str, number: &str| format!("{order},{carrier},{number},,,,,,\n");
    let import = |rows: String| {
        site.import("shipments", &format!("{HEADER}{rows}"), &[])
            .json()
    };
    let again = import(row("OWN-1", "USPS", BARCODE));
    assert_eq!(
        (&again["created"], &again["unchanged"]),
        (&json!(0), &json!(1))
    );
    let fedex = import(row("OWN-2", "FedEx", "9622001900000000000000776632517510"));
    assert_eq!(fedex["created"], 1, "{fedex}");
    assert_eq!(
        store.shown("A-2")["shipments"][0]["trackingNumber"],
        "776632517510"
    );
}

fn a_number_is_shown_as_given_and_a_barcode_read_when_its_carrier_is_known(site: &Site) {
    let (server, store) = opened(site);
    let operator = Operator::create(site, &server, "operator", &[]);
    mugs(&store, "A-1", &[1]);
    let ups = json!({ "order_id": "OWN-1", "carrier": "UPS", "trackingNumber": "1z 5r8 939 03 5756 7127" });
    let sent = operator.call("shipments/create", &ups).ok();
    assert_eq!(
        sent["data"]["shipment"]["trackingNumber"],
        "1z 5r8 939 03 5756 7127"
    );
    assert_eq!(
        sent["data"]["shipment"]["trackingUrl"],
        "https://www.ups.com/track?tracknum=1Z5R89390357567127"
    );
    let found = json!({ "trackingNumber": "1Z5R89390357567127" });
    let found = operator.call("shipments/find", &found).ok();
    assert_eq!(found["data"][0]["order_id"], "OWN-1");

    // A barcode without a carrier is read when the carrier becomes known.
    mugs(&store, "A-2", &[1]);
    let barcode = "008182709980000020033350276C";
    let unknown = json!({ "order_id": "OWN-2", "trackingNumber": barcode });
    let sent = operator.call("shipments/create", &unknown).ok();
    assert_eq!(sent["data"]["shipment"]["trackingNumber"], barcode);
    let update = json!({ "shipmentId": sent["data"]["shipment"]["id"], "carrier": "DPD" });
    let updated = operator.call("shipments/update", &update).ok();
    assert_eq!(
        updated["data"]["shipment"]["trackingNumber"],
        "09980000020033"
    );
}
