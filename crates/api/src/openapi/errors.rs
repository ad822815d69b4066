//! Error responses from the table of errors, each once in the document.

use std::collections::BTreeMap;

use pressline_http::error::{self, Definition};
use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::common::{header, header_references};
use crate::operation::Operation;

const REQUEST_ID_EXAMPLE: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

pub(super) fn errors_of(operation: &Operation) -> impl Iterator<Item = Vec<&'static Definition>> {
    // OpenAPI allows one response for each status.
    let mut by_status: BTreeMap<u16, Vec<&Definition>> = BTreeMap::new();
    for definition in error::TABLE
        .iter()
        .filter(|definition| operation.can_fail_with(definition))
    {
        by_status
            .entry(definition.status.as_u16())
            .or_default()
            .push(definition);
    }
    by_status.into_values()
}

/// Returns a name such as `InvalidJsonOrValidationFailed`.
pub(super) fn response_name(definitions: &[&Definition]) -> String {
    let names: Vec<String> = definitions
        .iter()
        .map(|definition| pascal_case(definition.name))
        .collect();
    names.join("Or")
}

fn pascal_case(name: &str) -> String {
    let capitalised = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_uppercase() + rest
    };
    name.split('_').map(capitalised).collect()
}

/// Documents the response for all `definitions`, which have the same HTTP status.
pub(super) fn error_response(definitions: &[&Definition]) -> Response {
    let description: Vec<String> = definitions
        .iter()
        .map(|definition| format!("`{}`: {}", definition.name, definition.when))
        .collect();
    let example = |definition: &&Definition| {
        let example = ExampleBuilder::new().value(Some(example(definition)));
        (definition.name.to_owned(), RefOr::T(example.build()))
    };
    let plain = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Error")))
        .examples_from_iter(definitions.iter().map(example));
    // Without examples: the schema lists the four members that this form has besides the plain
    // form.
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
    let mut response = ResponseBuilder::new()
        .description(description.join("\n\n"))
        .content("application/json", plain.build())
        .content("application/problem+json", problem.build())
        .build();
    response.headers.extend(header_references());
    let further = definitions.iter().flat_map(|definition| definition.headers);
    let described = |name: &&str| {
        let header = header("See the error reference.");
        ((*name).to_owned(), RefOr::T(header))
    };
    response.headers.extend(further.map(described));
    response
}

fn example(definition: &Definition) -> Value {
    let errors = match definition.name {
        "invalid_json" => json!([{
            "field": "", "code": "invalid_json", "message": "line 2, column 15: unexpected character '}'; expected a value",
            "line": 2, "column": 15
        }]),
        "permission_denied" => json!([{
            "field": "X-Service-Hmac-Sha256", "code": "required", "message": "the header is missing"
        }]),
        "validation_failed" => json!([{
            "field": "line_items[0].quantity", "code": "out_of_range", "message": "0 is not between 1 and 1000"
        }]),
        "unknown_item" => json!([{
            "field": "line_items[0].appItemId", "code": "unknown_item",
            "message": "the order has no such item; use the `id` of an entry of its childDetails"
        }]),
        "order_not_editable" => json!([{
            "field": "childDetails[0]", "code": "not_editable",
            "message": "`TEE-UNISEX-BLACK-M` is in-production and can no longer be changed"
        }]),
        "duplicate_order_id" => json!([{
            "field": "line_items[0].quantity", "code": "differs",
            "message": "differs from the request that created the order"
        }]),
        _ => json!([]),
    };
    let mut body = json!({
        "success": false, "message": definition.title, "data": null, "code": definition.name, "errors": errors,
        "requestId": REQUEST_ID_EXAMPLE
    });
    let order = |number, order_id| {
        let id = format!("018ff5f6-f249-7c3a-9d52-00000000000{number}");
        json!({ "id": id, "serviceOrderId": format!("DEMO-{number}"), "orderId": order_id })
    };
    let member = match definition.name {
        "duplicate_order_id" => Some(("existing", order(1, "shop-1-8533"))),
        // The name DEMO-3.
        "ambiguous_order_id" => Some((
            "candidates",
            json!([order(1, "DEMO-3"), order(3, "shop-1-8535")]),
        )),
        _ => None,
    };
    if let (Some(members), Some((name, value))) = (body.as_object_mut(), member) {
        members.insert(name.to_owned(), value);
    }
    body
}
