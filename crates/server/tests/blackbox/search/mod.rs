//! Searching: filters, pages, cursors, and keys in which no character is special.

mod cursors;
mod filters;
mod pages;
mod refusals;
mod statuses;
mod words;

use serde_json::Value;

/// The order ids of a page, in its order.
fn order_ids(envelope: &Value) -> Vec<String> {
    let orders = envelope["data"].as_array().unwrap();
    orders
        .iter()
        .map(|order| order["orderId"].as_str().unwrap().to_owned())
        .collect()
}
