//! Texts, addresses and search words: what becomes of white space, blanks, control characters,
//! countries and provinces.

use serde_json::{Value, json};

use crate::common::{Client, Site, assert_error, item, label, on_both_databases, order, update};

on_both_databases!(
    white_space_around_texts_is_cut_off,
    a_blank_counts_as_absent_for_texts_only,
    control_characters_are_refused_or_become_spaces,
    provinces_are_answered_with_their_country,
    billing_addresses_are_warned_of,
    an_unknown_size_of_an_area_is_empty,
    punctuation_around_key_words_does_not_count,
    the_widest_order_is_found_and_a_wider_one_refused,
);

/// The fields and codes of the warnings.
fn warnings(envelope: &Value) -> Vec<(String, String)> {
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

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(field, code)| ((*field).to_owned(), (*code).to_owned()))
        .collect()
}

/// Puts a value at a path such as `line_items.0.sku`.
fn set(body: &mut Value, path: &str, value: Value) {
    let pointer = format!("/{}", path.replace('.', "/"));
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
}

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

fn white_space_around_texts_is_cut_off(site: &Site) {
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
    // An update finds it so too.
    let changed = client.call("update", &update(" x1 ")).order();
    assert_eq!(changed["id"], plain["id"]);

    // ` Express ` is a class like `Express`.
    let with_class = |class: &str| {
        let mut body = order("class");
        body["line_items"][0]["shipClass"] = json!(class);
        let answer = client.call("estimate", &body).ok();
        (answer["data"]["shippingFee"].clone(), warnings(&answer))
    };
    assert_eq!(with_class(" Express "), with_class("Express"));
    assert_eq!(with_class("\texpress\n"), with_class("Express"));
}

fn a_blank_counts_as_absent_for_texts_only(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("kept"));
    for blank in ["", " ", "\t\n"] {
        for (operation, path) in [
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
        ] {
            let mut body = match operation {
                "update" => update("kept"),
                "search" => json!({}),
                "create-label" => label("blank"),
                _ => order("blank"),
            };
            set(&mut body, path, json!(blank));
            let error = assert_error(&client.call(operation, &body), 400, "validation_failed");
            let field = path.replace(".0", "[0]");
            assert!(
                error.has(&field, "wrong_type"),
                "{operation} {path} {blank:?}"
            );
        }
        // And of texts it is the same as leaving them out.
        let mut body = order("kept");
        for path in [
            "response_type",
            "line_items.0.name",
            "line_items.0.shipClass",
            "shipping_address.tax_number",
        ] {
            set(&mut body, path, json!(blank));
        }
        assert!(client.call("create", &body).is_replay(), "{blank:?}");
        assert_eq!(
            client
                .search(&json!({ "searchKey": blank, "cursor": blank }))
                .len(),
            1
        );
    }
    assert_eq!(client.stored("kept")["version"], 1, "nothing was changed");
    assert_eq!(client.search(&json!({})).len(), 1, "nothing was placed");

    // In an update a blank text clears, and null leaves.
    let mut body = update("kept");
    body["email"] = Value::Null;
    body["billing_address"] = json!({ "city": "Lyon" });
    let made = client.call("update", &body).order();
    assert_eq!(made["billingAddress"]["city"], "Lyon");
    client
        .found("shop@example.com")
        .iter()
        .for_each(|id| assert_eq!(id, "kept"));
    assert_eq!(
        client.found("shop@example.com").len(),
        1,
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
        let error = assert_error(&client.call("create", &body), 400, "validation_failed");
        for path in TEXTS {
            let field = path.replace(".0", "[0]").replace(".1", "[1]");
            assert!(error.has(&field, "invalid_format"), "{field} {control:?}");
        }
        let mut change = update("control");
        change["production_note"] = json!(format!("a{control}b"));
        let error = assert_error(&client.call("update", &change), 400, "validation_failed");
        assert!(error.has("production_note", "invalid_format"));
        let error = assert_error(
            &client.call("search", &json!({ "searchKey": format!("a{control}b") })),
            400,
            "validation_failed",
        );
        assert!(error.has("searchKey", "invalid_format"));
    }

    let mut body = order("breaks");
    body["customer"]["last_name"] = json!("So\tuza");
    body["shipping_address"]["address1"] = json!("12 Market St\r\nback door");
    let answer = client.call("create", &body).ok();
    assert_eq!(
        warnings(&answer),
        pairs(&[("shipping_address.address1", "line_break")])
    );
    assert_eq!(
        answer["data"]["shippingAddress"]["address1"],
        "12 Market St back door"
    );
    assert_eq!(answer["data"]["customer"]["name"], "Ana So uza");
    let mut change = update("breaks");
    change["production_note"] = json!("one\n\ttwo");
    let answer = client.call("update", &change).ok();
    assert_eq!(warnings(&answer), []);
    assert_eq!(answer["data"]["productionNote"], "one\n\ttwo");
}

