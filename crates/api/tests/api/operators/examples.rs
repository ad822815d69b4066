//! Sends the examples of the OpenAPI document and compares the responses.

use pressline_api::operator_openapi_json;
use serde_json::{Value, json};

use super::matrix::world_of;
use super::world::{OperatorWorld, admin, with_token};
use crate::common::DocumentSchemas;

#[actix_web::test]
async fn the_examples_are_accepted_and_get_the_documented_responses() {
    let document: Value = serde_json::from_str(&operator_openapi_json()).unwrap();
    let value = |reference: &Value| {
        let pointer = reference["$ref"].as_str().unwrap().trim_start_matches('#');
        document.pointer(pointer).unwrap()["value"].clone()
    };
    let mut differing = String::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(operation) = item.get("post") else {
            continue;
        };
        let requests = &operation["requestBody"]["content"]["application/json"]["examples"];
        let responses = &operation["responses"]["200"]["content"]["application/json"]["examples"];
        for (title, request) in requests.as_object().unwrap() {
            let world = world_of(path.strip_prefix("/admin/v1/").unwrap()).await;
            let response = world.send(with_token(&admin(), path, value(request))).await;
            assert_eq!(response.status, 200, "{path}: {}", response.body);
            let shown = serde_json::to_string_pretty(&response.json()).unwrap();
            let documented = serde_json::to_string_pretty(&value(&responses[title])).unwrap();
            if shown != documented {
                differing.push_str(&format!("{path}: {title}: the response is\n{shown}\n"));
            }
        }
    }
    assert!(differing.is_empty(), "{differing}");
}

#[actix_web::test]
async fn schemas_refuse_what_the_service_refuses() {
    let world = OperatorWorld::new().await;
    let mut schemas = DocumentSchemas::of_operators();
    let items = |code: &str| json!({ "items": [code] });
    let fee = |amount: f64| json!({ "order_id": "DEMO-1", "type": "other", "amount": amount, "reason": "Gift box." });
    let export = |batch: &str, sku: &str| {
        let [batch, sku] = [batch, sku].map(|text| (!text.is_empty()).then_some(text));
        json!({ "batch": batch, "sku": sku })
    };
    for (call, schema, right, wrong) in [
        (
            "batches/create",
            "CreateBatch",
            items("DEMO-20-1"),
            items("DEMO-020-1"),
        ),
        (
            "batches/create",
            "CreateBatch",
            items("DEMO-20-1"),
            items("DEMO-20-01"),
        ),
        ("orders/fee-lines", "AddFeeLine", fee(2.5), fee(3.2e205)),
        (
            "shipments/export",
            "ExportShipments",
            export("", "MUG"),
            export("BATCH-1", "MUG"),
        ),
        (
            "shipments/export",
            "ExportShipments",
            export("batch-1", ""),
            export("BATCH-01", ""),
        ),
    ] {
        for (body, is_right) in [(right, true), (wrong, false)] {
            let response = world.call(&admin(), call, body.clone()).await;
            let is_accepted = !response.body.contains("validation_failed");
            assert_eq!(is_accepted, is_right, "{body}: {}", response.body);
            assert_eq!(schemas.problem(schema, &body).is_none(), is_right, "{body}");
        }
    }
}
