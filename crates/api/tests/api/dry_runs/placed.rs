//! Dry runs compared with the orders that are placed after or before them.

use pressline_domain::value::Currency;
use serde_json::{Value, json};

use super::dry;
use super::shop::{CURRENCIES, shop, shop_of};
use crate::common::*;

/// 24 varied create and label requests, each with its path and its own order id.
fn requests() -> Vec<(&'static str, Value)> {
    let mut requests = Vec::new();
    for number in 0..24 {
        let is_label = number % 4 == 3;
        let mut request = if is_label { label("") } else { order("") };
        request["order_id"] = format!("Q-{number}").into();
        request["line_items"][0]["quantity"] = (1 + number % 7).into();
        if number % 3 == 0 {
            request["line_items"][0]["shipClass"] = "express".into();
        }
        if number % 5 == 0 {
            request["line_items"][1]["sku"] = "MUG-12OZ-WHITE".into();
        }
        if number % 6 == 1 {
            request["line_items"][0]["fileUrls"] = json!(["", "https://cdn.example/back.png"]);
        }
        if number % 8 == 2 {
            request["line_items"][1] =
                json!({ "sku": "MUG-OLD", "quantity": 3, "shipClass": "Express" });
        }
        requests.push((if is_label { LABEL } else { CREATE }, request));
    }
    requests
}

/// Clears the `id`, `code` and other fields that a dry run cannot have. Panics if `order` lacks an
/// id.
fn as_estimated(mut order: Value) -> Value {
    for id in ["id", "serviceOrderId"] {
        assert!(order[id].is_string(), "{id}");
        order[id] = Value::Null;
    }
    for item in order["childDetails"].as_array_mut().unwrap() {
        for id in ["id", "code"] {
            assert!(item[id].is_string(), "{id}");
            item[id] = Value::Null;
        }
    }
    for line in order["feeLines"].as_array_mut().unwrap() {
        line["itemId"] = Value::Null;
    }
    order["dryRun"] = true.into();
    order
}

/// Copies the address of `placed` to an estimate of a label order: estimates spell the keys as
/// orders do, dry runs and placed label orders as requests do.
fn respell_address(estimate: &mut Value, placed: &Value) {
    let (estimated, placed) = (&mut estimate["shippingAddress"], &placed["shippingAddress"]);
    if estimated != placed {
        assert_eq!(estimated["postcode"], placed["zip"]);
        *estimated = placed.clone();
    }
}

/// Asserts that `feeLines` add up to the fees, and the fees to the total.
fn assert_explained(order: &Value) {
    let currency: Currency = order["currency"].as_str().unwrap().parse().unwrap();
    let minor = |value: &Value| amount(&value.to_string(), currency).minor_units();
    let lines = order["feeLines"].as_array().unwrap();
    let mut total = 0;
    for (kind, fee) in [
        ("product", "productCost"),
        ("shipping", "shippingFee"),
        ("surcharge", "surchargeFee"),
        ("handling", "handleFee"),
        ("other", "otherFee"),
        ("otherShipping", "otherShippingFee"),
    ] {
        let own: Vec<i64> = lines
            .iter()
            .filter(|line| line["type"] == kind)
            .map(|line| minor(&line["amount"]))
            .collect();
        if order[fee].is_null() {
            assert!(own.is_empty(), "{fee}: {order}");
        } else {
            assert_eq!(
                own.iter().sum::<i64>(),
                minor(&order[fee]),
                "{fee}: {order}"
            );
            total += minor(&order[fee]);
        }
    }
    assert_eq!(total, minor(&order["totalCost"]), "{order}");
    for line in lines {
        assert_eq!(line["currency"], order["currency"]);
        assert!(!line["rule"].as_str().unwrap().is_empty());
        if let Some(index) = line["itemIndex"].as_u64() {
            let item = &order["childDetails"][usize::try_from(index).unwrap()];
            assert_eq!(line["itemId"], item["id"], "{order}");
        } else {
            assert!(line["itemId"].is_null());
        }
    }
}

#[actix_web::test]
async fn a_dry_run_equals_the_order_that_is_placed_next() {
    for (code, prices) in &CURRENCIES {
        let world = World::from_shop(shop(code, prices)).await;
        for (path, request) in requests() {
            let estimated = world.post(ESTIMATE, &request).await;
            let dry = world.post(path, dry(&request)).await;
            let placed = world.post(path, &request).await;
            assert_eq!(estimated.status, 200, "{}", estimated.body);
            let (mut estimated, placed) = (estimated.json(), placed.json());
            if path == LABEL {
                respell_address(&mut estimated["data"], &placed["data"]);
            }
            assert_eq!(estimated, dry.json());
            assert_eq!(placed["message"], "OK");
            assert_eq!(estimated["message"], "OK");
            assert_eq!(estimated["data"], as_estimated(placed["data"].clone()));
            assert_eq!(estimated["warnings"], placed["warnings"]);
            assert_explained(&estimated["data"]);
            assert_explained(&placed["data"]);
        }
        let found = world.post(SEARCH, json!({ "size": 100 })).await.json();
        assert_eq!(found["data"].as_array().unwrap().len(), requests().len());
        for order in found["data"].as_array().unwrap() {
            assert_explained(order);
            assert_eq!(order["currency"], *code);
        }
    }
}

