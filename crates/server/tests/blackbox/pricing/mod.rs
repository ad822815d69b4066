//! Files of shipping rates, fee schedules and price lists: their effects, refused imports, and
//! exports.

use serde_json::{Value, json};

use crate::common::{Site, item, order};

mod extra_fees;
mod fees;
mod prices;
mod shipping;

/// Rates of two zones, with `weight_steps` and a limit for free shipping.
const RATES: &str = "\
zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from
Islands,US-HI|IS,Standard,USD,9.00,2.00,1000:3.50|3000:8.00,60.00
Rest,*,Standard,USD,4.00,1.00,,
Rest,*,Express,USD,11.00,2.50,,
";

/// Returns an order of `quantity` mugs.
fn mugs(order_id: &str, quantity: u32) -> Value {
    let mut body = order(order_id);
    body["line_items"] = json!([item("MUG-11", quantity, 0)]);
    body
}

/// Returns an order of `quantity` mugs to a province of the United States.
fn mugs_to(province: &str, order_id: &str, quantity: u32) -> Value {
    let mut body = mugs(order_id, quantity);
    body["shipping_address"]["province_code"] = json!(province);
    body
}

/// Runs a `remove` command. Returns whether there was something to remove.
#[track_caller]
fn remove(site: &Site, arguments: &[&str]) -> Value {
    site.run(&[&["--json"], arguments].concat()).json()["removed"].clone()
}

/// Asserts that the report of a dry run lists `change`.
#[track_caller]
fn assert_lists(report: &Value, change: &str) {
    let changes = report["changes"].as_array().unwrap();
    assert!(changes.contains(&json!(change)), "{change}: {report}");
}
