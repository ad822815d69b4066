//! Addresses as checkouts of the world send them: by stores, by operators and in files.

use serde_json::{Value, json};

use super::Operator;
use crate::common::{
    Client, Response, Site, assert_members, assert_warns, label, on_both_databases, order, update,
    warnings,
};

on_both_databases!(
    addresses_without_city_or_postal_code_are_accepted_where_the_post_needs_none,
    a_postal_code_of_another_form_gets_a_warning_with_the_probable_code,
    territories_and_shared_names_are_understood,
    values_that_nobody_needs_do_not_refuse_an_order,
    an_empty_list_counts_as_an_absent_object,
    a_company_stands_for_the_customers_name_and_is_found,
    operators_and_files_have_the_same_rules,
);

fn to(order_id: &str, address: &Value) -> Value {
    let mut body = order(order_id);
    body["shipping_address"] = address.clone();
    body
}

/// Sends `address` with create, create-label, update and estimate, and returns the responses.
fn everywhere(client: &Client, id: &str, address: &Value) -> Vec<Response> {
    let mut labelled = label(&format!("{id}-label"));
    labelled["shipping_address"] = address.clone();
    let mut changed = update(id);
    changed["shipping_address"] = address.clone();
    vec![
        client.call("create", &to(id, address)),
        client.call("create-label", &labelled),
        client.call("update", &changed),
        client.call("estimate", &to(id, address)),
    ]
}

/// Each without a warning.
fn complete() -> [Value; 5] {
    [
        json!({ "name": "Tan", "address1": "10 Anson Road", "zip": "079903", "country_code": "SG" }),
        json!({ "name": "Ali", "address1": "1 Sheikh Zayed Rd", "province": "Dubai", "country_code": "AE" }),
        json!({ "company": "Acme", "address1": "1-1 Chiyoda", "zip": "1000001", "country_code": "JP" }),
        json!({ "name": "Ola", "address1": "1 Marina", "city": "Lagos", "zip": "101241", "country_code": "NG" }),
        json!({ "name": "Eleni", "address1": "Ermou 1", "city": "Athens", "zip": "10563", "country_code": "EL",
                "tax_number": "EL1" }),
    ]
}

fn addresses_without_city_or_postal_code_are_accepted_where_the_post_needs_none(site: &Site) {
    let (_server, client) = site.open();
    for (number, address) in complete().iter().enumerate() {
        for response in everywhere(&client, &format!("whole-{number}"), address) {
            assert_eq!(warnings(&response), [], "{address}");
        }
    }
    let lagos =
        json!({ "name": "Ola", "address1": "1 Marina", "city": "Lagos", "country_code": "NG" });
    for response in &everywhere(&client, "lagos", &lagos)[..3] {
        assert_warns(
            response,
            "shipping_address.zip",
            "incomplete_address",
            "Nigeria",
        );
    }
    let berlin = json!({ "name": "Ana", "address1": "Weg 1", "country_code": "DE" });
    let error = client.rejected("create", &to("berlin", &berlin));
    assert_eq!(
        error.fields(),
        ["shipping_address.city", "shipping_address.zip"]
    );
}

fn a_postal_code_of_another_form_gets_a_warning_with_the_probable_code(site: &Site) {
    let (_server, client) = site.open();
    for (country, zip, says) in [
        ("US", "2138", "02138"),
        ("US", "21381234", "02138-1234"),
        ("DE", "1067", "01067"),
        ("GB", "XXXX", "EC1Y 8SY"),
    ] {
        let address = json!({ "name": "Ana", "address1": "1 Way", "city": "Town", "zip": zip,
            "province": "X", "country_code": country, "tax_number": "1" });
        let id = format!("{country}-{zip}");
        for response in everywhere(&client, &id, &address) {
            assert_warns(&response, "shipping_address.zip", "unusual_zip", says);
        }
        assert_eq!(client.stored(&id)["shippingAddress"]["postcode"], zip);
    }
}

fn territories_and_shared_names_are_understood(site: &Site) {
    let (_server, client) = site.open();
    for (name, code, zip, meant) in [
        ("Puerto Rico", "US", "00930", "PR"),
        ("Réunion", "FR", "97400", "RE"),
        ("Jersey", "GB", "JE2 4UE", "JE"),
        ("Congo", "CD", "", "CD"),
    ] {
        let address = json!({ "name": "Ana", "address1": "1 Way", "city": "Town", "zip": zip,
            "country": name, "country_code": code });
        for response in everywhere(&client, name, &address) {
            assert_eq!(warnings(&response).len(), 1, "{name}");
            assert_warns(
                &response,
                "shipping_address.country",
                "country_mismatch",
                meant,
            );
        }
        let stored = client.stored(name);
        let wanted = json!({ "country": name, "countryCode": meant });
        assert_members(&stored["shippingAddress"], &wanted);
    }
    let mut body = order("province");
    body["shipping_address"]["province_code"] = json!("california");
    let stored = client.create(&body);
    assert_eq!(stored["shippingAddress"]["provinceCode"], "US-CA");
    body["shipping_address"]["country"] = json!("Germany");
    let error = client.rejected("create", &body);
    assert!(error.has("shipping_address.country", "country_mismatch"));
}

