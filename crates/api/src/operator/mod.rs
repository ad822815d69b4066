//! The API for operators: its paths, receiving calls, and file imports.

mod api;
mod bearer;
pub(crate) mod import;

pub use api::{OperatorApi, OperatorServices, configure_operators};
pub(crate) use bearer::{ByOperator, receive};
