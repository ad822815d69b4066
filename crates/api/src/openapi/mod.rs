//! The OpenAPI documents for stores and for operators, generated from the descriptions of the
//! operations and the table of errors.

mod common;
mod description;
mod errors;
mod examples;
mod labels;
mod layout;
mod operators;
mod requests;
mod rules;
mod values;

use pressline_domain::store::SignatureForm;
use pressline_http::error::{Code, Definition};
use pressline_http::headers::{SIGNATURE, STORE_ID};
use pressline_http::health;
use pressline_http::problem::{ErrorBody, Problem};
use utoipa::OpenApi as _;
use utoipa::openapi::path::{Operation as Described, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use crate::operation::{Access, Operation};
use crate::operations::TABLE;
use crate::order::{request, response};

use common::{
    common_headers, fault_parameter, header_references, request_id_parameter, timestamp_parameter,
};
use description::document_of;
use errors::{error_response, errors_of, response_name};
use examples::{examples, show_examples};
pub use operators::operator_openapi;

const DESCRIPTION: &str = "\
Creates, prices, changes and finds orders of printed goods, and lists the products. Every operation is a POST with a \
JSON object, sent for one store and signed with its secret key.

**Signature.** `X-Service-Hmac-Sha256` is the HMAC-SHA256 of the request body under the secret key, in padded standard \
base64. Sign exactly the bytes that are sent. With `X-Service-Timestamp` (Unix seconds) the signed text is \
`<timestamp>.<path>.<body>`, and the signature is valid for 300 seconds. Only the creation, update and search of orders \
do without.

**Errors** have one shape with a `code` for programs. With `Accept: application/problem+json` they follow RFC 9457 and \
carry the same members.

**Fields** that the service does not know are ignored, with a warning. Later versions may add fields to responses; \
ignore those that you do not know. White space around texts is removed; a blank text counts as absent. Control \
characters are refused.";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Pressline", version = "1", description = DESCRIPTION, contact(name = "The operator of this service"), license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    servers((url = "/")),
    paths(health::live, health::ready),
    components(schemas(
        ErrorBody<'_>,
        Problem<'_>,
        request::AddressBody,
        request::CustomerBody,
        request::LineItemBody,
        request::LineItemChangeBody,
        response::OrderBody<'_>,
        response::LabelAddress<'_>
    )),
    tags((name = "orders", description = "Orders of a store"), (name = "events", description = "What changed, in order"), (name = "webhooks", description = "Webhook endpoints and their deliveries"), (name = "products", description = "What can be ordered"), (name = "sandbox", description = "For test stores"), (name = "health", description = "For operators"))
)]
struct Document;

/// Returns the OpenAPI document of all operations for stores.
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    describe(&mut document, TABLE);
    // After the operations: it divides a schema that they add.
    labels::add_spelling(&mut document);
    let components = document.components.get_or_insert_default();
    requests::add_shipping_address(components);
    components
        .parameters
        .extend([SignatureForm::Plain, SignatureForm::Timestamped].map(timestamp_parameter));
    components.parameters.extend([fault_parameter()]);
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
    // Last, because the rules apply to the schemas that the steps above add.
    rules::add_rules(&mut document, TABLE);
    document
}

/// Adds the operations of `table` to `document`, with the errors, headers and examples that they
/// refer to.
fn describe(document: &mut OpenApi, table: &'static [Operation]) {
    for item in document.paths.paths.values_mut() {
        for probe in methods(item) {
            // An empty list says that probes need no signature; linters take its absence for an
            // omission.
            probe.security = Some(Vec::new());
            refer_to_errors(probe, [vec![Code::MethodNotAllowed.definition()]]);
        }
    }
    for operation in table {
        document.merge(described(operation));
    }
    let of_operations = table.iter().flat_map(errors_of);
    // The probes are not in `table`, so their error is added.
    let errors = of_operations.chain([vec![Code::MethodNotAllowed.definition()]]);
    let errors = errors.map(|definitions| {
        (
            response_name(&definitions),
            RefOr::T(error_response(&definitions)),
        )
    });
    let components = document.components.get_or_insert_default();
    components.responses.extend(errors);
    components.examples.extend(table.iter().flat_map(examples));
    components.parameters.extend([request_id_parameter()]);
    components.headers.extend(common_headers());
}

