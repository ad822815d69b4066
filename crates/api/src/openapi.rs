//! The OpenAPI document: the operations as their files describe them, with the errors of the table.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::OpenApi as _;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation as Described, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, Header, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder,
};

use crate::operations::{Access, Operation, TABLE};
use crate::order::{request, response};
use pressline_http::error::Row;
use pressline_http::headers::{SIGNATURE, STORE_ID, TIMESTAMP};
use pressline_http::problem::{ErrorBody, Problem};
use pressline_http::{error, health};

const REQUEST_ID_EXAMPLE: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

const DESCRIPTION: &str = "\
Prices, places, changes and finds orders of printed goods, and shows what can be ordered. Every operation is a POST with a JSON object, made for one store and \
signed with that store's secret key.

**Signature.** `X-Service-Hmac-Sha256` is the HMAC-SHA256 of the request body under the secret key, in padded standard \
base64. Sign exactly the bytes that are sent. Optionally send `X-Service-Timestamp` (unix seconds) too: then the signed \
text is `<timestamp>.<path>.<body>`, and the call is only good for 300 seconds.

**Errors** have one shape with a `code` for programs. With `Accept: application/problem+json` they follow RFC 9457 and \
carry the same members.

**Fields** that the service does not know are ignored and named in `warnings`. Answers may gain fields; ignore those \
that you do not know.";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Pressline", version = "1", description = DESCRIPTION, license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    paths(health::live, health::ready),
    components(schemas(
        ErrorBody<'_>,
        Problem<'_>,
        request::AddressBody,
        request::CustomerBody,
        request::LineItemBody,
        request::LineItemChangeBody,
        response::OrderBody<'_>
    )),
    tags((name = "orders", description = "Orders of a store"), (name = "products", description = "What can be ordered"), (name = "health", description = "For operators"))
)]
struct Document;

/// The document that describes every operation.
#[must_use]
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    for operation in &TABLE {
        document.merge(described(operation));
    }
    let components = document.components.get_or_insert_default();
    for (name, header, description) in [
        (STORE, STORE_ID, "The store id."),
        (
            SIGNED,
            SIGNATURE,
            "HMAC-SHA256 of the body under the store's secret key, in padded standard base64.",
        ),
    ] {
        let key = ApiKeyValue::with_description(header, description);
        components.add_security_scheme(name, SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
    document
}

/// The document as it is served and kept, with a line break at its end.
#[must_use]
pub fn openapi_json() -> String {
    let text = openapi().to_pretty_json().unwrap_or_default();
    text + "\n"
}

/// An example that is written as text, so that its members keep their order where people read it.
pub(crate) fn parsed(example: &str) -> Value {
    serde_json::from_str(example).unwrap_or_default()
}

const STORE: &str = "store";
const SIGNED: &str = "signature";

/// Returns the document of one operation: as its file describes it, with what all have in common,
/// at each of its paths.
fn described(operation: &Operation) -> OpenApi {
    let mut document = (operation.document)();
    let Some(item) = document.paths.paths.get_mut(operation.path) else {
        return document;
    };
    let methods = [&mut item.get, &mut item.post];
    methods
        .into_iter()
        .flatten()
        .for_each(|described| complete(operation, described));
    let item = item.clone();
    for (path, id) in operation.aliases {
        let alias = at_other_path(item.clone(), id);
        document.paths.paths.insert((*path).to_owned(), alias);
    }
    document
}

/// Returns the same operation for another path, with an id of its own.
fn at_other_path(mut item: PathItem, id: &str) -> PathItem {
    let methods = [&mut item.get, &mut item.post];
    for described in methods.into_iter().flatten() {
        described.operation_id = Some(id.to_owned());
    }
    item
}

/// Adds what all signed operations have in common.
fn complete(of: &Operation, operation: &mut Described) {
    let both = SecurityRequirement::new::<_, _, String>(STORE, []).add::<_, _, String>(SIGNED, []);
    let mut security = vec![both];
    if of.access == Access::SignedOrOpen {
        security.push(SecurityRequirement::new::<_, _, String>(STORE, []));
    }
    operation.security = Some(security);
    let text = || ObjectBuilder::new().schema_type(Type::String).build();
    let timestamp = ParameterBuilder::new()
        .name(TIMESTAMP)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Unix seconds. Where it is sent, the signed text is `<timestamp>.<path>.<body>`.",
        ))
        .schema(Some(text()));
    let request_id = ParameterBuilder::new()
        .name("X-Request-Id")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Names the call in logs and answers: 1 to 128 of `A-Za-z0-9._-`.",
        ))
        .schema(Some(text()));
    operation
        .parameters
        .get_or_insert_default()
        .extend([RefOr::T(timestamp.build()), RefOr::T(request_id.build())]);
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response
                .headers
                .extend(common_headers().map(|(name, header)| (name.to_owned(), RefOr::T(header))));
        }
    }
    let mut by_status: BTreeMap<u16, Vec<&Row>> = BTreeMap::new();
    for row in error::TABLE.iter().filter(|row| row.answers(of.id)) {
        by_status.entry(row.status.as_u16()).or_default().push(row);
    }
    for (status, rows) in by_status {
        operation
            .responses
            .responses
            .insert(status.to_string(), RefOr::T(error_response(&rows)));
    }
}

fn error_response(rows: &[&Row]) -> Response {
    let description: Vec<String> = rows
        .iter()
        .map(|row| format!("`{}`: {}", row.name, row.when))
        .collect();
    let examples = |problem: bool| -> Vec<(String, RefOr<Example>)> {
        let example = |row: &&Row| {
            let example = ExampleBuilder::new()
                .summary(row.title)
                .value(Some(example(row, problem)));
            (row.name.to_owned(), RefOr::T(example.build()))
        };
        rows.iter().map(example).collect()
    };
    let plain = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Error")))
        .examples_from_iter(examples(false));
    let problem = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .examples_from_iter(examples(true));
    let mut response = ResponseBuilder::new()
        .description(description.join("\n\n"))
        .content("application/json", plain.build())
        .content("application/problem+json", problem.build());
    for (name, header) in common_headers() {
        response = response.header(name, header);
    }
    for name in rows.iter().flat_map(|row| row.headers) {
        response = response.header(*name, header("See the error reference."));
    }
    response.build()
}

fn example(row: &Row, problem: bool) -> Value {
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
    if let Some(members) = body.as_object_mut() {
        if row.name == "duplicate_order_id" {
            let existing = json!({
                "id": "0197f3c2-5b0e-7c3a-9d52-000000000001", "serviceOrderId": "DEMO-1", "orderId": "shop-1-8533"
            });
            members.insert("existing".to_owned(), existing);
        }
        if problem {
            members.insert("type".to_owned(), json!(row.kind()));
            members.insert("title".to_owned(), json!(row.title));
            members.insert("status".to_owned(), json!(row.status.as_u16()));
            members.insert("detail".to_owned(), json!(row.title));
        }
    }
    body
}

fn common_headers() -> impl Iterator<Item = (&'static str, Header)> {
    [
        ("X-Request-Id", "Names the call: your own id where you sent one."),
        ("RateLimit-Policy", "The store's quota: `q` requests in `w` seconds. Only behind a good signature."),
        (
            "RateLimit",
            "What is left of it: `r` requests; all `q` again in `t` seconds. Only behind a good signature.",
        ),
    ]
    .into_iter()
    .map(|(name, description)| (name, header(description)))
}

fn header(description: &str) -> Header {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    HeaderBuilder::new()
        .schema(Some(text))
        .description(Some(description))
        .build()
}
