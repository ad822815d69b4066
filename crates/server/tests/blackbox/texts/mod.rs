//! Strings, addresses and search words: white space, blanks, control characters, countries and
//! provinces.

mod addresses;
mod characters;
mod words;

use serde_json::Value;

fn warning_codes(envelope: &Value) -> Vec<(String, String)> {
    let list = envelope
        .get("warnings")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    list.iter()
        .map(|entry| (text(entry, "field"), text(entry, "code")))
        .collect()
}

/// Converts expected fields and codes to the type of [`warning_codes`].
fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(field, code)| ((*field).to_owned(), (*code).to_owned()))
        .collect()
}

/// Sets the value at a `path` such as `line_items.0.sku`.
fn set(body: &mut Value, path: &str, value: Value) {
    let pointer = format!("/{}", path.replace('.', "/"));
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
}

/// Strings of a create request. They are trimmed, and refused if they contain control characters.
const TEXTS: [&str; 10] = [
    "customer.first_name",
    "customer.last_name",
    "shipping_address.first_name",
    "shipping_address.company",
    "shipping_address.address1",
    "shipping_address.city",
    "shipping_address.zip",
    "shipping_address.phone",
    "line_items.0.sku",
    "line_items.1.sku",
];
