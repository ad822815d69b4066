//! White space, blanks and control characters in strings.

use serde_json::{Value, json};

use super::{TEXTS, pairs, set, warning_codes};
use crate::common::{Client, Site, label, on_both_databases, order, update};

on_both_databases!(
    strings_are_trimmed,
    a_blank_means_absent_only_in_strings,
    control_characters_are_refused_or_become_spaces,
);

fn strings_are_trimmed(site: &Site) {
    let (_server, client) = site.open();
    let plain = client.create(&order("x1"));
    let mut padded = order(" x1\t");
    for path in TEXTS.into_iter().chain([
        "email",
        "shipping_address.country",
        "shipping_address.province_code",
    ]) {
        let text = padded
            .pointer(&format!("/{}", path.replace('.', "/")))
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned();
        set(&mut padded, path, json!(format!(" \n{text}\u{a0}\r\n")));
    }
    let again = client.call("create", &padded);
    assert!(again.is_replay(), "{again}");
    assert_eq!(again.order(), plain);
    // An update trims the order id as well.
    let changed = client.call("update", &update(" x1 ")).order();
    assert_eq!(changed["id"], plain["id"]);

    // An estimate trims the ship class, too.
    let with_class = |class: &str| {
        let mut body = order("class");
        body["line_items"][0]["shipClass"] = json!(class);
        let response = client.call("estimate", &body).ok();
        (
            response["data"]["shippingFee"].clone(),
            warning_codes(&response),
        )
    };
    assert_eq!(with_class(" Express "), with_class("Express"));
    assert_eq!(with_class("\texpress\n"), with_class("Express"));
}

/// Endpoints and fields that are not strings: a blank has the wrong type there.
const NOT_TEXTS: [(&str, &str); 21] = [
    ("create", "dryRun"),
    ("create", "customer"),
    ("create", "shipping_address"),
    ("create", "billing_address"),
    ("create", "shipping_address.latitude"),
    ("create", "shipping_address.longitude"),
    ("create", "line_items"),
    ("create", "line_items.0"),
    ("create", "line_items.0.quantity"),
    ("create", "line_items.0.fileUrls"),
    ("create", "line_items.0.mockupImages"),
    ("create-label", "dryRun"),
    ("estimate", "line_items.0.quantity"),
    ("update", "version"),
    ("update", "dryRun"),
    ("update", "billing_address"),
    ("update", "line_items"),
    ("search", "page"),
    ("search", "size"),
    ("search", "fromTime"),
    ("search", "toTime"),
];

const OPTIONAL_TEXTS: [&str; 4] = [
    "response_type",
    "line_items.0.name",
    "line_items.0.shipClass",
    "shipping_address.tax_number",
];

fn a_blank_means_absent_only_in_strings(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("kept"));
    for blank in ["", " ", "\t\n"] {
        for (operation, path) in NOT_TEXTS {
            let mut body = match operation {
                "update" => update("kept"),
                "search" => json!({}),
                "create-label" => label("blank"),
                _ => order("blank"),
            };
            set(&mut body, path, json!(blank));
            let error = client.rejected(operation, &body);
            let field = path.replace(".0", "[0]");
            assert!(
                error.has(&field, "wrong_type"),
                "{operation} {path} {blank:?}"
            );
        }
        let mut body = order("kept");
        for path in OPTIONAL_TEXTS {
            set(&mut body, path, json!(blank));
        }
        assert!(client.call("create", &body).is_replay(), "{blank:?}");
        let found = client.search(&json!({ "searchKey": blank, "cursor": blank }));
        assert_eq!(found.len(), 1);
    }
    assert_eq!(client.stored("kept")["version"], 1, "nothing was changed");
    assert_eq!(client.search(&json!({})).len(), 1, "nothing was placed");
    assert_update_clears_with_blanks_only(&client);
}

/// Asserts that null leaves a field of the order `kept` unchanged, and that a blank clears it.
fn assert_update_clears_with_blanks_only(client: &Client) {
    let mut body = update("kept");
    body["email"] = Value::Null;
    body["billing_address"] = json!({ "city": "Lyon" });
    let made = client.call("update", &body).order();
    assert_eq!(made["billingAddress"]["city"], "Lyon");
    assert_eq!(
        client.found("shop@example.com"),
        ["kept"],
        "null left the e-mail address"
    );
    body["email"] = json!("  ");
    body["billing_address"] = json!({});
    let made = client.call("update", &body).order();
    assert_eq!(made["billingAddress"], json!({}));
    assert_eq!(
        client.found("shop@example.com").len(),
        0,
        "a blank text cleared the e-mail address"
    );
}

fn control_characters_are_refused_or_become_spaces(site: &Site) {
    let (_server, client) = site.open();
    for control in [
        '\u{1}', '\u{8}', '\u{b}', '\u{1b}', '\u{7f}', '\u{80}', '\u{85}', '\u{9f}',
    ] {
        let mut body = order("control");
        for path in TEXTS {
            set(&mut body, path, json!(format!("a{control}b")));
        }
        let error = client.rejected("create", &body);
        for path in TEXTS {
            let field = path.replace(".0", "[0]").replace(".1", "[1]");
            assert!(error.has(&field, "invalid_format"), "{field} {control:?}");
        }
        let mut change = update("control");
        change["production_note"] = json!(format!("a{control}b"));
        let error = client.rejected("update", &change);
        assert!(error.has("production_note", "invalid_format"));
        let error = client.rejected("search", &json!({ "searchKey": format!("a{control}b") }));
        assert!(error.has("searchKey", "invalid_format"));
    }

    let mut body = order("breaks");
    body["customer"]["last_name"] = json!("So\tuza");
    body["shipping_address"]["address1"] = json!("12 Market St\r\nback door");
    let response = client.call("create", &body).ok();
    assert_eq!(
        warning_codes(&response),
        pairs(&[("shipping_address.address1", "line_break")])
    );
    assert_eq!(
        response["data"]["shippingAddress"]["address1"],
        "12 Market St back door"
    );
    assert_eq!(response["data"]["customer"]["name"], "Ana So uza");
    let mut change = update("breaks");
    change["production_note"] = json!("one\n\ttwo");
    let response = client.call("update", &change).ok();
    assert_eq!(warning_codes(&response), []);
    assert_eq!(response["data"]["productionNote"], "one\n\ttwo");
}
