//! Searching: filters, pages, cursors, and keys that must mean nothing but themselves.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::common::{
    Client, Site, assert_error, assert_order, label, on_both_databases, order, update,
};

on_both_databases!(
    both_paths_answer_pages,
    words_are_found_by_their_beginnings,
    no_character_of_a_key_is_special,
    times_bound_a_search,
    what_cannot_be_asked_is_refused,
    a_walk_sees_every_order_once_while_others_arrive,
    a_cursor_belongs_to_its_store,
    a_product_cursor_that_no_page_gave_is_refused,
);

fn order_ids(envelope: &Value) -> Vec<String> {
    let orders = envelope["data"].as_array().unwrap();
    orders
        .iter()
        .map(|order| order["orderId"].as_str().unwrap().to_owned())
        .collect()
}

fn both_paths_answer_pages(site: &Site) {
    let (_server, client) = site.open();
    for path in ["/app/v1/orders/search", "/api/v1/orders/search"] {
        let envelope = client.send(&client.request_to(path, "{}")).ok();
        assert_eq!(envelope["data"], json!([]));
        for (key, value) in [
            ("page", json!(1)),
            ("size", json!(20)),
            ("pageHasNext", json!(false)),
            ("pageHasPre", json!(false)),
        ] {
            assert_eq!(envelope[key], value, "{key}");
        }
    }
    for i in 1..=7 {
        client.create(&order(&format!("page-{i}")));
    }
    let ask = |page: u32| {
        client
            .call("search", &json!({ "page": page, "size": 3 }))
            .ok()
    };
    let (first, last, beyond) = (ask(1), ask(3), ask(4));
    assert_eq!(
        order_ids(&first),
        ["page-7", "page-6", "page-5"],
        "newest first"
    );
    assert_eq!(
        (&first["pageHasNext"], &first["pageHasPre"]),
        (&json!(true), &json!(false))
    );
    assert!(first["nextCursor"].is_string());
    assert_eq!(order_ids(&last), ["page-1"]);
    assert_eq!(
        (&last["pageHasNext"], &last["pageHasPre"]),
        (&json!(false), &json!(true))
    );
    assert!(last.get("nextCursor").is_none_or(Value::is_null));
    assert_eq!(order_ids(&beyond), Vec::<String>::new());
    assert_eq!(
        (&beyond["pageHasNext"], &beyond["pageHasPre"]),
        (&json!(false), &json!(true))
    );
    let all = client
        .send(&client.request_to("/api/v1/orders/search", r#"{"page":1.0,"size":100}"#))
        .ok();
    assert_eq!(all["data"].as_array().unwrap().len(), 7);
    all["data"]
        .as_array()
        .unwrap()
        .iter()
        .for_each(|order| assert_order(order, false));
    assert_eq!(order_ids(&ask(1_000_000)), Vec::<String>::new());
}

/// Keys of nothing but hexadecimal digits come with another word, because a part of an id may begin
/// with them.
fn words_are_found_by_their_beginnings(site: &Site) {
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

    for key in [
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
        number,
        &number.to_lowercase(),
        made["id"].as_str().unwrap(),
        "do shop jose",
        "  eule   creme ",
    ] {
        assert_eq!(client.found(key), ["shop-1-8533"], "{key}");
    }
    for key in ["hop", "ule", "do nobody", "xample.com", "shop mug-12"] {
        assert_eq!(client.found(key), Vec::<String>::new(), "{key}");
    }
    for key in ["", "   ", "mug", "tee-m", "MUG-11", "1"] {
        assert_eq!(client.found(key).len(), 2, "{key:?}");
    }
    // What an update replaces is found no more.
    client.call("update", &update("shop-1-8533")).ok();
    assert_eq!(client.found("jose"), Vec::<String>::new());
    assert_eq!(client.found("souza"), ["another-1", "shop-1-8533"]);
}

fn no_character_of_a_key_is_special(site: &Site) {
    let (_server, client) = site.open();
    let names = [
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
    for name in names {
        // Without a telephone number, whose `+` would be a word's beginning as well.
        client.call("create-label", &label(name)).ok();
    }
    let keys = [
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
    for key in names.into_iter().chain(keys) {
        let expected: Vec<&str> = names
            .iter()
            .rev()
            .filter(|name| finds(key, name))
            .copied()
            .collect();
        assert_eq!(client.found(key), expected, "{key}");
    }
}

/// Words that every order of this case has, from its customer, its item and its store.
const IN_ALL: [&str; 6] = ["Ana", "Souza", "MUG-11", "oz", "REF-7", "PRINTERY"];

/// Whether a key finds the order of a name: each of its words, without the punctuation around it,
/// begins the name or one of its parts. For names in which nothing folds.
fn finds(key: &str, name: &str) -> bool {
    let around = |c: char| !c.is_alphanumeric();
    key.split_whitespace().all(|word| {
        let word = word.trim_matches(around).to_lowercase();
        let texts = IN_ALL.iter().copied().chain([name]);
        let mut words =
            texts.flat_map(|text| text.split(around).chain([text.trim_matches(around)]));
        !word.is_empty() && words.any(|part| part.to_lowercase().starts_with(&word))
    })
}

fn times_bound_a_search(site: &Site) {
    let (_server, client) = site.open();
    let mut created = Vec::new();
    for i in 0..5 {
        let made = client.create(&order(&format!("time-{i}")));
        created.push(millis(made["createdAt"].as_str().unwrap()));
    }
    let found = |from: i64, to: i64| {
        client
            .search(&json!({ "fromTime": from, "toTime": to }))
            .len()
    };
    let within = |from: i64, to: i64| {
        created
            .iter()
            .filter(|at| (from..=to).contains(*at))
            .count()
    };
    let (first, last) = (created[0], created[4]);
    for (from, to) in [
        (first, last),
        (created[1], created[3]),
        (first, first),
        (last, last),
        (last + 1, last + 9),
        (first - 9, first - 1),
    ] {
        assert_eq!(
            found(from, to),
            within(from, to),
            "{from} to {to} of {created:?}"
        );
    }
    assert_eq!(found(0, 0), 5, "0 is no bound");
    assert_eq!(
        client.search(&json!({ "fromTime": last })).len(),
        within(last, i64::MAX)
    );
    assert_eq!(
        client.search(&json!({ "toTime": first })).len(),
        within(0, first)
    );
    assert_eq!(
        client
            .search(&json!({ "fromTime": null, "searchKey": "time-2", "toTime": last }))
            .len(),
        1
    );
    assert_eq!(
        client
            .search(&json!({ "toTime": 100_000_000_000_000_i64 }))
            .len(),
        5
    );
}

/// Milliseconds since 1970 of a text such as `2024-06-08T03:49:12.905Z`.
fn millis(text: &str) -> i64 {
    let numbers: Vec<i64> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let [year, month, day, hour, minute, second, milli] = numbers[..] else {
        panic!("{text}")
    };
    // Days since 1970, by counting years from March (Howard Hinnant, "chrono-compatible low-level
    // date algorithms").
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli
}

fn what_cannot_be_asked_is_refused(site: &Site) {
    let (_server, client) = site.open();
    for i in 0..3 {
        client.create(&order(&format!("ask-{i}")));
    }
    let cursor = client
        .call("search", &json!({ "size": 1, "searchKey": "ask" }))
        .ok()["nextCursor"]
        .take();
    let followed = client
        .call(
            "search",
            &json!({ "size": 1, "searchKey": "ask", "cursor": cursor }),
        )
        .ok();
    assert_eq!(order_ids(&followed), ["ask-1"]);
    assert!(followed.get("page").is_none(), "{followed}");
    assert_eq!(
        (&followed["pageHasPre"], &followed["pageHasNext"]),
        (&json!(true), &json!(true))
    );
    let mut tampered = cursor.as_str().unwrap().to_owned();
    let last = if tampered.pop() == Some('A') {
        'B'
    } else {
        'A'
    };
    tampered.push(last);

    for (body, field) in [
        (json!({ "page": 0 }), "page"),
        (json!({ "page": -1 }), "page"),
        (json!({ "page": 1_000_001 }), "page"),
        (json!({ "page": 1.5 }), "page"),
        (json!({ "page": "1" }), "page"),
        (json!({ "size": 0 }), "size"),
        (json!({ "size": 101 }), "size"),
        (json!({ "size": [20] }), "size"),
        (json!({ "fromTime": 1_717_818_552 }), "fromTime"),
        (json!({ "toTime": -5 }), "toTime"),
        (json!({ "toTime": 100_000_000_000_001_i64 }), "toTime"),
        (
            json!({ "fromTime": 1_717_818_552_906_i64, "toTime": 1_717_818_552_905_i64 }),
            "fromTime",
        ),
        (json!({ "searchKey": "x".repeat(256) }), "searchKey"),
        (json!({ "searchKey": "a b c d e f g h i j k" }), "searchKey"),
        (json!({ "searchKey": 7 }), "searchKey"),
        (json!({ "cursor": "nonsense" }), "cursor"),
        (json!({ "searchKey": "ask", "cursor": tampered }), "cursor"),
        (
            json!({ "cursor": cursor, "page": 1, "searchKey": "ask" }),
            "cursor",
        ),
        (json!({ "cursor": cursor }), "cursor"),
        (json!({ "cursor": cursor, "searchKey": "other" }), "cursor"),
        (
            json!({ "cursor": cursor, "searchKey": "ask", "toTime": 1_917_818_552_906_i64 }),
            "cursor",
        ),
    ] {
        let error = assert_error(&client.call("search", &body), 400, "validation_failed");
        assert_eq!(error.fields(), [field], "{body}");
    }
    // A cursor to a place where no order can be leads nowhere, and harms nothing.
    for (digit, found) in [('0', 0), ('f', 3)] {
        let filter = &cursor.as_str().unwrap()[49..];
        let edge = format!("1{}{filter}", digit.to_string().repeat(48));
        let answer = client.call("search", &json!({ "searchKey": "ask", "cursor": edge }));
        if answer.status == 200 {
            let orders = order_ids(&answer.ok());
            assert!(orders.is_empty() || orders.len() == found, "{orders:?}");
        } else {
            assert_error(&answer, 400, "validation_failed");
        }
    }
    let all = client.call(
        "search",
        &json!({ "page": 0, "size": 0, "fromTime": -1, "searchKey": {} }),
    );
    assert_eq!(assert_error(&all, 400, "validation_failed").errors.len(), 4);
    let odd = client.call("search", &json!({ "serchKey": "ask" })).ok();
    assert!(
        odd["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("searchKey"),
        "{odd}"
    );
}

fn a_walk_sees_every_order_once_while_others_arrive(site: &Site) {
    let (_server, client) = site.open();
    let there: Vec<String> = (0..23).map(|i| format!("walk-{i}")).collect();
    for name in &there {
        client.call("create-label", &label(name)).ok();
    }
    for filter in [json!({}), json!({ "searchKey": "walk mug" })] {
        let seen = walk(&client, &filter);
        for name in &there {
            assert_eq!(seen.get(name), Some(&1), "{name}");
        }
        assert!(seen.values().all(|times| *times == 1), "{seen:?}");
    }
    assert!(
        client.search(&json!({ "size": 100 })).len() > there.len(),
        "others have arrived"
    );
}

/// How often a walk by cursor sees each order, while with each page another order that matches is
/// created.
fn walk(client: &Client, filter: &Value) -> HashMap<String, u32> {
    static NEWCOMERS: AtomicU32 = AtomicU32::new(0);
    let mut seen = HashMap::new();
    let mut body = filter.clone();
    body["size"] = json!(4);
    let mut places = Vec::new();
    loop {
        let newcomer = label(&format!(
            "walk-late-{}",
            NEWCOMERS.fetch_add(1, Ordering::Relaxed)
        ));
        let mut envelope = thread::scope(|scope| {
            let created = scope.spawn(|| client.call("create-label", &newcomer).order());
            let envelope = client.call("search", &body).ok();
            created.join().unwrap();
            envelope
        });
        for order in envelope["data"].as_array().unwrap() {
            *seen
                .entry(order["orderId"].as_str().unwrap().to_owned())
                .or_default() += 1;
            let text = |key: &str| order[key].as_str().unwrap().to_owned();
            places.push((text("createdAt"), text("id")));
        }
        if envelope["pageHasNext"] == false {
            break;
        }
        body["cursor"] = envelope["nextCursor"].take();
    }
    assert!(
        places.is_sorted_by(|newer, older| newer > older),
        "newest first: {places:?}"
    );
    seen
}

fn a_cursor_belongs_to_its_store(site: &Site) {
    let (server, first) = site.open();
    let second = site.store(&server, &[]);
    for client in [&first, &second] {
        for number in 1..=3 {
            client.create(&order(&format!("own-{number}")));
        }
    }
    for path in ["/app/v1/orders/search", "/app/v1/products/search"] {
        let search =
            |client: &Client, body: Value| client.send(&client.request_to(path, body.to_string()));
        let cursor = search(&first, json!({ "size": 1 })).ok()["nextCursor"].take();
        search(&first, json!({ "size": 1, "cursor": cursor })).ok();
        let answer = search(&second, json!({ "size": 1, "cursor": cursor }));
        let error = assert_error(&answer, 400, "validation_failed");
        assert_eq!(error.body["errors"][0]["field"], "cursor", "{answer}");
    }
}

fn a_product_cursor_that_no_page_gave_is_refused(site: &Site) {
    let (_server, client) = site.open();
    let search = |cursor: &str| {
        let body = json!({ "size": 1, "cursor": cursor }).to_string();
        client.send(&client.request_to("/app/v1/products/search", body))
    };
    let page = client
        .send(&client.request_to("/app/v1/products/search", "{\"size\":1}"))
        .ok();
    let digest = &page["nextCursor"].as_str().unwrap()[..18];
    search(&format!("{digest}{}", hex::encode("A"))).ok();
    for id in ["\0", "A\0B", &"A".repeat(256)] {
        let answer = search(&format!("{digest}{}", hex::encode(id)));
        let error = assert_error(&answer, 400, "validation_failed");
        assert_eq!(
            error.body["errors"][0]["field"], "cursor",
            "{id:?}: {answer}"
        );
    }
}
