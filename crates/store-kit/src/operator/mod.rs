//! The rows of operators and of their tokens, and the statements about them.

mod directory;
mod row;

pub use directory::Operators;
pub use row::{OperatorRow, OperatorTokenRow};
