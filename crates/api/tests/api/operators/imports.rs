//! File imports by operators.

use pressline_backoffice::operator::OperatorRole;
use serde_json::{Value, json};

use super::world::{OTHER_STORE, OperatorWorld, admin, token};
use crate::common::{PRODUCTS, Response, STORE};

pub(super) fn good_body(call: &str, store: &str) -> Value {
    let prefix = if store == STORE { "DEMO" } else { "OTHER" };
    match call {
        "shipments/import" => {
            let file = format!("order_id,carrier,tracking_number\n{prefix}-20,DHL,00340434\n");
            json!({ "file": file })
        }
        "orders/import" => json!({ "storeId": store, "file": orders("X-1", 1), "dryRun": true }),
        "catalog/import" => json!({ "content": "prices", "file": PRICES, "dryRun": true }),
        other => panic!("the import {other} has no case; add one"),
    }
}

const PRICES: &str = "sku,currency,price,valid_from\nMUG-11OZ-WHITE,EUR,3.95,2026-01-01\n";

/// A file of `count` orders of two mugs; the order ids are `{order_id}-1` and so on.
fn orders(order_id: &str, count: usize) -> String {
    let mut text = "order_id,first_name,address1,city,zip,country_code,sku,quantity\n".to_owned();
    for number in 1..=count {
        text.push_str(&format!(
            "{order_id}-{number},Ana,1 Rua,Lisboa,1000-001,PT,MUG-11OZ-WHITE,2\n"
        ));
    }
    text
}

/// Fields `rows`, `created`, `unchanged` and `imported` of a response.
fn counts(response: &Response) -> (u64, u64, u64, bool) {
    assert_eq!(response.status, 200, "{}", response.body);
    let data = &response.json()["data"];
    let count = |name: &str| data[name].as_u64().unwrap();
    let imported = data["imported"].as_bool().unwrap();
    (
        count("rows"),
        count("created"),
        count("unchanged"),
        imported,
    )
}

#[actix_web::test]
async fn a_file_of_orders_is_checked_imported_and_imported_again() {
    let world = OperatorWorld::new().await;
    let operator = token(OperatorRole::Operator, true);
    let mut body = json!({ "storeId": STORE, "file": orders("X", 3), "dryRun": true });
    let checked = world.call(&operator, "orders/import", body.clone()).await;
    assert_eq!(counts(&checked), (3, 3, 0, false));
    assert_eq!(
        checked.json()["data"]["orders"][0]["serviceOrderId"],
        Value::Null
    );
    body["dryRun"] = false.into();
    let imported = world.call(&operator, "orders/import", body.clone()).await;
    assert_eq!(counts(&imported), (3, 3, 0, true));
    assert_eq!(world.shop.order("X-3").await.content.items[0].quantity, 2);
    let again = world.call(&operator, "orders/import", body).await;
    assert_eq!(counts(&again), (3, 0, 3, true));
}

#[actix_web::test]
async fn a_file_with_an_invalid_row_is_not_imported() {
    let world = OperatorWorld::new().await;
    let wrong = orders("X", 2).replace(
        "X-2,Ana,1 Rua,Lisboa,1000-001,PT,MUG-11OZ-WHITE,2",
        "X-2,Ana,,Lisboa,1000-001,PT,MUG-11OZ-WHITE,0",
    );
    let body = json!({ "storeId": STORE, "file": wrong });
    let refused = world.call(&admin(), "orders/import", body).await;
    assert_eq!(counts(&refused), (2, 0, 0, false));
    let refused = refused.json();
    let problems = refused["data"]["problems"].as_array().unwrap();
    let named: Vec<_> = problems
        .iter()
        .map(|problem| (&problem["line"], problem["field"].as_str().unwrap()))
        .collect();
    assert_eq!(named, [(&json!(3), "address1"), (&json!(3), "quantity")]);
    let first = json!({ "stores": [STORE], "searchKey": "X-1" });
    let found = world.call(&admin(), "orders/search", first).await;
    assert_eq!(found.json()["data"], json!([]));
}

