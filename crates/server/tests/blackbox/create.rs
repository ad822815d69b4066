//! Creating orders of both kinds: answers, fees, warnings, and the same order again.

use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::common::{
    Answer, Client, Site, address, assert_error, assert_order, customer, item, label,
    on_both_databases, order, strings, update,
};

on_both_databases!(
    an_order_has_the_shape_of_the_interface,
    fees_are_exact,
    a_label_order_costs_its_handling,
    what_is_odd_is_answered_with_warnings,
    all_problems_are_reported_at_once,
    the_same_request_again_is_the_same_order,
    another_request_with_the_same_id_is_a_conflict,
    sixteen_at_once_are_one_order,
    order_numbers_grow_and_are_never_used_twice,
    stores_with_other_settings,
);

fn warnings(answer: &Answer) -> Vec<(String, String, String)> {
    let envelope = answer.ok();
    let Some(list) = envelope.get("warnings") else {
        return Vec::new();
    };
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    let list = list.as_array().unwrap();
    assert!(
        !list.is_empty(),
        "an empty list of warnings is left out: {answer}"
    );
    list.iter()
        .map(|entry| {
            (
                text(entry, "field"),
                text(entry, "code"),
                text(entry, "message"),
            )
        })
        .collect()
}

#[track_caller]
fn assert_warns(answer: &Answer, field: &str, code: &str, says: &str) {
    let found = warnings(answer);
    let named = found
        .iter()
        .any(|(at, kind, text)| at == field && kind == code && text.contains(says));
    assert!(
        named,
        "no warning {code} on {field} that says {says:?}: {found:?}"
    );
}

