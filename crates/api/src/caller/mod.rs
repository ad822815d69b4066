//! Callers: how their calls are received and checked before an operation gets them.

mod admission;
mod bearer;
mod rules;
mod signed;

pub(crate) use bearer::ByOperator;
pub(crate) use rules::{Access, CallRules, app_data};
pub(crate) use signed::Signed;
