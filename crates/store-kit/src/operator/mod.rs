//! Rows and statements of operators, their tokens, accounts and sessions.

mod accounts;
mod directory;
mod row;
mod session_row;
mod sessions;

pub(crate) use row::{OperatorRow, last_use};
