//! Headers of requests and responses that all operations have in common, each once in the document.

use pressline_http::headers::{FAULT, TIMESTAMP};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, Ref, RefOr, Required};

pub(super) fn timestamp_parameter() -> (String, RefOr<Parameter>) {
    parameter(
        TIMESTAMP,
        "Unix seconds. If it is sent, the signed text is `<timestamp>.<path>.<body>`.",
    )
}

pub(super) fn fault_parameter() -> (String, RefOr<Parameter>) {
    parameter(
        FAULT,
        "Only for test stores: the call fails as asked for, with `unavailable` or `rate_limited` before anything is done, \
         with `internal_error` or `timeout` (no response) after it.",
    )
}

pub(super) fn request_id_parameter() -> (String, RefOr<Parameter>) {
    parameter(
        REQUEST_ID,
        "Id of the call in logs and responses: 1 to 128 of `A-Za-z0-9._-`.",
    )
}

fn parameter(name: &str, description: &str) -> (String, RefOr<Parameter>) {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(text));
    (name.to_owned(), RefOr::T(parameter.build()))
}

const REQUEST_ID: &str = "X-Request-Id";

/// Returns the headers that every response to an operation may have.
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
