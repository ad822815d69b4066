//! Values and strings that do not fit their fields.

use serde_json::{Value, json};

use super::assert_in_order;
use crate::common::{Client, Site, assert_error, label, on_both_databases, order, update};

on_both_databases!(
    values_of_wrong_types_are_refused,
    strings_special_to_databases_are_stored_unchanged,
);

/// JSON values. Each replaces each of [`INNER_FIELDS`] and each top-level field.
const VALUES: [&str; 12] = [
    "true",
    "7",
    "-0.0",
    "1e400",
    "-1e400",
    "1e-400",
    "123456789012345678901234567890",
    "[]",
    "{}",
    "[[]]",
    "\"x\"",
    "\"1\"",
];

const INNER_FIELDS: [&str; 10] = [
    "/customer/first_name",
    "/shipping_address/first_name",
    "/shipping_address/zip",
    "/shipping_address/country_code",
    "/shipping_address/latitude",
    "/line_items/0",
    "/line_items/0/sku",
    "/line_items/0/quantity",
    "/line_items/0/fileUrls",
    "/line_items/0/fileUrls/0",
];

/// JSON values that are not a quantity from 1 to 1,000.
const WRONG_QUANTITIES: [&str; 9] = [
    "1e400",
    "123456789012345678901234567890",
    "2.5",
    "-1",
    "1001",
    "1e300",
    "[1]",
    "{\"a\":1}",
    "\"2\"",
];

fn values_of_wrong_types_are_refused(site: &Site) {
    let (_server, client) = site.open();
    let mut refused = 0;
    let mut count_refused = |operation: &str, body: &Value, pointer: &str| {
        for value in VALUES {
            let accepted = is_accepted(&client, operation, &with_value(body, pointer, value));
            refused += u32::from(!accepted);
        }
    };
    for (operation, body) in [
        ("create", order("fit")),
        ("create-label", label("fit")),
        ("update", update("fit")),
    ] {
        for field in body.as_object().unwrap().keys() {
            count_refused(operation, &body, &format!("/{field}"));
        }
    }
    for pointer in INNER_FIELDS {
        count_refused("create", &order("fit"), pointer);
    }
    assert!(refused > 200, "only {refused} were refused");

    for quantity in WRONG_QUANTITIES {
        let text = with_value(&order("fit-2"), "/line_items/0/quantity", quantity);
        let response = client.send(&client.request("create", text));
        let error = assert_error(&response, 400, "validation_failed");
        assert_eq!(error.fields(), ["line_items[0].quantity"], "{quantity}");
    }
    // A list in place of an object is not read by position.
    let mut body = order("fit-3");
    body["customer"] = json!(["Ana", "Souza"]);
    assert_eq!(client.rejected("create", &body).fields(), ["customer"]);
}

/// Returns the text of `body` with another value at `pointer`. The value is inserted as text,
/// because a parsed number would lose digits.
fn with_value(body: &Value, pointer: &str, value: &str) -> String {
    let mut marked = body.clone();
    *marked.pointer_mut(pointer).unwrap() = json!("@@");
    marked.to_string().replace("\"@@\"", value)
}

/// Sends `text` and checks the response. Returns whether it was accepted.
#[track_caller]
fn is_accepted(client: &Client, operation: &str, text: &str) -> bool {
    let response = client.send(&client.request(operation, text));
    assert_in_order(&response, text.as_bytes());
    response.status == 200
}

/// Strings that are special in SQL, in formats, in Unicode or in a terminal.
const HARD_TEXTS: [&str; 20] = [
    "O'Brien; DROP TABLE orders; --",
    "\\",
    "\\x00",
    "%s%n",
    "${jndi:ldap://x}",
    "\u{1f600}\u{200d}\u{1f468}",
    "\u{202e}abc",
    "e\u{301}",
    "ﬁ",
    "Ⅷ",
    "İstanbul",
    "\u{10ffff}",
    "\u{fffe}",
    "\u{7f}",
    "tab\there",
    "line\nbreak",
    "\u{a0}x",
    "a\u{2028}b",
    "NULL",
    "{1,2}",
];

fn strings_special_to_databases_are_stored_unchanged(site: &Site) {
    let (_server, client) = site.open();
    let long = "ß".repeat(255);
    for (i, text) in HARD_TEXTS.into_iter().chain([&*long]).enumerate() {
        let mut body = order(&format!("hard-{i}"));
        body["customer"]["last_name"] = json!(text);
        body["line_items"][0]["name"] = json!(text);
        let response = client.call("create", &body);
        if response.status == 200 {
            let made = response.order();
            // A tab or a line break becomes a space, and white space around the string is removed.
            let kept = text.replace(['\t', '\n'], " ");
            let kept = kept.trim();
            assert_eq!(made["customer"]["lastName"], kept);
            let stored = client.stored(&format!("hard-{i}"));
            assert_eq!(stored["childDetails"][0]["name"], kept);
            client.found(&text.chars().take(250).collect::<String>());
        } else {
            assert_error(&response, 400, "validation_failed");
            assert!(
                text.contains(char::is_control),
                "{text:?} was refused: {response}"
            );
        }
        let mut body = order(text);
        body["order_id"] = json!(text.chars().take(128).collect::<String>());
        assert_in_order(&client.call("create", &body), text.as_bytes());
    }
}