#[actix_web::test]
async fn parcels_of_a_file_are_recorded_once() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let mut body = good_body("shipments/import", STORE);
    body["dryRun"] = true.into();
    let checked = world.call(&admin(), "shipments/import", body.clone()).await;
    assert_eq!(counts(&checked), (1, 1, 0, false));
    body["dryRun"] = false.into();
    let imported = world.call(&admin(), "shipments/import", body.clone()).await;
    assert_eq!(counts(&imported), (1, 1, 0, true));
    let again = world.call(&admin(), "shipments/import", body).await;
    assert_eq!(counts(&again), (1, 0, 1, true));
    let broken = json!({ "file": "order,carrier\nDEMO-20,UPS\n" });
    let broken = world.call(&admin(), "shipments/import", broken).await;
    assert_eq!(counts(&broken), (0, 0, 0, false));
    assert_eq!(broken.json()["data"]["problems"][0]["line"], 1);
}

#[actix_web::test]
async fn a_file_of_the_catalog_is_imported_by_an_admin_of_all_stores() {
    let world = OperatorWorld::new().await;
    let file = "sku,product,name,price,currency\nCAP-1,Cap,Cap,7.50,USD\n";
    let mut body = json!({ "content": "products", "file": file, "dryRun": true });
    let checked = world.call(&admin(), "catalog/import", body.clone()).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    let data = &checked.json()["data"];
    assert_eq!(
        (&data["added"], &data["imported"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(
        data["changes"],
        json!([{ "change": "added", "row": "CAP-1" }])
    );
    body["dryRun"] = false.into();
    world.call(&admin(), "catalog/import", body.clone()).await;
    let found = world
        .shop
        .post(PRODUCTS, json!({ "searchKey": "CAP" }))
        .await;
    assert_eq!(found.json()["data"][0]["name"], "Cap", "{}", found.body);
    let again = world.call(&admin(), "catalog/import", body).await.json();
    assert_eq!(again["data"]["unchanged"], 1);
    let none = json!({ "content": "products", "file": "sku,product,name,price,currency\n", "replace": true });
    let refused = world.call(&admin(), "catalog/import", none).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code()),
        (400, "validation_failed".to_owned())
    );
}

#[actix_web::test]
async fn all_missing_fields_of_an_import_are_reported() {
    let world = OperatorWorld::new().await;
    let refused = world
        .call(&admin(), "catalog/import", json!({ "dryrun": true }))
        .await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    let refused = refused.json();
    let errors = refused["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|error| &error["field"]).collect();
    assert_eq!(fields, ["content", "file"]);
    assert_eq!(refused["warnings"][0]["field"], "dryrun");
    let disable = json!({ "storeId": OTHER_STORE });
    world.call(&admin(), "stores/disable", disable).await;
    let body = json!({ "storeId": OTHER_STORE, "file": orders("X", 1) });
    let refused = world.call(&admin(), "orders/import", body).await;
    assert_eq!(refused.json()["errors"][0]["field"], "storeId");
}

#[actix_web::test]
async fn a_file_may_be_larger_than_other_bodies() {
    let world = OperatorWorld::new().await;
    let padded = format!("{}{}", orders("X", 1), "\n".repeat(2 * 1024 * 1024));
    let body = json!({ "storeId": STORE, "file": padded, "dryRun": true });
    let checked = world.call(&admin(), "orders/import", body).await;
    assert_eq!(counts(&checked), (1, 1, 0, false));
    let large = json!({ "stores": ["x".repeat(2 * 1024 * 1024)] });
    let refused = world.call(&admin(), "orders/search", large).await;
    assert_eq!(refused.code(), "body_too_large");
    let larger = json!({ "file": "\n".repeat(10 * 1024 * 1024 + 1) });
    let refused = world.call(&admin(), "shipments/import", larger).await;
    assert_eq!(refused.json()["errors"][0]["code"], "too_long");
}
