//! Values without rules of their own subject: amounts, ids, times and pages.

pub mod id;
pub mod money;
pub mod page;
pub mod time;
