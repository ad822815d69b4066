//! Coverage by enumeration: all operations of the OpenAPI document are served, and each has test
//! cases.

use serde_json::{Value, json};

use crate::common::*;

fn operations() -> Vec<(String, String, Value)> {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().filter_map(|(path, item)| {
        let operation = item.get("post")?;
        Some((
            operation["operationId"].as_str().unwrap().to_owned(),
            path.clone(),
            operation.clone(),
        ))
    });
    operations.collect()
}

/// A valid body of `operation` after the order `A-1` was created.
fn good_body(operation: &str, created: &Response) -> Value {
    match operation {
        "createOrder" => order("A-2"),
        "createOrderLabel" => label("L-1"),
        "updateOrder" => update("A-1", created, 4),
        "updateOrderLabel" => json!({
            "order_id": "L-2", "shipping_address_label": "https://cdn.example/other.pdf"
        }),
        "estimateOrder" => order("A-2"),
        "getOrder" | "getOrderHistory" | "holdOrder" | "cancelOrder" => {
            json!({ "order_id": "A-1" })
        }
        // No item is on hold and no change is pending, so these calls change nothing.
        "releaseOrder" | "withdrawOrderChange" => json!({ "order_id": "A-1" }),
        "processOrderNow" => json!({ "order_id": "A-3" }),
        "answerOrder" => json!({ "order_id": "A-4", "text": "The blue one." }),
        "searchEvents" => json!({ "order_id": "A-1" }),
        "advanceSandboxClock" => json!({ "advanceSeconds": 60 }),
        "moveSandboxOrder" => json!({ "order_id": "A-3", "to": "fulfilled" }),
        "searchProducts" => json!({ "searchKey": "tee" }),
        "createWebhook" => json!({ "url": "https://hooks.shop.example/p" }),
        "enableWebhook" => json!({ "webhookId": WEBHOOK, "from": "now" }),
        "listWebhooks"
        | "updateWebhook"
        | "disableWebhook"
        | "deleteWebhook"
        | "rotateWebhookSecret"
        | "testWebhook"
        | "searchDeliveries" => {
            json!({ "webhookId": WEBHOOK })
        }
        "resendDelivery" => json!({ "deliveryId": delivery_of(WEBHOOK) }),
        "recoverDeliveries" => json!({ "webhookId": WEBHOOK, "afterSequence": 0 }),
        "arrangeSandboxWebhook" => json!({ "webhookId": WEBHOOK, "action": "drop" }),
        "searchOrders" | "searchOrdersAtOtherPath" => json!({ "searchKey": "ana" }),
        other => panic!("the operation {other} has no case; add one"),
    }
}

#[actix_web::test]
async fn every_operation_has_its_signed_unsigned_and_bad_cases() {
    let operations = operations();
    assert_eq!(operations.len(), 31);
    for (name, path, _) in operations {
        let world = match path.starts_with("/app/v1/sandbox/") {
            true => World::of_test_store().await,
            false => World::new().await,
        };
        let created = world.post(CREATE, order("A-1")).await;
        for order_id in ["A-3", "A-4"] {
            let mut single = order(order_id);
            single["line_items"].as_array_mut().unwrap().truncate(1);
            world.post(CREATE, single).await;
        }
        world.post(LABEL, label("L-2")).await;
        world.make_ready("A-4").await;
        world.need("A-4").await;
        world.add_webhooks().await;
        let good = good_body(&name, &created);
        let refused = world.send(unsigned(&path, &good)).await;
        assert_eq!(refused.refusal(), "401 permission_denied", "{name}");
        let bad = world.post(&path, "{\"order_id\":").await;
        assert_eq!(bad.refusal(), "400 invalid_json", "{name}");
        let wrong = json!({ "order_id": [], "searchKey": {}, "customer": 1 });
        let wrong = world.post(&path, wrong).await;
        // List operations have only optional fields and ignore unknown fields.
        if name != "listWebhooks" {
            assert_eq!(wrong.refusal(), "400 validation_failed", "{name}");
        }
        let accepted = world.post(&path, &good).await;
        assert_eq!(accepted.status, 200, "{name}: {}", accepted.body);
        assert_eq!(accepted.json()["success"], true, "{name}");
        for method in ["GET", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"] {
            let response = world
                .send(signed(&path, "").method(method.parse().unwrap()))
                .await;
            assert_eq!(
                (response.status.as_u16(), response.header("allow")),
                (405, Some("POST")),
                "{method} {path}"
            );
        }
        assert_eq!(
            world.post(&format!("{path}/"), &good).await.code(),
            "not_found",
            "{name}"
        );
    }
}

