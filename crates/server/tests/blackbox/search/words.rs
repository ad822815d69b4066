//! Search keys: words, prefixes and punctuation.

use serde_json::{Value, json};

use crate::common::{Site, label, on_both_databases, order, update};

on_both_databases!(
    words_are_found_by_prefix,
    no_character_of_a_key_is_special,
    a_name_and_a_phone_number_are_found_however_they_are_written,
);

/// Keys that find only the first order of the next test.
const FINDING: [&str; 26] = [
    "shop-1-8533",
    "SHOP-1",
    "shop",
    "853 shop",
    "do",
    "đỗ",
    "ngoc",
    "anh",
    "jose",
    "JOSÉ",
    "muller",
    "strasse",
    "till.eule",
    "till.eule@example.org",
    "eule",
    "+84 90-123 4567",
    "8490123",
    "90123",
    "1234567",
    "4567",
    "creme",
    "brûl",
    "ref/77",
    "77 shop",
    "do shop jose",
    "  eule   creme ",
];

/// Keys with only hexadecimal digits are combined with another word, because they may be a prefix
/// of a part of an id.
fn words_are_found_by_prefix(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("shop-1-8533");
    body["customer"] = json!({ "first_name": "Đỗ", "last_name": "Ngọc-Ánh" });
    body["email"] = json!("Till.Eule@Example.ORG");
    body["shipping_address"]["name"] = json!("José Müller-Straße");
    body["shipping_address"]["phone"] = json!("+84 90-123 4567");
    body["line_items"][0]["name"] = json!("Crème brûlée set");
    body["line_items"][1]["refId"] = json!("REF/77");
    let made = client.create(&body);
    let mut another = order("another-1");
    another["email"] = Value::Null;
    client.create(&another);
    let number = made["serviceOrderId"].as_str().unwrap();

    let ids = [number, &number.to_lowercase(), made["id"].as_str().unwrap()];
    for key in FINDING.into_iter().chain(ids) {
        assert_eq!(client.found(key), ["shop-1-8533"], "{key}");
    }
    for key in ["hop", "ule", "do nobody", "xample.com", "shop mug-12"] {
        assert_eq!(client.found(key), Vec::<String>::new(), "{key}");
    }
    for key in ["", "   ", "mug", "tee-m", "MUG-11", "1"] {
        assert_eq!(client.found(key).len(), 2, "{key:?}");
    }
    // A replaced string is no longer found after an update.
    client.call("update", &update("shop-1-8533")).ok();
    assert_eq!(client.found("jose"), Vec::<String>::new());
    assert_eq!(client.found("souza"), ["another-1", "shop-1-8533"]);
}

/// Order ids with characters that are special in LIKE, GLOB, FTS5, tsquery or SQL.
const NAMES: [&str; 24] = [
    "100%-off",
    "100-off",
    "a_b",
    "axb",
    "st*r",
    "star",
    "o'neil",
    "say\"hi\"",
    "back\\slash",
    "q?mark",
    "[set]",
    "%",
    "_",
    "*",
    "'",
    "\"",
    "a:b",
    "or",
    "near",
    "(x)",
    "^x",
    "-x",
    "+",
    "☂",
];

/// Further keys that must not be read as a pattern or a query.
const KEYS: [&str; 19] = [
    "100_",
    "s%",
    "st?r",
    "a%b",
    "%%",
    "*r",
    "o''neil",
    "or OR near",
    "' OR 1=1 --",
    "\\",
    "x%",
    ";",
    "star*",
    "\"star\"",
    "{}",
    "a:*",
    "st & ar",
    "!star",
    "back sla",
];

fn no_character_of_a_key_is_special(site: &Site) {
    let (_server, client) = site.open();
    for name in NAMES {
        // A label order has no telephone number, whose `+` would match as well.
        client.call("create-label", &label(name)).ok();
    }
    for key in NAMES.into_iter().chain(KEYS) {
        let expected: Vec<&str> = NAMES
            .iter()
            .rev()
            .filter(|name| finds(key, name))
            .copied()
            .collect();
        assert_eq!(client.found(key), expected, "{key}");
    }
}

/// Words of every order, from its customer, its item and its store.
const IN_ALL: [&str; 6] = ["Ana", "Souza", "MUG-11", "oz", "REF-7", "PRINTERY"];

/// Returns whether `key` finds the order `name`: each word of the key, without the punctuation
/// around it, must be a prefix of the name or of a part of it. Only for names that case folding
/// does not change.
fn finds(key: &str, name: &str) -> bool {
    let around = |c: char| !c.is_alphanumeric();
    key.split_whitespace().all(|word| {
        let word = word.trim_matches(around).to_lowercase();
        let texts = IN_ALL.iter().copied().chain([name]);
        let mut words =
            texts.flat_map(|text| text.split(around).chain([text.trim_matches(around)]));
        // An apostrophe in a word may be left out.
        let forms = |word: &str| [word.to_lowercase(), word.to_lowercase().replace('\'', "")];
        let is_found = |part: &str| {
            let begins = |form: String| forms(part).iter().any(|part| part.starts_with(&form));
            forms(&word).into_iter().any(begins)
        };
        !word.is_empty() && words.any(is_found)
    })
}

/// Names and phone numbers as stored, each with keys that find only this order.
const WRITTEN: [(&str, &str, &[&str]); 5] = [
    (
        "Sinead O\u{2019}Brien",
        "+14155550111",
        &[
            "O'Brien",
            "OBrien",
            "sinead o´brien",
            "4155550111",
            "(415) 555-0111",
            "415-555-0111",
            "+1 415 555 0111",
            "14155550111",
            "001 415 555 0111",
            "sinead (415) 555-0111",
        ],
    ),
    (
        "Luz García\u{2011}López",
        "+44 (0)20 7946 0958",
        &[
            "García-López",
            "garcia–lopez",
            "+442079460958",
            "02079460958",
            "020 7946 0958",
            "442079460958",
        ],
    ),
    (
        "Uwe OHara",
        "004915112345678",
        &[
            "O'Hara",
            "O’Hara",
            "+49 151 12345678",
            "015112345678",
            "0151 12345678",
        ],
    ),
    (
        "Ada D'Arcy",
        "020 7946 0959",
        &["d’arcy", "darcy", "+44 20 7946 0959", "442079460959"],
    ),
    (
        "Ivo Rossi",
        "8 (495) 123-45-67",
        &["+7 495 123-45-67", "74951234567", "8 495 1234567"],
    ),
];

fn a_name_and_a_phone_number_are_found_however_they_are_written(site: &Site) {
    let (_server, client) = site.open();
    for (place, (name, phone, _)) in WRITTEN.iter().enumerate() {
        let mut body = order(&format!("written-{place}"));
        body["shipping_address"]["name"] = json!(name);
        body["shipping_address"]["phone"] = json!(phone);
        client.create(&body);
    }
    for (place, (name, phone, keys)) in WRITTEN.iter().enumerate() {
        for key in keys.iter().chain([name, phone]) {
            assert_eq!(client.found(key), [format!("written-{place}")], "{key}");
        }
    }
    for none in ["+1 207 946 0959", "+12079460958", "415 555 0112"] {
        assert!(client.found(none).is_empty(), "{none}");
    }
}
