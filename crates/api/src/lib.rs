//! The API for stores, with signed calls; the API for operators, with tokens; and their
//! documentation.
//!
//! The binary creates an [`Api`] from the use cases and an authenticator, and adds it to an actix
//! application by [`configure`]. Each subject has a folder with its operations, one file each, and
//! its request and response bodies.

mod admission;
mod api;
mod catalog;
mod docs;
mod event;
mod figures;
mod json;
mod openapi;
mod operation;
mod operations;
mod operator;
mod order;
mod production;
mod reference;
mod request_limits;
mod response;
mod sandbox;
mod schema;
mod signed;
mod store;
mod webhook;

pub use api::{Api, Services, Settings, configure, server};
pub use event::{EventWatch, JsonEvents, event_reference};
pub use openapi::{openapi, openapi_json, operator_openapi, operator_openapi_json};
pub use operator::{OperatorApi, OperatorServices, configure_operators};
pub use order::response::order_document;
pub use reference::{error_reference, warning_reference};
pub use store::StoreDocument;
pub use webhook::{DeliveryDocument, JsonTestEvents, WebhookDocument, WebhookServices};