#[actix_web::test]
async fn totals_follow_from_the_price_lists() {
    for (code, total, label) in [
        // 2 tees, a mug; 3 units to the US of 720 g; 2 back prints and 2 oversize fees; 2 packing
        // fees.
        ("USD", "36.01", "2.83"),
        ("JPY", "4999", "380"),
        ("KWD", "9.396", "0.77"),
    ] {
        let world = World::from_shop(shop_of(code)).await;
        for (body, expected) in [(order("A-1"), total), (crate::common::label("L-1"), label)] {
            let estimate = world.post(ESTIMATE, body).await;
            assert!(
                estimate
                    .body
                    .contains(&format!("\"totalCost\":{expected},")),
                "{code}: {}",
                estimate.body
            );
        }
    }
}

#[actix_web::test]
async fn a_dry_run_stores_nothing() {
    let world = World::from_shop(shop_of("USD")).await;
    for (path, request) in requests() {
        world.post(ESTIMATE, &request).await;
        world.post(path, dry(&request)).await;
    }
    assert_eq!(world.post(SEARCH, "{}").await.json()["data"], json!([]));
    let first = world.post(CREATE, order("Q-1")).await.json();
    assert_eq!(
        (&first["data"]["serviceOrderId"], &first["message"]),
        (&json!("DEMO-1"), &json!("OK"))
    );
    let before = world.post(SEARCH, "{}").await.json();
    let response = world.post(CREATE, order("Q-1")).await;
    let dry_run = world
        .post(UPDATE, dry(&update("Q-1", &response, 9)))
        .await
        .json();
    assert_eq!(dry_run["data"]["childDetails"][0]["quantity"], 9);
    assert_eq!(world.post(SEARCH, "{}").await.json(), before);
}

#[actix_web::test]
async fn a_dry_run_of_an_update_equals_the_next_update() {
    let world = World::from_shop(shop_of("KWD")).await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut request = update("A-1", &created, 5);
    request["version"] = 1.into();
    request["production_note"] = "Fold".into();
    request["line_items"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "sku": "TEE-UNISEX-BLACK-M", "quantity": 1 }));
    let dry_run = world.post(UPDATE, dry(&request)).await.json();
    let mut updated = world.post(UPDATE, &request).await.json();
    assert_eq!(updated["data"]["version"], 2);
    assert_explained(&dry_run["data"]);
    assert_explained(&updated["data"]);
    // Existing ids are the same in the dry run; the new item gets its id when it is stored.
    assert_eq!(dry_run["data"]["id"], created.json()["data"]["id"]);
    let new = updated["data"]["childDetails"][2]["id"].take();
    assert!(new.is_string());
    let code = updated["data"]["childDetails"][2]["code"].take();
    assert!(code.as_str().unwrap().ends_with("-3"), "{code}");
    for line in updated["data"]["feeLines"].as_array_mut().unwrap() {
        if line["itemId"] == new {
            line["itemId"] = Value::Null;
        }
    }
    updated["data"]["dryRun"] = true.into();
    assert_eq!(dry_run, updated);
    let stale = world.post(UPDATE, dry(&request)).await;
    assert_eq!(stale.code(), "version_conflict");
}

#[actix_web::test]
async fn a_dry_run_of_a_placed_request_returns_the_stored_order() {
    let world = World::from_shop(shop_of("USD")).await;
    for (path, request) in [(CREATE, order("A-1")), (LABEL, label("L-1"))] {
        let mut placed = world.post(path, &request).await.json()["data"].clone();
        placed["dryRun"] = true.into();
        for dry_run in [
            world.post(ESTIMATE, &request).await,
            world.post(path, dry(&request)).await,
        ] {
            assert_eq!(dry_run.header("Idempotent-Replayed"), Some("true"));
            assert_eq!(dry_run.json()["message"], "Already exists");
            let mut order = dry_run.json()["data"].clone();
            if path == LABEL {
                respell_address(&mut order, &placed);
            }
            assert_eq!(order, placed);
        }
        let mut other = request.clone();
        other["line_items"][0]["quantity"] = 3.into();
        for refused in [
            world.post(ESTIMATE, &other).await,
            world.post(path, dry(&other)).await,
        ] {
            assert_eq!(refused.refusal(), "409 duplicate_order_id");
            assert_eq!(refused.json()["existing"]["id"], placed["id"]);
            let differing = refused.listed("errors");
            assert_eq!(
                differing,
                [("line_items[0].quantity".to_owned(), "differs".to_owned())]
            );
        }
    }
    // An id that an order of the other kind has.
    assert_eq!(
        world.post(ESTIMATE, order("L-1")).await.code(),
        "duplicate_order_id"
    );
    assert_eq!(
        world.post(ESTIMATE, label("A-1")).await.code(),
        "duplicate_order_id"
    );
}