fn an_order_has_the_shape_of_the_interface(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("shape-1");
    body["billing_address"] =
        json!({ "name": "Billing Dept", "city": "Lyon", "country_code": "FR" });
    body["line_items"][0]["mockupImages"] = json!(["https://example.com/mock.png"]);
    body["line_items"][0]["name"] = json!("Mug of the year");
    let answer = client.call("create", &body);
    assert_eq!(answer.header("Content-Type"), Some("application/json"));
    let envelope = answer.ok();
    assert_eq!(envelope["message"], "OK");
    assert!(envelope.get("warnings").is_none(), "{answer}");
    let made = &envelope["data"];
    assert_order(made, false);

    assert_eq!(made["orderId"], "shape-1");
    assert_eq!(made["storeId"], client.store);
    assert_eq!(
        (&made["type"], &made["source"]),
        (&json!("manual"), &json!("store"))
    );
    assert_eq!(
        (&made["version"], &made["currency"]),
        (&json!(1), &json!("USD"))
    );
    assert_eq!(made["shipping_address_label"], Value::Null);
    assert_eq!(made["itemStatuses"], Value::Null);
    assert_eq!(made["customer"]["name"], "Ana Souza");
    let shipping = &made["shippingAddress"];
    for (key, value) in [
        ("firstName", "Ana"),
        ("lastName", "Souza"),
        ("fullName", "Ana Souza"),
        ("company", "Prints Ltd"),
        ("address1", "12 Market St"),
        ("address2", "Floor 3"),
        ("city", "San Francisco"),
        ("postcode", "94105"),
        ("province", "California"),
        ("country", "United States"),
        ("phone", "+1 415 555 0100"),
        ("email", "ana@example.com"),
    ] {
        assert_eq!(shipping[key], value, "{key}");
    }
    assert_eq!(made["billingAddress"]["fullName"], "Billing Dept");
    assert_eq!(made["billingAddress"]["country"], "France");

    let items = made["childDetails"].as_array().unwrap();
    let skus: Vec<&Value> = items.iter().map(|item| &item["sku"]).collect();
    assert_eq!(skus, ["MUG-11", "TEE-M"]);
    assert_eq!(
        (&items[0]["name"], &items[1]["name"]),
        (&json!("Mug of the year"), &json!("Shirt, M"))
    );
    assert_eq!(
        strings(&items[0]["mockupImages"]),
        ["https://example.com/mock.png"]
    );
    assert_eq!(
        (&items[0]["thumbnailMockupImages"], &items[0]["status"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(items[0]["files"].as_array().unwrap().len(), 1);
    let areas: Vec<&Value> = items[1]["files"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&areas[0]["name"], &areas[1]["name"]),
        (&json!("Front"), &json!("Back"))
    );
    assert_eq!(
        (&areas[0]["sizeWidth"], &areas[0]["sizeHeight"]),
        (&json!("4500"), &json!("5400"))
    );
    assert_eq!(
        areas[1]["extraFee"]
            .as_str()
            .unwrap()
            .parse::<f64>()
            .unwrap(),
        4.0
    );
    assert_eq!(areas[1]["requirement"], "base_belongs");
    assert_eq!(
        strings(&areas[0]["fileUrl"]),
        ["https://example.com/art/1.png"]
    );
    assert_eq!(
        strings(&areas[1]["fileUrl"]),
        ["https://example.com/art/2.png"]
    );
    assert!(strings(&areas[1]["thumbnailFileUrl"]).is_empty());

    // A search shows the same order; only what search adds differs.
    let mut found = client.stored("shape-1");
    assert_order(&found, false);
    assert_eq!(
        strings(&found["childDetails"][0]["thumbnailMockupImages"]),
        ["https://example.com/mock.png"]
    );
    let mut made = made.clone();
    for order in [&mut found, &mut made] {
        for item in order["childDetails"].as_array_mut().unwrap() {
            item["thumbnailMockupImages"].take();
            item["files"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|file| drop(file["thumbnailFileUrl"].take()));
        }
    }
    assert_eq!(found, made);
}

fn fees_are_exact(site: &Site) {
    let (_server, client) = site.open();
    let answer = client.call("create", &order("fees-1"));
    let made = answer.order();
    // 2 x 5.20 + 8.75; the shirt's back 4.00; three units by Standard: 4.99 + 2 x 1.50.
    assert_eq!(made["productCost"], 19.15);
    assert_eq!(made["surchargeFee"], 4.0);
    assert_eq!(made["shippingFee"], 7.99);
    assert_eq!(made["totalCost"], 31.14);
    assert!(
        answer.text().contains("\"totalCost\":31.14,"),
        "written without a rounding error: {answer}"
    );
    assert_eq!(made["childDetails"][0]["sellerCost"], 5.2);
    for fee in ["handleFee", "otherFee", "otherShippingFee"] {
        assert_eq!(made[fee], Value::Null, "{fee}");
    }
    assert_eq!(made["priced"], true);

    // Two ship classes have a first unit each, and their names have no case.
    let mut body = order("fees-2");
    body["line_items"] = json!([item("MUG-11", 3, 1), item("TEE-M", 2, 1)]);
    body["line_items"][1]["shipClass"] = json!("EXPRESS");
    let made = client.create(&body);
    assert_eq!(made["productCost"], 33.1);
    assert_eq!(made["shippingFee"], 7.99 + 15.99);
    assert!(
        made["surchargeFee"].is_null() || made["surchargeFee"] == 0.0,
        "{made}"
    );
    assert_eq!(made["totalCost"], 57.08);

    let mut body = order("fees-3");
    body["line_items"] = json!([item("MUG-11", 1000, 0)]);
    assert_eq!(client.create(&body)["totalCost"], 5200.0 + 4.99 + 1498.5);
}

fn a_label_order_costs_its_handling(site: &Site) {
    let (_server, client) = site.open();
    let mut body = label("label-1");
    body["response_type"] = json!("normal");
    let answer = client.call("create-label", &body);
    let made = answer.order();
    assert_order(&made, true);
    assert!(warnings(&answer).is_empty());
    assert_eq!(made["type"], "label");
    assert_eq!(
        (&made["handleFee"], &made["totalCost"]),
        (&json!(2.5), &json!(2.5))
    );
    assert_eq!(
        (&made["productCost"], &made["shippingFee"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        made["shipping_address_label"],
        "https://example.com/label.pdf"
    );
    assert_eq!(made["shippingAddress"], json!({}));
    assert_eq!(made["childDetails"][0]["refId"], "REF-7");
    assert_eq!(client.stored("label-1")["type"], "label");

    // With an address it is answered as it was spelled, in a repeated call too, but not in a
    // search.
    let mut body = label("label-2");
    body["shipping_address"] = address();
    for replay in [false, true] {
        let answer = client.call("create-label", &body);
        assert_eq!(answer.is_replay(), replay);
        let made = answer.order();
        assert_order(&made, true);
        for (key, value) in [
            ("first_name", "Ana"),
            ("zip", "94105"),
            ("city", "San Francisco"),
        ] {
            assert_eq!(made["shippingAddress"][key], value, "{key}");
        }
    }
    let found = client.stored("label-2");
    assert_order(&found, false);
    assert_eq!(found["shippingAddress"]["postcode"], "94105");

    for url in [
        json!("ftp://example.com/l.pdf"),
        json!("label.pdf"),
        json!(""),
        Value::Null,
        json!(7),
    ] {
        let mut body = label("label-3");
        body["shipping_address_label"] = url;
        let error = assert_error(
            &client.call("create-label", &body),
            400,
            "validation_failed",
        );
        assert_eq!(error.fields(), ["shipping_address_label"]);
    }
    let mut body = label("label-3");
    body["response_type"] = json!("brief");
    let answer = client.call("create-label", &body);
    assert_warns(&answer, "response_type", "unsupported_value", "normal");
}

fn what_is_odd_is_answered_with_warnings(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("odd-1");
    body["emial"] = json!("x");
    body["shipping_address"]["adress1"] = json!("x");
    body["shipping_address"]["province_code"] = json!("US-QQ");
    body["line_items"] = json!([item("MUG-12", 1, 1), item("TEE-M", 1, 3)]);
    body["line_items"][0]["shipClass"] = json!("Expres");
    body["line_items"][1]["colour"] = json!({ "a": [1, 2] });
    let answer = client.call("create", &body);
    let made = answer.order();
    assert_order(&made, false);
    assert_warns(&answer, "emial", "unknown_field", "email");
    assert_warns(
        &answer,
        "shipping_address.adress1",
        "unknown_field",
        "address1",
    );
    assert_warns(&answer, "line_items[1].colour", "unknown_field", "");
    assert_warns(
        &answer,
        "shipping_address.province_code",
        "unknown_province",
        "",
    );
    assert_warns(&answer, "line_items[0].sku", "unknown_sku", "MUG-11");
    assert_warns(
        &answer,
        "line_items[0].shipClass",
        "unknown_ship_class",
        "Express",
    );
    assert_warns(
        &answer,
        "line_items[1].fileUrls",
        "more_files_than_areas",
        "",
    );
    assert!(
        warnings(&answer)
            .iter()
            .any(|(_, code, _)| code == "total_incomplete"),
        "{answer}"
    );
    assert_eq!(
        (&made["productCost"], &made["priced"]),
        (&Value::Null, &json!(false))
    );
    assert_eq!(made["childDetails"][0]["sellerCost"], Value::Null);
    assert_eq!(made["childDetails"][0]["files"][0]["name"], "Main");
    // The shirt's back 4.00, and the unknown class is shipped as Standard: 4.99 + 1.50.
    assert_eq!(made["totalCost"], 10.49);
    let back = &made["childDetails"][1]["files"][1];
    assert_eq!(
        strings(&back["fileUrl"]).len(),
        2,
        "the last area takes the further files"
    );

    // A repeated call is told the same.
    assert_eq!(
        warnings(&client.call("create", &body)).len(),
        warnings(&answer).len()
    );

    let mut body = order("odd-2");
    body["shipping_address"] = json!({ "name": "A", "address1": "1 Rue", "city": "Lyon", "zip": "69001", "country": "france" });
    let answer = client.call("create", &body);
    assert_warns(
        &answer,
        "shipping_address.tax_number",
        "tax_number_recommended",
        "",
    );
    assert_eq!(
        answer.order()["shippingAddress"]["country"],
        "france",
        "a name stays as it was given"
    );

    let mut body = order("odd-3");
    body["line_items"] = json!([item("POSTER", 1, 1)]);
    assert_eq!(client.create(&body)["productCost"], Value::Null);

    // More than anybody would read: the first hundred, then a count.
    let mut body = order("odd-4");
    (0..150).for_each(|i| {
        drop(
            body.as_object_mut()
                .unwrap()
                .insert(format!("unheard_of_{i}"), json!(1)),
        )
    });
    let found = warnings(&client.call("create", &body));
    assert_eq!(found.len(), 101);
    assert!(found[100].2.contains("50"), "{:?}", found[100]);
}

fn all_problems_are_reported_at_once(site: &Site) {
    let (_server, client) = site.open();
    let body = json!({
        "order_id": "x".repeat(129), "email": "nobody", "customer": { "first_name": 7, "last_name": " " },
        "shipping_address": { "name": "", "city": "Tijuana", "country_code": "MX", "country": "Canada", "zip": "22000",
            "latitude": 91, "longitude": "east" },
        "line_items": [{ "sku": "MUG-11", "quantity": 0, "fileUrls": ["ftp://x", 3] }, null, { "quantity": "two" }, []]
    });
    let error = assert_error(&client.call("create", &body), 400, "validation_failed");
    for (field, code) in [
        ("order_id", "too_long"),
        ("email", "invalid_format"),
        ("customer.first_name", "wrong_type"),
        ("shipping_address.name", "required"),
        ("shipping_address.address1", "required"),
        ("shipping_address.country", "country_mismatch"),
        ("shipping_address.tax_number", "required"),
        ("shipping_address.latitude", "out_of_range"),
        ("shipping_address.longitude", "wrong_type"),
        ("line_items[0].quantity", "out_of_range"),
        ("line_items[0].fileUrls[1]", "wrong_type"),
        ("line_items[1]", "required"),
        ("line_items[2].sku", "required"),
        ("line_items[2].quantity", "wrong_type"),
        ("line_items[3]", "wrong_type"),
    ] {
        assert!(
            error.has(field, code),
            "no {code} on {field}: {:#?}",
            error.errors
        );
    }
    assert!(
        error.fields().contains(&"line_items[0].fileUrls[0]"),
        "{:#?}",
        error.errors
    );

    let error = assert_error(&client.call("create", &json!({})), 400, "validation_failed");
    assert_eq!(error.fields().len(), 4, "{error:?}");
    let error = assert_error(
        &client.call("create-label", &json!({})),
        400,
        "validation_failed",
    );
    assert_eq!(error.fields().len(), 4, "{error:?}");

    let mut body = order("many");
    body["line_items"] = Value::Array(vec![json!({}); 101]);
    let error = assert_error(&client.call("create", &body), 400, "validation_failed");
    assert_eq!(
        error.fields(),
        ["line_items"],
        "more than 100 items are that one problem"
    );
    body["line_items"] = Value::Array(vec![json!({}); 100]);
    let error = assert_error(&client.call("create", &body), 400, "validation_failed");
    assert_eq!(error.errors.len(), 101);
    body["line_items"] = Value::Array(vec![item("MUG-11", 1, 0); 100]);
    assert_eq!(
        client.create(&body)["childDetails"]
            .as_array()
            .unwrap()
            .len(),
        100
    );

    let mut body = order("whole");
    body["line_items"][0]["quantity"] = serde_json::from_str("20.0").unwrap();
    assert_eq!(client.create(&body)["childDetails"][0]["quantity"], 20);
    assert_eq!(client.found("whole").len(), 1);
    assert_eq!(
        client.search(&json!({})).len(),
        2,
        "nothing that was refused is stored"
    );
}

fn the_same_request_again_is_the_same_order(site: &Site) {
    let (_server, client) = site.open();
    let body = order("again-1");
    let first = client.call("create", &body);
    assert!(!first.is_replay(), "{first}");
    let first = first.order();

    // Spelled in another way, it is the same request all the same.
    let pretty = serde_json::to_string_pretty(&body).unwrap();
    let mut padded = body.clone();
    padded["billing_address"] = Value::Null;
    padded["line_items"][0]["quantity"] = json!(2.0);
    for text in [body.to_string(), pretty, padded.to_string()] {
        let answer = client.send(&client.request("create", text));
        let envelope = answer.ok();
        assert!(answer.is_replay(), "{answer}");
        assert_eq!(envelope["message"], "Already exists");
        assert_eq!(envelope["data"]["id"], first["id"]);
    }

    // The answer is the order as it is now, and neither an update nor another catalog makes a
    // conflict of it.
    let mut change = update("again-1");
    change["production_note"] = json!("Gift");
    change["shipping_address"]["city"] = json!("Oakland");
    client.call("update", &change).ok();
    let file = site.file("dearer.csv", "sku,name,price\nMUG-11,Mug,6.00\n");
    site.run(&["catalog", "import", file.to_str().unwrap()])
        .ok();
    site.run(&["store", "set", &client.store, "--strict-catalog"])
        .ok();
    let answer = client.call("create", &body);
    assert!(answer.is_replay(), "{answer}");
    let now = answer.order();
    assert_eq!((&now["id"], &now["version"]), (&first["id"], &json!(2)));
    assert_eq!(now["shippingAddress"]["city"], "Oakland");
    assert_eq!(now["totalCost"], first["totalCost"]);
    assert_eq!(client.search(&json!({})).len(), 1);
}

fn another_request_with_the_same_id_is_a_conflict(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&order("twice"));
    let mut other = order("twice");
    other["line_items"][1]["quantity"] = json!(5);
    other["customer"]["first_name"] = json!("Bea");
    let error = assert_error(&client.call("create", &other), 409, "duplicate_order_id");
    assert_eq!(error.fields().len(), 2, "{error:?}");
    assert!(
        error.fields().contains(&"line_items[1].quantity"),
        "{error:?}"
    );
    assert!(error.fields().contains(&"customer.first_name"), "{error:?}");
    let existing = &error.body["existing"];
    for key in ["id", "serviceOrderId", "orderId"] {
        assert_eq!(existing[key], made[key], "{key}");
    }
    // A label order is another request, and shares the ids.
    let error = assert_error(
        &client.call("create-label", &label("twice")),
        409,
        "duplicate_order_id",
    );
    assert_eq!(error.body["existing"]["id"], made["id"]);
    assert_eq!(client.stored("twice")["version"], 1);
}

/// Sends requests at the same moment.
fn at_once(client: &Client, operation: &str, bodies: &[Value]) -> Vec<Answer> {
    let start = Barrier::new(bodies.len());
    thread::scope(|scope| {
        let calls: Vec<_> = bodies
            .iter()
            .map(|body| {
                scope.spawn(|| {
                    start.wait();
                    client.call(operation, body)
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    })
}

fn sixteen_at_once_are_one_order(site: &Site) {
    let (_server, client) = site.open();
    for round in 0..5 {
        let (operation, body) = match round % 2 {
            0 => ("create", order(&format!("at-once-{round}"))),
            _ => ("create-label", label(&format!("at-once-{round}"))),
        };
        let answers = at_once(&client, operation, &vec![body; 16]);
        let ids: HashSet<String> = answers
            .iter()
            .map(|answer| answer.order()["id"].to_string())
            .collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(
            answers.iter().filter(|answer| answer.is_replay()).count(),
            15
        );
    }
    assert_eq!(client.search(&json!({})).len(), 5);
}

fn order_numbers_grow_and_are_never_used_twice(site: &Site) {
    let (server, client) = site.open();
    let bodies: Vec<Value> = (0..16).map(|i| order(&format!("number-{i}"))).collect();
    let answers = at_once(&client, "create", &bodies);
    let numbers: HashSet<String> = answers
        .iter()
        .map(|a| a.order()["serviceOrderId"].to_string())
        .collect();
    assert_eq!(numbers.len(), 16);
    let number = |order: &Value| {
        let text = order["serviceOrderId"]
            .as_str()
            .unwrap()
            .rsplit_once('-')
            .unwrap();
        (text.0.to_owned(), text.1.parse::<u64>().unwrap())
    };
    let (first, second) = (
        number(&client.create(&order("later-1"))),
        number(&client.create(&order("later-2"))),
    );
    assert!(
        second.1 > first.1 && second.0 == first.0,
        "{first:?} {second:?}"
    );
    let other = site.store(&server, &["--prefix", "OTHER"]);
    assert_eq!(number(&other.create(&order("later-1"))).0, "OTHER");
}

fn stores_with_other_settings(site: &Site) {
    let (server, usual) = site.open();
    let strict = site.store(&server, &["--strict-catalog"]);
    let mut body = order("strict-1");
    body["line_items"] = json!([item("MUG-12", 1, 1), item("MUG-11", 1, 1)]);
    body["line_items"][1]["shipClass"] = json!("Rocket");
    let error = assert_error(&strict.call("create", &body), 400, "validation_failed");
    assert!(error.has("line_items[0].sku", "unknown_sku"), "{error:?}");
    assert!(
        error.has("line_items[1].shipClass", "unknown_ship_class"),
        "{error:?}"
    );
    usual.create(&body);
    strict.create(&order("strict-1"));

    // No rate and no fee in another currency than the tariff's.
    let euro = site.store(&server, &["--currency", "EUR"]);
    let answer = euro.call("create", &order("euro-1"));
    let made = answer.order();
    assert_eq!(
        (&made["currency"], &made["shippingFee"]),
        (&json!("EUR"), &Value::Null)
    );
    assert_eq!(
        (&made["productCost"], &made["totalCost"]),
        (&Value::Null, &json!(0))
    );
    assert_warns(
        &answer,
        "line_items[0].shipClass",
        "no_shipping_rate",
        "EUR",
    );
    assert_error(
        &euro.call("create-label", &label("euro-2")),
        400,
        "validation_failed",
    );

    // One store's ids, orders and keys are nothing to the others.
    let other = site.store(&server, &[]);
    let made = usual.create(&order("shared-id"));
    let theirs = other.create(&order("shared-id"));
    assert_ne!(made["id"], theirs["id"]);
    assert_eq!(theirs["storeId"], other.store);
    let ids: Vec<String> = other
        .search(&json!({}))
        .iter()
        .map(|order| order["id"].to_string())
        .collect();
    assert_eq!(ids, [theirs["id"].to_string()]);
    for key in ["id", "serviceOrderId"] {
        assert!(other.found(made[key].as_str().unwrap()).is_empty(), "{key}");
    }
    for name in ["strict-1", made["serviceOrderId"].as_str().unwrap()] {
        let mut change = update(name);
        change["customer"] = customer();
        assert_error(&other.call("update", &change), 404, "order_not_found");
    }
    let stolen = Client {
        key: other.key.clone(),
        ..usual.clone()
    };
    assert_error(
        &stolen.call("create", &order("stolen")),
        401,
        "permission_denied",
    );
}