fn provinces_are_answered_with_their_country(site: &Site) {
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
            let billing = &order["billingAddress"];
            assert_eq!(
                (
                    &billing["provinceCode"],
                    &billing["province"],
                    &billing["country"],
                    &billing["countryCode"]
                ),
                (
                    &json!("CA-ON"),
                    &json!("Ontario"),
                    &json!("CANADA"),
                    &json!("CA")
                )
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
    let answer = client.call("create", &body).ok();
    assert_eq!(
        warnings(&answer),
        pairs(&[("shipping_address.province_code", "unknown_province")])
    );
    assert_eq!(answer["data"]["shippingAddress"]["provinceCode"], "QQ");
}

fn billing_addresses_are_warned_of(site: &Site) {
    let (_server, client) = site.open();
    for (i, (address, field, code)) in [
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
    .into_iter()
    .enumerate()
    {
        let id = format!("billing-{i}");
        let mut body = order(&id);
        body["billing_address"] = address.clone();
        let answer = client.call("create", &body).ok();
        assert_eq!(
            warnings(&answer),
            pairs(&[(&format!("billing_address.{field}"), code)]),
            "{address}"
        );
        let mut change = update(&id);
        change["billing_address"] = address.clone();
        assert!(
            warnings(&client.call("update", &change).ok())
                .contains(&(format!("billing_address.{field}"), code.to_owned()))
        );

        // Where the parcel goes, all but the unknown province is an error.
        if code != "unknown_province" {
            let mut body = order("refused");
            for key in ["country", "country_code", "province", "province_code"] {
                body["shipping_address"][key] = address[key].clone();
            }
            let error = assert_error(&client.call("create", &body), 400, "validation_failed");
            assert!(
                error.has(&format!("shipping_address.{field}"), code),
                "{address}"
            );
        }
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
    assert_eq!(
        (&area["sizeWidth"], &area["sizeHeight"]),
        (&json!(""), &json!(""))
    );
}

fn punctuation_around_key_words_does_not_count(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("1001");
    body["customer"]["last_name"] = json!("Souza");
    body["email"] = json!("ana.reyes@mail.shop-x.example");
    client.create(&body);
    for key in [
        "#1001",
        "Souza,",
        "(Souza)",
        "\"souza\"",
        "ana, souza",
        "mail.shop-x.example",
        "@mail.shop-x",
        "reyes",
        "ana.reyes@mail",
    ] {
        assert_eq!(client.found(key), ["1001"], "{key}");
    }
    // Punctuation alone is no word of any text. The domain and an id are one word each.
    let id = client.stored("1001")["id"].as_str().unwrap().to_owned();
    for key in ["#", "-", "souza -", "…", "*", "shop-x.example", &id[9..]] {
        assert_eq!(client.found(key), Vec::<String>::new(), "{key}");
    }
    assert_eq!(client.found(&id), ["1001"]);
    assert_eq!(client.found(&id[..20]), ["1001"]);
}

/// 100 items with three texts each, of as many different words as their characters allow in the
/// first `wide`.
fn wide(order_id: &str, wide: usize) -> (Value, Vec<String>) {
    let mut letters = '\u{20000}'..'\u{2a6d0}';
    let mut texts = Vec::new();
    let mut text = || {
        let words: Vec<String> = letters.by_ref().take(127).map(String::from).collect();
        texts.push(words.join("\u{10100}"));
        texts.last().unwrap().clone()
    };
    let items: Vec<Value> = (0..100)
        .map(|number| match number < wide {
            true => json!({ "sku": text(), "name": text(), "refId": text(), "quantity": 1 }),
            false => item("MUG-11", 1, 0),
        })
        .collect();
    let mut body = order(order_id);
    body["line_items"] = json!(items);
    (body, texts)
}

fn the_widest_order_is_found_and_a_wider_one_refused(site: &Site) {
    let (_server, client) = site.open();
    let (body, texts) = wide("widest", 90);
    assert_eq!(client.call("create", &body).status, 200);
    let found = |client: &Client, key: &str| assert_eq!(client.found(key), ["widest"], "{key}");
    for text in texts.iter().step_by(29) {
        found(&client, text);
        found(&client, &text.chars().last().unwrap().to_string());
    }
    // 300 texts of U+3316, which folds to six characters: 1.3 MiB of words before they were cut.
    let grown = |number: usize| format!("{number}{}", "\u{3316}".repeat(250));
    let items: Vec<Value> = (0..100)
        .map(|n| json!({ "sku": grown(3 * n), "name": grown(3 * n + 1), "refId": grown(3 * n + 2), "quantity": 1 }))
        .collect();
    let mut body = order("grown");
    body["line_items"] = json!(items);
    client.call("create", &body).ok();
    for number in (0..300).step_by(37) {
        assert_eq!(client.found(&grown(number)), ["grown"]);
    }

    let (too_wide, _) = wide("too-wide", 100);
    let error = assert_error(&client.call("create", &too_wide), 400, "validation_failed");
    assert!(error.has("line_items", "too_long"), "{:?}", error.fields());
    assert_error(
        &client.call("estimate", &too_wide),
        400,
        "validation_failed",
    );
    assert_eq!(client.found("too-wide"), Vec::<String>::new());
}
