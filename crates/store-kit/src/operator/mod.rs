//! The rows of operators, of their tokens, accounts and sessions, and the statements about them.

mod accounts;
mod directory;
mod port;
mod row;
mod session_row;
mod sessions;

pub(crate) use row::{OperatorRow, OperatorTokenRow, last_use};
pub(crate) use session_row::{AccountRow, LinkRow, SessionRow};
