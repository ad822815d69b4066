//! Search words: punctuation around words, and orders with very many words.

use serde_json::{Value, json};

use crate::common::{Client, Site, item, on_both_databases, order};

on_both_databases!(
    punctuation_around_search_words_is_ignored,
    the_largest_order_is_found_and_a_larger_order_is_refused,
);

fn punctuation_around_search_words_is_ignored(site: &Site) {
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
    // Punctuation alone matches no word. The domain and an id are one word each.
    let id = client.stored("1001")["id"].as_str().unwrap().to_owned();
    for key in ["#", "-", "souza -", "…", "*", "shop-x.example", &id[9..]] {
        assert_eq!(client.found(key), Vec::<String>::new(), "{key}");
    }
    assert_eq!(client.found(&id), ["1001"]);
    assert_eq!(client.found(&id[..20]), ["1001"]);
}

/// An order of 100 items with three strings each. The first `wide` items have as many different
/// words as the length limits allow. Also returns their strings.
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

fn the_largest_order_is_found_and_a_larger_order_is_refused(site: &Site) {
    let (_server, client) = site.open();
    let (body, texts) = wide("widest", 90);
    assert_eq!(client.call("create", &body).status, 200);
    let found = |client: &Client, key: &str| assert_eq!(client.found(key), ["widest"], "{key}");
    for text in texts.iter().step_by(29) {
        found(&client, text);
        found(&client, &text.chars().last().unwrap().to_string());
    }
    // 300 strings of U+3316, which folds to six characters: 1.3 MiB of words if they were not cut.
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
    let error = client.rejected("create", &too_wide);
    assert!(error.has("line_items", "too_long"), "{:?}", error.fields());
    client.rejected("estimate", &too_wide);
    assert_eq!(client.found("too-wide"), Vec::<String>::new());
}