fn resolved<'d>(document: &'d Value, reference: &Value) -> &'d Value {
    let pointer = reference["$ref"].as_str().unwrap().trim_start_matches('#');
    document.pointer(pointer).unwrap()
}

#[actix_web::test]
async fn the_examples_are_accepted_and_get_the_documented_responses() {
    let mut sent = 0;
    let document = document();
    let by_name: std::collections::BTreeMap<String, (String, Value)> = operations()
        .into_iter()
        .map(|(name, path, operation)| (name, (path, operation)))
        .collect();
    // The examples build on each other: an order is created, changed, and found.
    let world = World::new().await;
    world.add_webhooks().await;
    let mut differing = String::new();
    for name in [
        "searchProducts",
        "createOrder",
        "createOrderLabel",
        "updateOrder",
        "updateOrderLabel",
        "searchOrders",
        "searchOrdersAtOtherPath",
        "getOrder",
        "getOrderHistory",
        "holdOrder",
        "releaseOrder",
        "processOrderNow",
        "withdrawOrderChange",
        "searchEvents",
        "createWebhook",
        "listWebhooks",
        "updateWebhook",
        "testWebhook",
        "disableWebhook",
        "enableWebhook",
        "rotateWebhookSecret",
        "searchDeliveries",
        "resendDelivery",
        "recoverDeliveries",
        "deleteWebhook",
        // Last, because these operations use ids that no example shows.
        "estimateOrder",
    ] {
        let (path, operation) = &by_name[name];
        let examples = &operation["requestBody"]["content"]["application/json"]["examples"];
        let responses = &operation["responses"]["200"]["content"]["application/json"]["examples"];
        for (title, example) in examples.as_object().unwrap() {
            let example = resolved(&document, example);
            let response = world.post(path, &example["value"]).await;
            assert_eq!(response.status, 200, "{name}: {title}: {}", response.body);
            if let Some(documented) = responses.get(title) {
                let shown = serde_json::to_string_pretty(&response.json()).unwrap();
                let documented = &resolved(&document, documented)["value"];
                let documented = serde_json::to_string_pretty(documented).unwrap();
                if shown != documented {
                    differing.push_str(&format!("{path}: {title}: the response is\n{shown}\n"));
                }
                sent += 1;
            }
        }
    }
    assert!(differing.is_empty(), "{differing}");
    assert_eq!(by_name.len(), 31);
    assert!(sent >= 7, "each operation shows a response");
}

#[actix_web::test]
async fn required_fields_are_required_in_the_document() {
    let schemas = document()["components"]["schemas"].clone();
    for (schema, required) in [
        (
            "CreateOrder",
            json!(["order_id", "shipping_address", "customer", "line_items"]),
        ),
        (
            "CreateOrderLabel",
            json!([
                "order_id",
                "shipping_address_label",
                "customer",
                "line_items"
            ]),
        ),
        ("EstimateOrder", json!(["line_items"])),
        ("SearchProducts", Value::Null),
        ("UpdateOrder", json!(["order_id", "customer", "line_items"])),
        ("LineItem", json!(["sku", "quantity"])),
        ("SearchOrders", Value::Null),
        ("Address", Value::Null),
    ] {
        assert_eq!(schemas[schema]["required"], required, "{schema}");
    }
}
