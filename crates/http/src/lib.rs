//! The HTTP face of the service: signed operations on orders, health, and their documentation, on
//! actix-web.
//!
//! The binary makes an [`Api`] of the use cases and an authenticator and runs it with [`server`];
//! whoever embeds the service in an actix application of their own calls [`configure`]. Wire types
//! stay in here, and so does every status code: the table in `error.rs` is the only place that
//! names one.

mod accept;
mod admission;
mod answer;
mod api;
mod asset;
mod body;
mod budget;
mod docs;
mod endpoint;
mod error;
mod failure;
mod health;
mod in_flight;
mod limit;
mod observe;
mod openapi;
mod paced;
mod problem;
mod reference;
mod response_budget;
mod server;
mod signed;
mod streamed;
mod trail;
mod wanted;
mod wire;

pub use answer::order_document;
pub use api::{Api, Services, Settings, configure};
pub use error::Code;
pub use health::{Check, Readiness};
pub use in_flight::InFlightLimit;
pub use limit::RateLimit;
pub use openapi::{openapi, openapi_json};
pub use reference::{error_reference, warning_reference};
pub use server::{ServerSettings, server};
