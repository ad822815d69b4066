//! Warnings about items that the catalog does not offer, as clients read them.

use pressline_domain::store::{Store, StoreSettings};
use serde_json::{Value, json};

use crate::common::*;

async fn strict() -> World {
    let settings = StoreSettings {
        strict_catalog: true,
        ..StoreSettings::default()
    };
    World::from_shop(Shop {
        store: Store {
            settings,
            ..store()
        },
        ..Shop::default()
    })
    .await
}

fn with_items(mut request: Value, items: Value) -> Value {
    request["line_items"] = items;
    request
}

fn messages(response: &Response, list: &str) -> Vec<String> {
    let list = response.json()[list]
        .as_array()
        .cloned()
        .unwrap_or_default();
    list.iter()
        .map(|issue| format!("{}: {}", issue["field"], issue["message"]).replace('"', ""))
        .collect()
}

fn misspelled() -> Value {
    json!([
        { "sku": "MUG-11OZ-WHITE", "quantity": 1, "shipClass": "Standrd" },
        { "sku": "MUG-12OZ-WHITE", "quantity": 1 },
        { "sku": "MUG-11OZ-WHITE", "quantity": 1, "shipClass": "Standardd" }
    ])
}

#[actix_web::test]
async fn errors_of_a_strict_store_name_the_problem_in_item_order() {
    let refused = strict()
        .await
        .post(CREATE, with_items(order("A-1"), misspelled()))
        .await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        messages(&refused, "errors"),
        [
            "line_items[0].shipClass: `Standrd` is not a known ship class; did you mean `Standard`?",
            "line_items[1].sku: `MUG-12OZ-WHITE` is not in the catalog; did you mean `MUG-11OZ-WHITE`?",
            "line_items[2].shipClass: `Standardd` is not a known ship class; did you mean `Standard`?",
        ]
    );
}

#[actix_web::test]
async fn warnings_name_the_fallback() {
    let world = World::new().await;
    let accepted = world
        .post(CREATE, with_items(order("A-1"), misspelled()))
        .await;
    assert_eq!(
        messages(&accepted, "warnings"),
        [
            "line_items[0].shipClass: `Standrd` is not a known ship class; priced as `Standard`; \
             did you mean `Standard`?",
            "line_items[1].sku: `MUG-12OZ-WHITE` is not in the catalog; its cost is unknown; did you mean `MUG-11OZ-WHITE`?",
            "line_items[2].shipClass: `Standardd` is not a known ship class; priced as `Standard`; \
             did you mean `Standard`?",
            "totalCost: productCost not known, so totalCost is not the whole price",
        ]
    );
}

#[actix_web::test]
async fn warnings_of_label_orders_mention_no_ship_class_prices() {
    let world = World::new().await;
    let accepted = world
        .post(LABEL, with_items(label("L-1"), misspelled()))
        .await;
    assert_eq!(
        messages(&accepted, "warnings"),
        [
            "line_items[0].shipClass: `Standrd` is not a known ship class; did you mean `Standard`?",
            "line_items[1].sku: `MUG-12OZ-WHITE` is not in the catalog; its cost is unknown; did you mean `MUG-11OZ-WHITE`?",
            "line_items[2].shipClass: `Standardd` is not a known ship class; did you mean `Standard`?",
        ]
    );
}

#[actix_web::test]
async fn capped_item_warnings_do_not_hide_order_warnings() {
    let world = World::new().await;
    let item = json!({ "sku": "NO-SUCH", "quantity": 1, "shipClass": "Teleport" });
    let mut request = with_items(order("A-1"), vec![item; 100].into());
    request["response_type"] = "full".into();
    let response = world.post(CREATE, request).await;
    let listed = response.listed("warnings");
    assert_eq!(listed.len(), 101);
    for (field, code) in [
        ("response_type", "unsupported_value"),
        ("totalCost", "total_incomplete"),
    ] {
        assert!(
            listed.contains(&(field.to_owned(), code.to_owned())),
            "{code}: {}",
            response.body
        );
    }
    // 100 warnings are listed: 98 of 200 about items, and the two about the order.
    assert_eq!(messages(&response, "warnings")[100], ": and 102 more");
}
