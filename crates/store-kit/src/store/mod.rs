//! The rows of stores and of their keys.

mod reseal;
mod row;

pub use reseal::{SealedKeys, reseal_all};
pub use row::{KeyRow, StoreRow, group_by_store};
