//! Request and response headers that all operations share, each once in the document.

use pressline_domain::store::SignatureForm;
use pressline_http::headers::{FAULT, TIMESTAMP};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, Ref, RefOr, Required};

use crate::state::fault::NAMES as FAULTS;

pub(super) fn timestamp_parameter(form: SignatureForm) -> (String, RefOr<Parameter>) {
    // Two components, because a parameter is either required or optional everywhere it is used.
    let (name, required, description) = match form {
        SignatureForm::Timestamped => (
            "SignedTimestamp",
            Required::True,
            "Unix seconds. The signed text is `<timestamp>.<path>.<body>`.",
        ),
        SignatureForm::Plain | SignatureForm::PlainOrNone => (
            TIMESTAMP,
            Required::False,
            "Unix seconds. If it is sent, the signed text is `<timestamp>.<path>.<body>`.",
        ),
    };
    let seconds = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[0-9]+$"));
    let parameter = parameter(TIMESTAMP, required, seconds, description);
    (name.to_owned(), parameter)
}

pub(super) fn fault_parameter() -> (String, RefOr<Parameter>) {
    let names = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(FAULTS));
    optional(
        FAULT,
        names,
        "Only for test stores: the call fails as asked for, with `unavailable` or `rate_limited` before anything is done, \
         with `internal_error` or `timeout` (no response) after it.",
    )
}

pub(super) fn request_id_parameter() -> (String, RefOr<Parameter>) {
    let id = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[A-Za-z0-9._-]{1,128}$"));
    optional(
        REQUEST_ID,
        id,
        "Id of the call in logs and responses: 1 to 128 of `A-Za-z0-9._-`.",
    )
}

fn optional(name: &str, schema: ObjectBuilder, description: &str) -> (String, RefOr<Parameter>) {
    let parameter = parameter(name, Required::False, schema, description);
    (name.to_owned(), parameter)
}

fn parameter(
    name: &str,
    required: Required,
    schema: ObjectBuilder,
    description: &str,
) -> RefOr<Parameter> {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(required)
        .description(Some(description))
        .schema(Some(schema));
    RefOr::T(parameter.build())
}

const REQUEST_ID: &str = "X-Request-Id";

pub(super) fn common_headers() -> impl Iterator<Item = (String, RefOr<Header>)> {
    [
        (
            REQUEST_ID,
            "Id of the call: your own if you sent a valid one.",
        ),
        (
            "RateLimit-Policy",
            "The caller's quota: `q` requests in `w` seconds. Only behind a good signature or token.",
        ),
        (
            "RateLimit",
            "What is left of it: `r` requests; all `q` again in `t` seconds. Only behind a good \
             signature or token.",
        ),
    ]
    .into_iter()
    .map(|(name, description)| (name.to_owned(), RefOr::T(header(description))))
}

pub(super) fn header_references() -> impl Iterator<Item = (String, RefOr<Header>)> {
    common_headers().map(|(name, _)| {
        let reference = Ref::new(format!("#/components/headers/{name}"));
        (name, RefOr::Ref(reference))
    })
}

pub(super) fn header(description: &str) -> Header {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    HeaderBuilder::new()
        .schema(Some(text))
        .description(Some(description))
        .build()
}
