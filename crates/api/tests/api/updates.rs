//! Updates from a client's point of view: effects of a change, and updates that change nothing.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant};
use serde_json::{Value, json};

use crate::common::*;

/// An update that repeats all stored values of the order.
fn echo(created: &Response) -> Value {
    let mut request = order("A-1");
    let data = created.json()["data"].clone();
    for (item, stored) in request["line_items"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .zip(data["childDetails"].as_array().unwrap())
    {
        item["appItemId"] = stored["id"].clone();
        item["name"] = stored["name"].clone();
    }
    request
}

/// The order without `itemStatuses` and `status`, absent in responses to a creation.
fn without_statuses(response: &Response) -> Value {
    let mut order = response.json()["data"].clone();
    order["itemStatuses"] = Value::Null;
    for item in order["childDetails"].as_array_mut().unwrap() {
        item["status"] = Value::Null;
    }
    order
}

#[actix_web::test]
async fn an_update_without_changes_keeps_version_times_and_prices() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    world.clock.advance(60_000);
    let dearer: Vec<Variant> = Shop::default()
        .variants
        .into_iter()
        .map(|variant| {
            variant
                .changed(|variant| variant.price = Some(usd("99")))
                .unwrap()
        })
        .collect();
    world
        .catalog
        .import(&dearer, &ImportOptions::default())
        .await
        .unwrap();
    let mut versioned = echo(&created);
    versioned["version"] = 1.into();
    for request in [update("A-1", &created, 2), echo(&created), versioned] {
        let updated = world.post(UPDATE, request).await;
        assert_eq!(updated.status, 200, "{}", updated.body);
        assert_eq!(without_statuses(&updated), without_statuses(&created));
        assert_eq!(
            (
                updated.json()["message"].as_str(),
                updated.json().get("warnings")
            ),
            (Some("OK"), None)
        );
    }
    assert_eq!(
        world.post(SEARCH, "{}").await.json()["data"][0]["version"],
        1
    );
    // A stale `version` is refused even if the update would change nothing.
    let changed = world.post(UPDATE, update("A-1", &created, 3)).await.json();
    assert_eq!(
        (
            &changed["data"]["version"],
            &changed["data"]["childDetails"][0]["sellerCost"]
        ),
        (&json!(2), &json!(99))
    );
    let mut stale = update("A-1", &created, 3);
    stale["version"] = 1.into();
    assert_eq!(world.post(UPDATE, stale).await.code(), "version_conflict");
}

#[actix_web::test]
async fn catalog_names_follow_the_sku_and_store_names_remain() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await.json()["data"]["childDetails"].clone();
    // The first name comes from the store, the second from the catalog.
    assert_eq!(
        (&created[0]["name"], &created[1]["name"]),
        (&json!("Tee"), &json!("Ceramic mug, 11 oz, white"))
    );
    let mut request = order("A-1");
    request["line_items"] = json!([
        { "appItemId": created[0]["id"], "sku": "MUG-11OZ-WHITE" },
        { "appItemId": created[1]["id"], "sku": "TEE-UNISEX-BLACK-M" }
    ]);
    let names = |response: &Response| {
        let items = response.json()["data"]["childDetails"].clone();
        (items[0]["name"].clone(), items[1]["name"].clone())
    };
    let updated = world.post(UPDATE, &request).await;
    assert_eq!(
        names(&updated),
        (json!("Tee"), json!("Unisex T-shirt, black, M"))
    );
    // A cleared name is taken from the catalog again; a sent name is the store's.
    request["line_items"] = json!([
        { "appItemId": created[0]["id"], "name": "" },
        { "appItemId": created[1]["id"], "name": "Ours" }
    ]);
    assert_eq!(
        names(&world.post(UPDATE, &request).await),
        (json!("Ceramic mug, 11 oz, white"), json!("Ours"))
    );
    request["line_items"] = json!([
        { "appItemId": created[0]["id"], "sku": "TEE-UNISEX-BLACK-M" },
        { "appItemId": created[1]["id"], "sku": "MUG-11OZ-WHITE" }
    ]);
    assert_eq!(
        names(&world.post(UPDATE, &request).await),
        (json!("Unisex T-shirt, black, M"), json!("Ours"))
    );
}
