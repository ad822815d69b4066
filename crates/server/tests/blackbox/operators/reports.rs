//! Reports of placed orders.

use pressline_domain::value::{Amount, Currency, Timestamp};
use serde_json::{Value, json};

use super::Operator;
use crate::common::{Client, Server, Site, assert_error, item, on_both_databases, order};

on_both_databases!(
    orders_are_reported_by_store_sku_day_and_order,
    problems_are_counted_in_reports,
    reports_cover_only_the_stores_of_an_admin,
    a_report_includes_all_parts_of_a_long_list
);

struct Shops {
    server: Server,
    stores: [Client; 2],
    admin: Operator,
}

fn open(site: &Site) -> Shops {
    site.import_catalog();
    let server = site.serve();
    let options = |prefix| ["--prefix", prefix, "--cooling-off", "0"];
    let stores = ["SUN", "MOON"].map(|prefix| site.store(&server, &options(prefix)));
    let admin = Operator::create(site, &server, "admin", &[]);
    Shops {
        server,
        stores,
        admin,
    }
}

/// An order of `quantity` mugs.
fn mugs(order_id: &str, quantity: u32) -> Value {
    let mut mugs = order(order_id);
    mugs["line_items"] = json!([item("MUG-11", quantity, 1)]);
    mugs
}

/// Returns the days an hour before and an hour after the creation of `order`: a test may run around
/// midnight.
fn days(order: &Value) -> (String, String) {
    let placed: Timestamp = order["createdAt"].as_str().unwrap().parse().unwrap();
    let day = |millis| placed.plus_millis(millis).to_string()[..10].to_owned();
    (day(-3_600_000), day(3_600_000))
}

impl Shops {
    /// Returns the report for the day of the order `of`.
    #[track_caller]
    fn report(&self, of: &Value, by: &str, stores: &[&str]) -> Value {
        let (from, to) = days(of);
        let body = json!({ "from": from, "to": to, "by": by, "stores": stores });
        self.admin.call("reports/orders", &body).ok()["data"].clone()
    }
}

/// Returns the values of `field` of all rows.
fn each(report: &Value, field: &str) -> Vec<Value> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| row[field].clone()).collect()
}

/// Returns `amount` in cents.
fn cents(amount: &Value) -> i64 {
    let amount = Amount::parse(&amount.to_string(), Currency::USD);
    amount.unwrap().minor_units()
}

/// Returns the sum of `field` of all rows, in cents.
fn sum(report: &Value, field: &str) -> i64 {
    each(report, field).iter().map(cents).sum()
}

fn orders_are_reported_by_store_sku_day_and_order(site: &Site) {
    let shops = open(site);
    let [sun, moon] = &shops.stores;
    let first = sun.create(&mugs("A-1", 5));
    let second = sun.create(&order("A-2"));
    moon.create(&mugs("B-1", 1));
    let by_store = shops.report(&first, "store", &[]);
    assert_eq!(each(&by_store, "orders"), [2, 1]);
    assert_eq!(each(&by_store, "storeId"), [&*sun.store, &*moon.store]);
    let of_sun = [sun.store.as_str()];
    let expected = cents(&first["totalCost"]) + cents(&second["totalCost"]);
    // All groupings have the same totals.
    for by in ["store", "sku", "day", "order"] {
        let report = shops.report(&first, by, &of_sun);
        assert_eq!(sum(&report, "totalCost"), expected, "{by}: {report}");
        let [total] = report["totals"].as_array().unwrap().as_slice() else {
            panic!("{report}");
        };
        assert_eq!(total["orders"], 2, "{by}");
        assert_eq!(cents(&total["totalCost"]), expected, "{by}");
    }
    let by_order = shops.report(&first, "order", &of_sun);
    assert_eq!(each(&by_order, "serviceOrderId"), ["SUN-1", "SUN-2"]);
    assert_eq!(each(&by_order, "orderId"), ["A-1", "A-2"]);
    assert_eq!(each(&by_order, "createdAt")[0], first["createdAt"]);
    for field in ["productCost", "shippingFee", "surchargeFee", "handleFee"] {
        assert_eq!(each(&by_order, field)[0], first[field], "{field}");
    }
    // Fees of a whole order are in a row without SKU.
    let by_sku = shops.report(&first, "sku", &of_sun);
    assert_eq!(
        each(&by_sku, "sku"),
        [json!("MUG-11"), json!("TEE-M"), Value::Null]
    );
    assert_eq!(each(&by_sku, "units"), [7, 1, 0]);
    // A report by order needs a store.
    let refused = json!({ "by": "order" });
    let refused = shops.admin.call("reports/orders", &refused);
    let error = assert_error(&refused, 400, "validation_failed");
    assert_eq!(error.fields(), ["stores"]);
}

