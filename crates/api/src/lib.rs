//! The API for stores: signed operations on orders and products, and their documentation.
//!
//! The binary makes an [`Api`] of the use cases and an authenticator, and serves what [`configure`]
//! adds to an actix application. One folder per subject holds its operations, each in a file of its
//! own, and their request and response bodies.

mod admission;
mod api;
mod catalog;
mod docs;
mod json;
mod openapi;
mod operation;
mod operations;
mod order;
mod reference;
mod response;
mod schema;
mod signed;

pub use api::{Api, Services, Settings, configure, server};
pub use openapi::{openapi, openapi_json};
pub use order::response::order_document;
pub use reference::{error_reference, warning_reference};
