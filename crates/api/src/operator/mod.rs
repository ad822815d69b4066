//! The API for operators: its listener's paths, how its calls are received, and its imports of files.

mod api;
mod bearer;
pub(crate) mod import;

pub use api::{OperatorApi, OperatorServices, configure_operators};
pub(crate) use bearer::{ByOperator, receive};