fn values_that_nobody_needs_do_not_refuse_an_order(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("odd");
    body["email"] = json!("user..name@docomo.ne.jp");
    body["shipping_address"]["email"] = json!("ana@example");
    body["shipping_address"]["latitude"] = json!(91);
    body["line_items"][0]["mockupImages"] = json!(["mug.png", "https://example.com/mug.png"]);
    let response = client.call("create", &body);
    for (field, code) in [
        ("email", "unusual_email"),
        ("shipping_address.email", "unusual_email"),
        ("shipping_address.latitude", "value_ignored"),
        ("line_items[0].mockupImages[0]", "value_ignored"),
    ] {
        assert_warns(&response, field, code, "");
    }
    let stored = client.stored("odd");
    assert_eq!(stored["email"], "user..name@docomo.ne.jp");
    assert_eq!(stored["shippingAddress"]["email"], "ana@example");
    assert_eq!(stored["shippingAddress"]["latitude"], Value::Null);
    let images = &stored["childDetails"][0]["mockupImages"];
    assert_eq!(*images, json!(["https://example.com/mug.png"]));
    assert_eq!(client.found("docomo.ne.jp").len(), 1);
    assert!(client.call("create", &body).is_replay());
}

fn an_empty_list_counts_as_an_absent_object(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("php");
    body["billing_address"] = json!([]);
    assert_eq!(warnings(&client.call("create", &body)), []);
    assert_eq!(client.stored("php")["billingAddress"], json!({}));
    body.as_object_mut().unwrap().remove("billing_address");
    assert!(client.call("create", &body).is_replay());
    let mut labelled = label("php-label");
    labelled["shipping_address"] = json!([]);
    client.call("create-label", &labelled).ok();

    let mut changed = update("php");
    changed["billing_address"] = json!({ "city": "Huế" });
    client.call("update", &changed).ok();
    // As an absent address, it changes nothing.
    changed["billing_address"] = json!([]);
    let kept = client.call("update", &changed).order();
    assert_eq!(kept["billingAddress"]["city"], "Huế");
    changed["billing_address"] = json!({});
    let cleared = client.call("update", &changed).order();
    assert_eq!(cleared["billingAddress"], json!({}));

    for field in ["shipping_address", "customer"] {
        let mut body = order("none");
        body[field] = json!([]);
        assert!(client.rejected("create", &body).has(field, "required"));
        body[field] = json!([1]);
        assert!(client.rejected("create", &body).has(field, "wrong_type"));
    }
}

fn a_company_stands_for_the_customers_name_and_is_found(site: &Site) {
    let (_server, client) = site.open();
    let address = json!({ "company": "Größenwahn GmbH", "address1": "Weg 1", "city": "Bern", "zip": "3000",
        "country_code": "CH" });
    let mut body = to("firm", &address);
    body["customer"] = json!({ "first_name": "" });
    assert_eq!(warnings(&client.call("create", &body)), []);
    assert_eq!(client.found("grossenwahn").len(), 1);
    body["shipping_address"]["company"] = json!(" ");
    body["order_id"] = json!("nobody");
    let error = client.rejected("create", &body);
    assert_eq!(
        error.fields(),
        ["shipping_address.name", "customer.first_name"]
    );
}

const FILE: &str = "\
order_id,first_name,address1,city,zip,country,country_code,email,sku,quantity
F-1,Tan,10 Anson Road,,079903,,SG,tan@example.com,MUG-11,1
F-2,Ana,1 Way,Boston,2138,Puerto Rico,US,user..name@docomo.ne.jp,MUG-11,1
F-3,Ola,1 Marina,Lagos,,,NG,,MUG-11,1
";

fn operators_and_files_have_the_same_rules(site: &Site) {
    let (server, client) = site.open();
    let operator = Operator::create(site, &server, "operator", &[]);
    let file = json!({ "storeId": client.store, "file": FILE });
    let data = operator.call("orders/import", &file).ok()["data"].clone();
    assert_eq!(
        (&data["created"], &data["problems"]),
        (&json!(3), &json!([])),
        "{data}"
    );
    let found = data["warnings"].as_array().unwrap().iter();
    let found = found.map(|one| json!([one["line"], one["field"], one["code"]]));
    let wanted = json!([
        [3, "country", "country_mismatch"],
        [3, "email", "unusual_email"],
        [3, "zip", "unusual_zip"],
        [4, "zip", "incomplete_address"],
    ]);
    assert_eq!(Value::from_iter(found), wanted);
    let number = client.search(&json!({ "searchKey": "F-3" }))[0]["serviceOrderId"].clone();
    let changed = json!({ "order_id": number, "reason": "moved", "billing_address": [],
        "shipping_address": { "name": "Ali", "address1": "1 Sheikh Zayed Rd", "country_code": "AE" } });
    let response = operator.call("orders/update", &changed);
    assert_eq!(warnings(&response), []);
    let address = &response.ok()["data"]["shippingAddress"];
    assert_members(
        address,
        &json!({ "country": "United Arab Emirates", "fullName": "Ali" }),
    );
}
