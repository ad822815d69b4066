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
    let ids = [0, 1].map(|place| created[place]["id"].clone());
    for (first, second, names) in [
        (
            json!({ "sku": "MUG-11OZ-WHITE" }),
            json!({ "sku": "TEE-UNISEX-BLACK-M" }),
            ["Tee", "Unisex T-shirt, black, M"],
        ),
        // A cleared name is taken from the catalog again; a sent name is the store's.
        (
            json!({ "name": "" }),
            json!({ "name": "Ours" }),
            ["Ceramic mug, 11 oz, white", "Ours"],
        ),
        (
            json!({ "sku": "TEE-UNISEX-BLACK-M" }),
            json!({ "sku": "MUG-11OZ-WHITE" }),
            ["Unisex T-shirt, black, M", "Ours"],
        ),
    ] {
        let mut items = [first, second];
        for (item, stored) in items.iter_mut().zip(&ids) {
            item["appItemId"] = stored.clone();
        }
        request["line_items"] = json!(items);
        let updated = world.post(UPDATE, &request).await.json();
        let items = &updated["data"]["childDetails"];
        assert_eq!([&items[0]["name"], &items[1]["name"]], names, "{request}");
    }
}
