//! The OpenAPI documents for stores and for operators, generated from the descriptions of the
//! operations and the table of errors.

mod addresses;
mod common;
mod conditions;
mod describe;
mod description;
mod errors;
mod examples;
mod labels;
mod layout;
mod operators;
mod parts;
mod requests;
mod rules;
mod security;
mod stores;
mod values;

use utoipa::openapi::OpenApi;

pub use operators::operator_openapi;
pub use stores::openapi;

/// Returns the OpenAPI document for stores as JSON, with a line break at its end.
pub fn openapi_json() -> String {
    written(&openapi())
}

/// Returns the OpenAPI document for operators as JSON, in the same form as [`openapi_json`].
pub fn operator_openapi_json() -> String {
    written(&operator_openapi())
}

fn written(document: &OpenApi) -> String {
    let text = document.to_pretty_json().unwrap_or_default();
    layout::with_short_lists(&layout::with_ordered_rules(&text))
}
