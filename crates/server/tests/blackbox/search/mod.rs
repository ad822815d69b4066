//! Searches: filters, pages, cursors, and search keys without special characters.

mod cursors;
mod filters;
mod pages;
mod refusals;
mod statuses;
mod words;

use serde_json::Value;

fn order_ids(envelope: &Value) -> Vec<String> {
    let orders = envelope["data"].as_array().unwrap();
    orders
        .iter()
        .map(|order| order["orderId"].as_str().unwrap().to_owned())
        .collect()
}
