//! The rows of operators, of their tokens, accounts and sessions, and the statements about them.

mod accounts;
mod directory;
mod row;
mod session_row;
mod sessions;

pub use directory::Operators;
pub use row::{OperatorRow, OperatorTokenRow};
pub use session_row::{AccountRow, LinkRow, SessionRow};
pub use sessions::Sessions;
