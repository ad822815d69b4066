//! System: the program and its database, the operators, and the audit of what no order's history
//! records.

mod audit;
mod invite;
mod operators;
mod page;
mod routes;
mod status;

pub(crate) use audit::changes_of;
pub(crate) use routes::ROUTES;
pub use status::{SystemFact, SystemFacts, SystemStatus};

/// The path of the page.
const PATH: &str = "/console/system";
/// The path of the operators.
const OPERATORS: &str = "/console/system/operators";
