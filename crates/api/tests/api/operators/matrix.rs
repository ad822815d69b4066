//! Every role with every operation of the OpenAPI document.

use pressline_api::operator_openapi_json;
use pressline_backoffice::operator::{OperatorRole, RIGHTS};
use serde_json::{Value, json};

use super::world::{OTHER_STORE, OperatorWorld, token};
use super::{imports, parcels, production};
use crate::common::{KEY, OTHER_WEBHOOK, STORE, WEBHOOK, delivery_of};

/// Path of each operation below `/admin/v1/`, and its least role.
pub(crate) fn operations() -> Vec<(String, OperatorRole)> {
    let document: Value = serde_json::from_str(&operator_openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().filter_map(|(path, item)| {
        let operation = item.get("post")?;
        let call = path.strip_prefix("/admin/v1/").unwrap();
        let least = operation["security"][0]["token"][0].as_str().unwrap();
        Some((call.to_owned(), OperatorRole::from_name(least).unwrap()))
    });
    operations.collect()
}

/// First item of the first order of each store.
const ITEM: &str = "018ff5f6-f249-7c3a-9d52-000000000002";

/// A valid body of `call` for a store.
pub(crate) fn good_body(call: &str, store: &str) -> Value {
    // Each store has orders with these numbers. A change of order 3 is pending.
    let prefix = if store == STORE { "DEMO" } else { "OTHER" };
    let (order_id, pending) = (format!("{prefix}-1"), format!("{prefix}-3"));
    match call {
        "orders/get" | "orders/history" => json!({ "order_id": order_id }),
        "orders/move" => json!({
            "command": "hold", "reason": "Later.", "orders": [{ "order_id": order_id }]
        }),
        "queue/search" | "queue/counts" | "orders/search" | "reports/orders" => {
            json!({ "stores": [store] })
        }
        "orders/decide" => json!({
            "order_id": pending, "decision": "approve", "keepFees": true
        }),
        "orders/update" => json!({
            "order_id": order_id, "reason": "By phone.", "production_note": "Careful."
        }),
        "orders/notes" => json!({ "order_id": order_id, "text": "Careful." }),
        "orders/replace" => json!({
            "order_id": order_id, "version": 1, "reason": "Damaged.",
            "line_items": [{ "appItemId": ITEM, "quantity": 1 }]
        }),
        "orders/fee-lines" => json!({
            "order_id": order_id, "type": "other", "amount": 2.5, "reason": "Gift box."
        }),
        call if call.ends_with("/import") => imports::good_body(call, store),
        call if call.starts_with("shipments/") => parcels::good_body(call, store),
        call if is_production(call) => production::good_body(call, store),
        "stores/list" => json!({}),
        "stores/create" => json!({ "name": "Another" }),
        "stores/set" => json!({ "storeId": store, "strictCatalog": true }),
        "stores/keys/revoke" => json!({ "storeId": store, "keyId": KEY }),
        "stores/show" | "stores/enable" | "stores/disable" | "stores/keys/rotate" => {
            json!({ "storeId": store })
        }
        call if call.starts_with("webhooks/") => webhook_body(call, store),
        other => panic!("the operation {other} has no case; add one"),
    }
}

fn webhook_body(call: &str, store: &str) -> Value {
    let webhook = if store == STORE {
        WEBHOOK
    } else {
        OTHER_WEBHOOK
    };
    match call {
        "webhooks/create" => json!({ "storeId": store, "url": "https://hooks.shop.example/p" }),
        "webhooks/enable" => json!({ "storeId": store, "webhookId": webhook, "from": "now" }),
        "webhooks/deliveries/resend" => {
            json!({ "storeId": store, "deliveryId": delivery_of(webhook) })
        }
        "webhooks/deliveries/recover" => {
            json!({ "storeId": store, "webhookId": webhook, "afterSequence": 0 })
        }
        _ => json!({ "storeId": store, "webhookId": webhook }),
    }
}

/// Creates the data that `call` operates on.
pub(crate) async fn world_of(call: &str) -> OperatorWorld {
    let world = OperatorWorld::new().await;
    if call.starts_with("shipments/") {
        world.send_parcels().await;
    }
    if is_production(call) {
        world.send_parcels().await;
        world.begin_production(call).await;
    }
    if call.starts_with("webhooks/") {
        world.shop.add_webhooks().await;
    }
    world
}

fn is_production(call: &str) -> bool {
    call.starts_with("production/") || call.starts_with("batches/")
}

#[test]
fn the_document_and_the_table_of_rights_list_the_same_operations() {
    let mut documented = operations();
    let mut listed: Vec<_> = RIGHTS
        .iter()
        .map(|right| (right.call.to_owned(), right.least_role))
        .collect();
    documented.sort();
    listed.sort();
    assert_eq!(documented, listed);
}

/// Expected rights, written out so that an error in the product's role rule is found.
fn is_open_to(least: OperatorRole, role: OperatorRole) -> bool {
    use OperatorRole::{Admin, Carrier, Operator, Viewer};
    let open_to: &[OperatorRole] = match least {
        Viewer => &[Viewer, Operator, Admin],
        Carrier => &[Carrier, Operator, Admin],
        Operator => &[Operator, Admin],
        Admin => &[Admin],
    };
    open_to.contains(&role)
}

#[actix_web::test]
async fn every_role_has_exactly_the_documented_rights() {
    for (call, least) in operations() {
        for role in OperatorRole::ALL {
            let world = world_of(&call).await;
            let body = good_body(&call, STORE);
            let response = world.call(&token(role, false), &call, body).await;
            if is_open_to(least, role) {
                assert_eq!(response.status, 200, "{call} {role:?}: {}", response.body);
                continue;
            }
            let refused = (response.status.as_u16(), response.code());
            assert_eq!(refused, (403, "forbidden".to_owned()), "{call} {role:?}");
            let stored = world.stored(STORE).await;
            assert_eq!(stored.version, 1, "{call} {role:?} changed the store");
        }
    }
}

#[actix_web::test]
async fn a_token_for_one_store_never_reaches_another() {
    for (call, _) in operations() {
        let world = world_of(&call).await;
        let bound = token(OperatorRole::Admin, true);
        let body = good_body(&call, OTHER_STORE);
        let response = world.call(&bound, &call, body).await;
        match call.as_str() {
            // The response is an empty list.
            "stores/list" | "queue/search" | "queue/counts" | "orders/search"
            | "batches/search" | "reports/orders" => {
                assert_eq!(response.status, 200);
            }
            "shipments/find" => assert_eq!(response.json()["data"], json!([])),
            "shipments/export" => assert_eq!(response.json()["data"]["parcels"], 0),
            "stores/create" | "catalog/import" => assert_eq!(response.code(), "forbidden"),
            // An order of another store counts as not found.
            "shipments/import" => {
                let data = &response.json()["data"];
                assert_eq!(data["problems"][0]["code"], "order_not_found");
            }
            "orders/import" => assert_eq!(response.code(), "store_not_found"),
            "batches/create" => assert_eq!(response.code(), "unknown_item"),
            "orders/move" => {
                let refused = &response.json()["data"][0];
                assert_eq!(refused["error"]["code"], "order_not_found");
            }
            _ => {
                let (subject, _) = call.split_once('/').unwrap();
                let code = match subject {
                    "stores" | "webhooks" => "store_not_found",
                    "shipments" if call != "shipments/create" => "shipment_not_found",
                    "batches" => "batch_not_found",
                    _ => "order_not_found",
                };
                let refused = (response.status.as_u16(), response.code());
                assert_eq!(refused, (404, code.to_owned()), "{call}");
            }
        }
        // The response contains nothing of the other store but the ids that were sent.
        let sent = [OTHER_STORE, "OTHER-1", "OTHER-3", "OTHER-20"];
        let shown = sent
            .iter()
            .fold(response.body, |body, id| body.replace(id, ""));
        assert!(!shown.contains("OTHER"), "{call}: {shown}");
        assert_eq!(world.stored(OTHER_STORE).await.version, 1, "{call}");
        // The operator has access to its own store.
        if !["stores/create", "catalog/import"].contains(&call.as_str()) {
            let own = world.call(&bound, &call, good_body(&call, STORE)).await;
            assert_eq!(own.status, 200, "{call}: {}", own.body);
        }
    }
}
