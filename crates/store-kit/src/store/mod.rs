//! The rows of stores and of their keys, and the statements about them.

mod directory;
mod port;
mod row;
mod sealing;

pub(crate) use row::{KeyRow, StoreRow};
pub(crate) use sealing::claim_key;
