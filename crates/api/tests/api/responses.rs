//! Format of every successful response.

use serde_json::{Value, json};

use crate::common::*;

#[actix_web::test]
async fn a_created_order() {
    let world = World::new().await;
    insta::assert_snapshot!(world.post(CREATE, order("A-1")).await.shown());
}

#[actix_web::test]
async fn a_repeated_create_returns_the_order_that_exists() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let again = world
        .post(CREATE, serde_json::to_string_pretty(&order("A-1")).unwrap())
        .await;
    assert_eq!(again.json()["data"], created.json()["data"]);
    assert_eq!(again.json()["message"], "Already exists");
    assert_eq!(again.header("Idempotent-Replayed"), Some("true"));
    assert_eq!(created.header("Idempotent-Replayed"), None);
    insta::assert_snapshot!(again.shown());
}

#[actix_web::test]
async fn a_created_label_order_and_its_replay_have_the_keys_of_requests() {
    let world = World::new().await;
    let created = world.post(LABEL, label("L-1")).await;
    insta::assert_snapshot!(created.shown());
    let again = world.post(LABEL, label("L-1")).await;
    assert_eq!(again.json()["data"], created.json()["data"]);
    assert_eq!(again.json()["message"], "Already exists");
}

#[actix_web::test]
async fn a_label_order_without_an_address_has_an_empty_address() {
    let world = World::new().await;
    let mut request = label("L-1");
    request.as_object_mut().unwrap().remove("shipping_address");
    request.as_object_mut().unwrap().remove("billing_address");
    let data = world.post(LABEL, request).await.json()["data"].clone();
    assert_eq!(
        (&data["shippingAddress"], &data["billingAddress"]),
        (&json!({}), &json!({}))
    );
    assert_eq!(data["totalCost"], data["handleFee"]);
    assert_eq!(
        (&data["productCost"], &data["shippingFee"]),
        (&Value::Null, &Value::Null)
    );
}

#[actix_web::test]
async fn an_updated_order() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut request = update("A-1", &created, 3);
    request["production_note"] = "Fold".into();
    insta::assert_snapshot!(world.post(UPDATE, request).await.shown());
}

#[actix_web::test]
async fn a_label_order_is_updated_and_found_in_the_spelling_of_responses() {
    let world = World::new().await;
    let created = world.post(LABEL, label("L-1")).await;
    let updated = world.post(UPDATE, update("L-1", &created, 3)).await.json();
    assert_eq!(updated["data"]["shippingAddress"]["postcode"], "10118");
    let found = world.post(SEARCH, "{}").await.json();
    assert_eq!(found["data"][0]["shippingAddress"]["fullName"], "Ana Reyes");
}

#[actix_web::test]
async fn a_page_of_found_orders() {
    let world = World::new().await;
    world.post(CREATE, order("A-1")).await;
    world.post(CREATE, order("A-2")).await;
    insta::assert_snapshot!(world.post(SEARCH, json!({ "size": 1 })).await.shown());
}

#[actix_web::test]
async fn the_cursor_leads_on_and_such_pages_have_no_number() {
    let world = World::new().await;
    for id in ["A-1", "A-2", "A-3"] {
        world.post(CREATE, order(id)).await;
    }
    let first = world.post(SEARCH, json!({ "size": 2 })).await.json();
    assert_eq!(
        (&first["page"], &first["pageHasNext"], &first["pageHasPre"]),
        (&json!(1), &json!(true), &json!(false))
    );
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = world
        .post(SEARCH, json!({ "size": 2, "cursor": cursor }))
        .await
        .json();
    let members = second.as_object().unwrap();
    assert!(!members.contains_key("page") && !members.contains_key("nextCursor"));
    assert_eq!(
        (&second["pageHasNext"], &second["pageHasPre"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(second["data"][0]["orderId"], "A-1");
    let other = world
        .post(SEARCH, json!({ "cursor": cursor, "searchKey": "x" }))
        .await;
    assert_eq!(
        other.listed("errors"),
        [("cursor".to_owned(), "invalid_format".to_owned())]
    );
}

#[actix_web::test]
async fn money_is_written_exactly_and_statuses_by_name() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    // Products 2 x 8.50 + 4.25, back prints 2 x 1.50, shipping 4.00 + 2 x 1.25.
    for member in [
        "\"productCost\":21.25,",
        "\"surchargeFee\":3,",
        "\"shippingFee\":6.5,",
        "\"totalCost\":30.75,",
        "\"extraFee\":\"1.5\"",
    ] {
        assert!(created.body.contains(member), "{member}: {}", created.body);
    }
    let found = world.post(SEARCH, "{}").await.json();
    let statuses = json!(["cooling-off", "pending-design"]);
    assert_eq!(found["data"][0]["itemStatuses"], statuses);
    let items = &found["data"][0]["childDetails"];
    assert_eq!(items[0]["status"], "cooling-off");
    assert_eq!(items[1]["status"], "pending-design");
    // The response to the creation has no statuses. A repeated call shows them after a change.
    let created = created.json();
    assert_eq!(created["data"]["itemStatuses"], Value::Null);
    assert_eq!(created["data"]["childDetails"][0]["status"], Value::Null);
    world.cancel("A-1").await;
    let again = world.post(CREATE, order("A-1")).await.json();
    assert_eq!(again["data"]["itemStatuses"], json!(["cancelled"]));
    assert_eq!(
        (&again["data"]["totalCost"], &again["data"]["priced"]),
        (&json!(0), &json!(true))
    );
}

#[actix_web::test]
async fn warnings_of_the_domain_come_before_unknown_fields_and_are_capped_together() {
    let world = World::new().await;
    let mut request = order("A-1");
    request["line_items"][1]["sku"] = "MUG-12OZ-WHITE".into();
    for i in 0..120 {
        request[format!("extra_{i}")] = i.into();
    }
    let response = world.post(CREATE, request).await;
    let warnings = response.listed("warnings");
    assert_eq!(warnings.len(), 101);
    assert_eq!(warnings[0].1, "unknown_sku");
    assert_eq!(warnings[99].1, "unknown_field");
    assert_eq!(warnings[100], (String::new(), "more".to_owned()));
    assert_eq!(response.json()["data"]["priced"], false);
    assert_eq!(
        response.json()["data"]["childDetails"][1]["sellerCost"],
        Value::Null
    );
}

#[actix_web::test]
async fn an_order_is_found_by_its_number_too() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut request = update("A-1", &created, 5);
    request["order_id"] = world.number(1).into();
    assert_eq!(
        world.post(UPDATE, request).await.json()["data"]["orderId"],
        "A-1"
    );
}
