//! General values: amounts, ids, times and pages.

pub mod id;
pub mod money;
pub mod page;
pub mod time;
