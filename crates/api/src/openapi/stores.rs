//! The OpenAPI document for stores.

use pressline_domain::store::SignatureForm;
use pressline_http::health;
use pressline_http::problem::{ErrorBody, Problem};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

use super::common::{fault_parameter, timestamp_parameter};
use super::describe::describe;
use super::security::add_signature;
use super::{labels, requests, rules};
use crate::operations::of_stores;
use crate::order::{request, response};

const DESCRIPTION: &str = "\
Creates, prices, changes and finds orders of printed goods, and lists the products. Every operation is a POST with a \
JSON object, sent for one store and signed with its secret key.

**Signature.** Send the Unix time in seconds as `X-Service-Timestamp`. `X-Service-Hmac-Sha256` is the HMAC-SHA256 of \
`<timestamp>.<path>.<body>` under the secret key, in padded standard base64, with exactly the bytes that are sent. It is \
valid for 300 seconds. The creation, update and search of orders also accept a request without timestamp, whose \
signature is that of the body alone.

**Concurrency.** The service reads one body of 16 KiB or more of a store at a time, and runs one search. A further one \
waits up to 300 ms, then gets 429 `rate_limited`: send large orders one after another.

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
    describe(&mut document, of_stores());
    // After `describe`, which adds the schema of orders that this call divides.
    labels::add_spelling(&mut document);
    let components = document.components.get_or_insert_default();
    requests::add_shipping_address(components);
    components
        .parameters
        .extend([SignatureForm::Plain, SignatureForm::Timestamped].map(timestamp_parameter));
    components.parameters.extend([fault_parameter()]);
    add_signature(components);
    // Last, because the rules apply to the schemas that the steps above add.
    rules::add_rules(&mut document, of_stores());
    document
}