/// Returns the document for stores as JSON, as it is served, with a line break at its end.
pub fn openapi_json() -> String {
    written(&openapi())
}

/// Returns the document for operators as JSON, in the same form as [`openapi_json`].
pub fn operator_openapi_json() -> String {
    written(&operator_openapi())
}

fn written(document: &OpenApi) -> String {
    let text = document.to_pretty_json().unwrap_or_default();
    layout::with_short_lists(&layout::with_ordered_rules(&text))
}

const STORE: &str = "store";
const SIGNED: &str = "signature";

/// Returns the document of `operation` at each of its paths, with the headers and errors that all
/// operations share.
fn described(operation: &Operation) -> OpenApi {
    let mut document = document_of(operation);
    if let Some(request) = operation.request {
        requests::specialise(&mut document, request);
    }
    let Some(item) = document.paths.paths.get_mut(operation.path) else {
        return document;
    };
    for described in methods(item) {
        complete(operation, described);
    }
    let item = item.clone();
    for (path, id) in operation.aliases {
        let alias = at_other_path(item.clone(), id);
        document.paths.paths.insert((*path).to_owned(), alias);
    }
    document
}

fn methods(item: &mut PathItem) -> impl Iterator<Item = &mut Described> {
    // The documents describe probes by GET and operations by POST, and no other method.
    [&mut item.get, &mut item.post].into_iter().flatten()
}

fn body_contents(operation: &mut Described) -> impl Iterator<Item = &mut Content> {
    let bodies = operation.request_body.iter_mut().filter_map(owned);
    bodies
        .flat_map(|body| body.content.values_mut())
        .filter_map(owned)
}

/// Returns the value itself; `None` if it is a reference.
fn owned<T>(value: &mut RefOr<T>) -> Option<&mut T> {
    match value {
        RefOr::T(value) => Some(value),
        RefOr::Ref(_) => None,
    }
}

/// Returns a copy of `item` for another path, with the operation id `id`.
fn at_other_path(mut item: PathItem, id: &str) -> PathItem {
    for described in methods(&mut item) {
        // Operation ids must be unique in a document.
        described.operation_id = Some(id.to_owned());
    }
    item
}

/// Adds the security, parameters, headers and errors that operations with the same `access` share.
fn complete(of: &Operation, operation: &mut Described) {
    let stores = SecurityRequirement::new::<_, _, String>(STORE, []);
    let signed = stores.clone().add::<_, _, String>(SIGNED, []);
    let (security, parameters) = match of.access {
        Access::Signed(form) => {
            let security = match form {
                // Requirements are alternatives: an unsigned search needs only the store id.
                SignatureForm::PlainOrNone => vec![signed, stores],
                SignatureForm::Plain | SignatureForm::Timestamped => vec![signed],
            };
            let parameters = vec![
                timestamp_parameter(form),
                request_id_parameter(),
                fault_parameter(),
            ];
            (security, parameters)
        }
        Access::Token => (operators::security(of), vec![request_id_parameter()]),
    };
    operation.security = Some(security);
    show_examples(of, operation);
    let references = parameters
        .into_iter()
        .map(|(name, _)| RefOr::Ref(Ref::new(format!("#/components/parameters/{name}"))));
    operation
        .parameters
        .get_or_insert_default()
        .extend(references);
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.headers.extend(header_references());
        }
    }
    refer_to_errors(operation, errors_of(of));
}

/// Adds references to error responses to `operation`. Each entry of `errors` has the errors of one
/// status.
fn refer_to_errors(
    operation: &mut Described,
    errors: impl IntoIterator<Item = Vec<&'static Definition>>,
) {
    for definitions in errors {
        let Some(status) = definitions
            .first()
            .map(|definition| definition.status.as_u16().to_string())
        else {
            continue;
        };
        let reference = Ref::from_response_name(response_name(&definitions));
        operation
            .responses
            .responses
            .insert(status, reference.into());
    }
}
