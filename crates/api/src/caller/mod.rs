//! Receives and checks the calls of stores and operators, before an operation serves them.

mod admission;
mod bearer;
mod rules;
mod signed;

pub(crate) use bearer::ByOperator;
pub(crate) use rules::{Access, CallRules, app_data};
pub(crate) use signed::Signed;
