//! The rows of stores and of their keys, and the statements about them.

mod directory;
mod row;
mod sealing;

pub use directory::Stores;
pub use row::{KeyRow, StoreRow};
