//! The API for stores, with signed calls; the API for operators, with tokens; and their
//! documentation.
//!
//! The binary creates an [`Api`] from the use cases and an authenticator, and adds it to an actix
//! application by [`configure`]. Each subject has a folder with the tables of its operations, their
//! handlers, and their request and response bodies.
//!
//! The services and limits (`state`) and the code that receives calls (`caller`) know no operation;
//! [`configure`] passes them the rules of each path.

// Modules import only modules of the groups above them.
mod json;
mod response;
mod schema;
mod state;

mod caller;
mod request;

mod operation;

mod catalog;
mod import;
mod statistics;
mod store;
mod webhook;

mod order;

mod event;
mod production;
mod sandbox;

mod queue;

mod operations;

mod openapi;

mod docs;

mod routes;

pub use event::{JsonEvents, JsonTestEvents};
pub use openapi::{openapi, openapi_json, operator_openapi, operator_openapi_json};
pub use order::response::order_document;
pub use routes::{configure, configure_operators, server};
pub use state::{Api, EventWatch, OperatorApi, OperatorServices, Services, Settings};
pub use store::StoreDocument;
pub use webhook::{DeliveryDocument, WebhookDocument};
