//! Administration of stores by operators.

use serde_json::json;

use super::world::{OTHER_STORE, OperatorWorld, admin};
use crate::common::{KEY, STORE};

#[actix_web::test]
async fn a_store_is_created_with_the_defaults_of_the_command_line() {
    let world = OperatorWorld::new().await;
    let made = world
        .call(&admin(), "stores/create", json!({ "name": " Café Paris " }))
        .await
        .json();
    let data = &made["data"];
    assert_eq!(
        (&data["name"], &data["prefix"]),
        (&json!("Café Paris"), &json!("CAFEPARI"))
    );
    assert_eq!(
        (&data["currency"], &data["enabled"]),
        (&json!("USD"), &json!(true))
    );
    assert_eq!(data["secretKey"], "plsk_shown-once");
    assert_eq!(data["keyId"], data["keys"][0]["keyId"]);
    let id = data["storeId"].as_str().unwrap();
    let shown = world
        .call(&admin(), "stores/show", json!({ "storeId": id }))
        .await;
    assert!(!shown.body.contains("plsk_"), "{}", shown.body);
}

#[actix_web::test]
async fn absent_settings_remain_unchanged() {
    let world = OperatorWorld::new().await;
    let set = async |body| world.call(&admin(), "stores/set", body).await.json();
    let first = set(json!({ "storeId": STORE, "strictCatalog": true, "currency": "EUR" })).await;
    assert_eq!(first["data"]["strictCatalog"], true);
    let second = set(json!({ "storeId": STORE, "name": "Shop" })).await;
    assert_eq!(second["data"]["strictCatalog"], true);
    assert_eq!(second["data"]["currency"], "EUR");
    assert_eq!(second["data"]["name"], "Shop");
    assert_eq!(world.stored(OTHER_STORE).await.version, 1);
}

#[actix_web::test]
async fn all_problems_are_reported_at_once() {
    let world = OperatorWorld::new().await;
    let body = json!({ "storeId": "x", "name": "a\nb", "currency": "XXY", "strictCatalog": 1, "strict": true });
    let refused = world.call(&admin(), "stores/set", body).await.json();
    assert_eq!(refused["code"], "validation_failed");
    let fields: Vec<_> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["field"])
        .collect();
    assert_eq!(fields, ["storeId", "strictCatalog", "name", "currency"]);
    assert_eq!(refused["warnings"][0]["field"], "strict");
    let missing = world
        .call(&admin(), "stores/keys/revoke", json!({}))
        .await
        .json();
    assert_eq!(missing["errors"].as_array().unwrap().len(), 2);
    let unnamed = world
        .call(&admin(), "stores/create", json!({}))
        .await
        .json();
    assert_eq!(unnamed["errors"][0]["field"], "name");
}

#[actix_web::test]
async fn a_taken_prefix_and_unknown_ids_are_refused() {
    let world = OperatorWorld::new().await;
    let unknown = "0197f3c2-0000-7000-8000-00000000000f";
    for (call, body, refusal) in [
        (
            "stores/create",
            json!({ "name": "A", "prefix": "DEMO" }),
            "409 duplicate_prefix",
        ),
        (
            "stores/show",
            json!({ "storeId": unknown }),
            "404 store_not_found",
        ),
        (
            "stores/keys/rotate",
            json!({ "storeId": unknown }),
            "404 store_not_found",
        ),
        (
            "stores/keys/revoke",
            json!({ "storeId": STORE, "keyId": unknown }),
            "404 key_not_found",
        ),
        (
            "stores/keys/revoke",
            json!({ "storeId": unknown, "keyId": KEY }),
            "404 store_not_found",
        ),
    ] {
        let response = world.call(&admin(), call, body).await;
        assert_eq!(response.refusal(), refusal, "{call}");
    }
}

#[actix_web::test]
async fn stores_are_disabled_and_keys_rotated_and_revoked() {
    let world = OperatorWorld::new().await;
    let call = async |call, body| world.call(&admin(), call, body).await.json();
    let store = || json!({ "storeId": STORE });
    assert_eq!(
        call("stores/disable", store()).await["data"]["enabled"],
        false
    );
    assert_eq!(
        call("stores/enable", store()).await["data"]["enabled"],
        true
    );
    let rotated = call("stores/keys/rotate", store()).await;
    assert_eq!(rotated["data"]["keys"].as_array().unwrap().len(), 2);
    let body = json!({ "storeId": STORE, "keyId": KEY });
    let revoked = call("stores/keys/revoke", body).await;
    let left = &revoked["data"]["keys"];
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(left[0]["keyId"], rotated["data"]["keyId"]);
}
