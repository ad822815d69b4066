//! Shared parts of the HTTP interfaces: the table of errors, limits and budgets, the context and
//! log line of a request, health, and the server.
//!
//! This crate contains no operations. All status codes are in [`error`].

// Modules import only modules of the groups above them.
pub mod budget;
pub mod caller;
pub mod error;
pub mod headers;
mod paced;
pub mod wanted;

pub mod accept;
pub mod asset;
pub mod limit;
pub mod request_error;
pub mod schema;
pub mod server;

pub mod body;
mod domain_error;
pub mod file_work;
pub mod health;
pub mod in_flight;
pub mod problem;
pub mod response_budget;
mod streamed;

pub mod context;

pub mod observe;
pub mod request_limits;

pub use caller::Caller;
pub use error::Code;
pub use health::{Check, Readiness};
pub use in_flight::{CallKind, InFlightLimit};
pub use limit::RateLimit;
pub use server::{ServerSettings, server};
