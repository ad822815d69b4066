//! Unusual, invalid and malicious bodies.

use serde_json::json;

use crate::common::*;

fn pair(field: &str, code: &str) -> (String, String) {
    (field.to_owned(), code.to_owned())
}

#[actix_web::test]
async fn all_wrong_types_are_reported_together() {
    let world = World::new().await;
    let body = r#"{
        "order_id": 7, "email": true, "shipping_address": ["Ana", "Reyes"], "billing_address": "x",
        "customer": {"first_name": {"a": [1e400]}, "last_name": "Reyes"},
        "line_items": [{"sku": "S", "quantity": 1e400, "fileUrls": {"0": "x"}}, [1], 5,
                       {"sku": ["S"], "quantity": "2", "mockupImages": [1]},
                       {"sku": "S", "quantity": 9223372036854775808},
                       {"sku": "S", "quantity": 1.5}, null]
    }"#;
    let response = world.post(CREATE, body).await;
    assert_eq!(response.refusal(), "400 validation_failed");
    insta::assert_snapshot!(serde_json::to_string_pretty(&response.json()["errors"]).unwrap());
    assert!(
        response.json().get("warnings").is_none(),
        "what is wrong is not unknown as well: {}",
        response.body
    );
}

#[actix_web::test]
async fn whole_numbers_may_be_written_in_any_way() {
    let world = World::new().await;
    for (id, quantity) in [("A", "2"), ("B", "2.0"), ("C", "20e-1"), ("D", "0.2E1")] {
        let body = order(id)
            .to_string()
            .replace("\"quantity\":2", &format!("\"quantity\":{quantity}"));
        let response = world.post(CREATE, body).await.json();
        assert_eq!(
            response["data"]["childDetails"][0]["quantity"], 2,
            "{quantity}: {response}"
        );
    }
    let body = r#"{"fromTime": 1.717e12, "toTime": 0.0, "page": 1.0, "size": 2e1}"#;
    assert_eq!(world.post(SEARCH, body).await.json()["size"], 20);
}

#[actix_web::test]
async fn null_counts_as_absent_everywhere() {
    let world = World::new().await;
    let mut with_nulls = order("A-1");
    with_nulls["response_type"] = json!(null);
    with_nulls["shipping_address"]["unknown"] = json!(null);
    with_nulls["line_items"][1]["fileUrls"] = json!(null);
    assert_eq!(world.post(CREATE, order("A-1")).await.status, 200);
    let again = world.post(CREATE, with_nulls).await;
    assert_eq!(again.json()["message"], "Already exists", "{}", again.body);
    let response = world
        .post(
            SEARCH,
            json!({ "page": null, "searchKey": null, "cursor": null }),
        )
        .await;
    assert_eq!(response.status, 200, "{}", response.body);
}

#[actix_web::test]
async fn unknown_fields_are_reported_with_path_and_suggestion() {
    let world = World::new().await;
    let mut request = order("A-1");
    request["orderid"] = json!({ "deep": [1, { "x": 1e10 }] });
    request["customer"]["foo"] = json!(1);
    request["line_items"][0]["ship_class"] = json!("x");
    request["line_items"][1]["bar"] = json!([]);
    request["billing_address"]["a.b"] = json!("");
    let response = world.post(CREATE, request).await;
    insta::assert_snapshot!(serde_json::to_string_pretty(&response.json()["warnings"]).unwrap());
}

#[actix_web::test]
async fn unknown_fields_are_named_in_responses_with_errors_too() {
    let world = World::new().await;
    let response = world
        .post(SEARCH, json!({ "serchKey": "ana", "size": 0 }))
        .await;
    assert_eq!(response.listed("errors"), [pair("size", "out_of_range")]);
    assert_eq!(
        response.listed("warnings"),
        [pair("serchKey", "unknown_field")]
    );
    assert!(
        response.body.contains("did you mean `searchKey`?"),
        "{}",
        response.body
    );
}

#[actix_web::test]
async fn unscannable_bodies_are_invalid_json_with_a_position() {
    let world = World::new().await;
    for (body, place) in [
        ("", "line 1, column 1"),
        ("[]", "line 1, column 1"),
        ("\"{}\"", "line 1, column 1"),
        ("{\n\"a\": 1,\n\"a\": 2}", "line 3, column 1"),
        ("{\"x\": \"\\u0000\"}", "line 1, column 8"),
        ("{\"x\": \"\\ud800\"}", "line 1, column 8"),
        ("{} {}", "line 1, column 4"),
        ("\u{feff}{}", "line 1, column 1"),
    ] {
        let response = world.post(CREATE, body).await;
        assert_eq!(response.refusal(), "400 invalid_json", "{body}");
        let message = response.json()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(place), "{body}: {message}");
    }
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(2000), "]".repeat(2000));
    assert_eq!(world.post(CREATE, deep).await.code(), "invalid_json");
    let request = signed(CREATE, "").set_payload(b"{\"x\": \"\xff\"}".as_slice());
    assert_eq!(world.send(request).await.code(), "invalid_json");
}

#[actix_web::test]
async fn white_space_around_the_object_is_ignored() {
    let world = World::new().await;
    assert_eq!(world.post(SEARCH, " \r\n\t{ }\n ").await.status, 200);
}

#[actix_web::test]
async fn many_items_are_one_error_and_many_errors_are_cut() {
    let world = World::new().await;
    let items = format!("[{}0]", "0,".repeat(300_000));
    let response = world
        .post(CREATE, format!("{{\"line_items\": {items}}}"))
        .await;
    assert_eq!(response.listed("errors"), [pair("line_items", "too_long")]);
    let items: Vec<_> = (0..100)
        .map(|_| json!({ "sku": 1, "quantity": "x" }))
        .collect();
    let response = world.post(CREATE, json!({ "line_items": items })).await;
    let errors = response.listed("errors");
    assert_eq!((errors.len(), &errors[100]), (101, &pair("", "more")));
}

#[actix_web::test]
async fn a_body_of_the_largest_size_is_read() {
    let world = World::new().await;
    let head = "{\"searchKey\": null, \"x\": \"";
    let body = format!("{head}{}\"}}", "x".repeat(1024 * 1024 - head.len() - 2));
    let response = world.post(SEARCH, body).await;
    assert_eq!(response.listed("warnings"), [pair("x", "unknown_field")]);
}

#[actix_web::test]
async fn long_unknown_keys_are_cut() {
    let world = World::new().await;
    let response = world
        .post(SEARCH, format!("{{\"{}\": 1}}", "k".repeat(100_000)))
        .await;
    assert_eq!(response.status, 200);
    assert!(response.body.len() < 1000, "{}", response.body.len());
}
