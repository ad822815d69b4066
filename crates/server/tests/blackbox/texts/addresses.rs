//! Countries and provinces of addresses, and print areas of unknown size.

use serde_json::{Value, json};

use super::{pairs, warning_codes};
use crate::common::{Site, assert_members, item, label, on_both_databases, order, update};

on_both_databases!(
    provinces_are_returned_with_their_country,
    doubtful_billing_addresses_get_warnings,
    shipping_addresses_with_the_same_faults_are_refused,
    an_unknown_size_of_an_area_is_empty,
);

fn provinces_are_returned_with_their_country(site: &Site) {
    let (_server, client) = site.open();
    for (id, code) in [("long", "US-CA"), ("short", "ca"), ("lower", " us-ca ")] {
        let mut body = order(id);
        body["shipping_address"]["province_code"] = json!(code);
        body["shipping_address"]
            .as_object_mut()
            .unwrap()
            .remove("province");
        body["billing_address"] = json!({ "country": "CANADA", "province_code": "on" });
        let made = client.create(&body);
        for order in [&made, &client.stored(id)] {
            assert_eq!(order["shippingAddress"]["provinceCode"], "US-CA");
            assert_eq!(order["shippingAddress"]["province"], "California");
            assert_members(
                &order["billingAddress"],
                &json!({
                    "provinceCode": "CA-ON", "province": "Ontario", "country": "CANADA",
                    "countryCode": "CA"
                }),
            );
        }
    }
    let mut body = label("label");
    body["shipping_address"] = order("x")["shipping_address"].clone();
    body["shipping_address"]["province_code"] = json!("ca");
    let made = client.call("create-label", &body).order();
    assert_eq!(made["shippingAddress"]["province_code"], "US-CA");

    let mut body = order("unknown");
    body["shipping_address"]["province_code"] = json!("QQ");
    let response = client.call("create", &body).ok();
    assert_eq!(
        warning_codes(&response),
        pairs(&[("shipping_address.province_code", "unknown_province")])
    );
    assert_eq!(response["data"]["shippingAddress"]["provinceCode"], "QQ");
}

/// Returns billing addresses with the field and the code of each warning.
fn doubtful_addresses() -> [(Value, &'static str, &'static str); 5] {
    [
        (
            json!({ "country": "Germany", "country_code": "FR" }),
            "country",
            "country_mismatch",
        ),
        (
            json!({ "country": "Atlantis" }),
            "country",
            "unknown_country",
        ),
        (
            json!({ "country_code": "ZZ" }),
            "country_code",
            "unknown_country",
        ),
        (
            json!({ "country_code": "US", "province_code": "DE-BY" }),
            "province_code",
            "country_mismatch",
        ),
        (
            json!({ "country_code": "US", "province_code": "QQ" }),
            "province_code",
            "unknown_province",
        ),
    ]
}

fn doubtful_billing_addresses_get_warnings(site: &Site) {
    let (_server, client) = site.open();
    for (number, (address, field, code)) in doubtful_addresses().into_iter().enumerate() {
        let id = format!("billing-{number}");
        let path = format!("billing_address.{field}");
        let mut body = order(&id);
        body["billing_address"] = address.clone();
        let response = client.call("create", &body).ok();
        assert_eq!(
            warning_codes(&response),
            pairs(&[(&path, code)]),
            "{address}"
        );

        let mut change = update(&id);
        change["billing_address"] = address;
        let response = client.call("update", &change).ok();
        assert!(warning_codes(&response).contains(&(path, code.to_owned())));
    }
}

fn shipping_addresses_with_the_same_faults_are_refused(site: &Site) {
    let (_server, client) = site.open();
    for (address, field, code) in doubtful_addresses() {
        // A parcel can be sent to a province that the service does not know, so this is not an
        // error.
        if code == "unknown_province" {
            continue;
        }
        let mut body = order("refused");
        for key in ["country", "country_code", "province", "province_code"] {
            body["shipping_address"][key] = address[key].clone();
        }
        let error = client.rejected("create", &body);
        assert!(
            error.has(&format!("shipping_address.{field}"), code),
            "{address}"
        );
    }
}

fn an_unknown_size_of_an_area_is_empty(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("sizes");
    body["line_items"] = json!([
        item("MUG-11", 1, 1),
        item("POSTER", 1, 1),
        item("NO-SUCH", 1, 1)
    ]);
    client.create(&body);
    let stored = client.stored("sizes");
    let size = |item: usize| {
        let file = &stored["childDetails"][item]["files"][0];
        (file["sizeWidth"].clone(), file["sizeHeight"].clone())
    };
    assert_eq!(size(0), (json!("2475"), json!("1155")));
    assert_eq!(size(1), (json!(""), json!("")));
    assert_eq!(size(2), (json!(""), json!("")));
    let products = client
        .send(&client.request_to("/app/v1/products/search", r#"{"searchKey":"poster"}"#))
        .ok();
    let area = &products["data"][0]["variants"][0]["fileRequirements"][0];
    assert_members(area, &json!({ "sizeWidth": "", "sizeHeight": "" }));
}
