//! Shared parts of the HTTP interfaces: the table of errors, limits and budgets, the context and
//! log line of a request, health, and the server.
//!
//! It contains no operations. All status codes are in [`error`].

pub mod accept;
pub mod asset;
pub mod body;
pub mod budget;
pub mod caller;
pub mod context;
mod domain_error;
pub mod error;
pub mod file_work;
pub mod headers;
pub mod health;
pub mod in_flight;
pub mod limit;
pub mod observe;
mod paced;
pub mod problem;
pub mod request_error;
pub mod request_limits;
pub mod response_budget;
pub mod schema;
pub mod server;
mod streamed;
pub mod wanted;

pub use caller::Caller;
pub use error::Code;
pub use health::{Check, Readiness};
pub use in_flight::{CallKind, InFlightLimit};
pub use limit::RateLimit;
pub use server::{ServerSettings, server};
