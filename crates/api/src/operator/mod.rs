//! The API for operators: its listener's paths, and how its calls are received.

mod api;
mod bearer;

pub use api::{OperatorApi, OperatorServices, configure_operators};
pub(crate) use bearer::ByOperator;
