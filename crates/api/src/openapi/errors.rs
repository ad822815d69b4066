//! The responses of the table of errors, each once in the document.

use std::collections::BTreeMap;

use pressline_http::error::{self, Row};
use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::common::{header, header_references};

const REQUEST_ID_EXAMPLE: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

/// Returns the rows of the errors that an operation responds with, those of each status together.
pub(super) fn errors_of(id: &str) -> impl Iterator<Item = Vec<&'static Row>> {
    let mut by_status: BTreeMap<u16, Vec<&Row>> = BTreeMap::new();
    for row in error::TABLE.iter().filter(|row| row.answers(id)) {
        by_status.entry(row.status.as_u16()).or_default().push(row);
    }
    by_status.into_values()
}

/// Returns the name of the response that these errors share, such as
/// `InvalidJsonOrValidationFailed`.
pub(super) fn response_name(rows: &[&Row]) -> String {
    let names: Vec<String> = rows.iter().map(|row| pascal_case(row.name)).collect();
    names.join("Or")
}

fn pascal_case(name: &str) -> String {
    let capitalised = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_uppercase() + rest
    };
    name.split('_').map(capitalised).collect()
}

/// Returns the response with these errors, which have one status.
pub(super) fn error_response(rows: &[&Row]) -> Response {
    let description: Vec<String> = rows
        .iter()
        .map(|row| format!("`{}`: {}", row.name, row.when))
        .collect();
    let example = |row: &&Row| {
        let example = ExampleBuilder::new().value(Some(example(row)));
        (row.name.to_owned(), RefOr::T(example.build()))
    };
    let plain = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Error")))
        .examples_from_iter(rows.iter().map(example));
    // Its members are those of the other form and four more, which its schema shows.
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
    let mut response = ResponseBuilder::new()
        .description(description.join("\n\n"))
        .content("application/json", plain.build())
        .content("application/problem+json", problem.build())
        .build();
    response.headers.extend(header_references());
    let further = rows.iter().flat_map(|row| row.headers);
    let described = |name: &&str| {
        let header = header("See the error reference.");
        ((*name).to_owned(), RefOr::T(header))
    };
    response.headers.extend(further.map(described));
    response
}

fn example(row: &Row) -> Value {
    let errors = match row.name {
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
            "message": "`TEE-BLACK-M` is in-production and can no longer be changed"
        }]),
        "duplicate_order_id" => json!([{
            "field": "line_items[0].quantity", "code": "differs",
            "message": "differs from the request that created the order"
        }]),
        _ => json!([]),
    };
    let mut body = json!({
        "success": false, "message": row.title, "data": null, "code": row.name, "errors": errors,
        "requestId": REQUEST_ID_EXAMPLE
    });
    if let Some(members) = body.as_object_mut()
        && row.name == "duplicate_order_id"
    {
        let existing = json!({
            "id": "0197f3c2-5b0e-7c3a-9d52-000000000001", "serviceOrderId": "DEMO-1", "orderId": "shop-1-8533"
        });
        members.insert("existing".to_owned(), existing);
    }
    body
}
