//! Sends the examples of the OpenAPI document and compares the responses.

use pressline_api::operator_openapi_json;
use serde_json::Value;

use super::matrix::world_of;
use super::world::{admin, with_token};

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