fn problems_are_counted_in_reports(site: &Site) {
    let shops = open(site);
    let [sun, _] = &shops.stores;
    let first = sun.create(&mugs("A-1", 5));
    sun.create(&mugs("A-2", 3));
    let mut unknown = mugs("A-3", 1);
    unknown["line_items"][0]["sku"] = "NO-SUCH-SKU".into();
    sun.create(&unknown);
    let (admin, print) = (
        &shops.admin,
        json!({ "itemCode": "SUN-1-1", "step": "print" }),
    );
    admin.call("production/record", &print).ok();
    let misprint = json!({ "itemCode": "SUN-1-1", "units": 2, "reason": "Smeared." });
    admin.call("production/misprint", &misprint).ok();
    let cancel = json!({
        "command": "cancel", "reason": "Asked by phone.", "orders": [{ "order_id": "SUN-2" }]
    });
    admin.call("orders/move", &cancel).ok();
    let line = json!({
        "order_id": "SUN-1", "type": "other", "amount": 1.5, "reason": "A gift box."
    });
    admin.call("orders/fee-lines", &line).ok();
    let report = shops.report(&first, "day", &[]);
    let total = &report["totals"][0];
    for (field, count) in [
        ("orders", 2),
        ("units", 6),
        ("cancelledOrders", 1),
        ("cancelledUnits", 3),
        ("unpricedOrders", 1),
        ("misprintedUnits", 2),
        ("lateUnits", 0),
    ] {
        assert_eq!(total[field], count, "{field}: {total}");
    }
    // Five mugs of 5.20; the cancelled order does not count.
    assert_eq!(total["productCost"], 26);
    assert_eq!(total["otherFee"], 1.5);
}

fn reports_cover_only_the_stores_of_an_admin(site: &Site) {
    let shops = open(site);
    let [sun, moon] = &shops.stores;
    let first = sun.create(&mugs("A-1", 5));
    moon.create(&mugs("B-1", 1));
    let (from, to) = days(&first);
    let body = json!({ "from": from, "to": to, "by": "store" });
    let bound = Operator::create(site, &shops.server, "admin", &["--store", "MOON"]);
    let report = bound.call("reports/orders", &body).ok();
    // Only the order of MOON.
    assert_eq!(each(&report["data"], "units"), [1]);
    let operator = Operator::create(site, &shops.server, "operator", &[]);
    // Operators may not read reports.
    assert_error(&operator.call("reports/orders", &body), 403, "forbidden");
}

fn a_report_includes_all_parts_of_a_long_list(site: &Site) {
    let shops = open(site);
    let [sun, _] = &shops.stores;
    let mut first = Value::Null;
    // Orders are read in parts of 500.
    for number in 0..501 {
        let placed = sun.create(&mugs(&format!("A-{number}"), 1));
        if number == 0 {
            first = placed;
        }
    }
    let report = shops.report(&first, "sku", &[]);
    assert_eq!(report["totals"][0]["orders"], 501);
    assert_eq!(each(&report, "units")[0], 501);
}
