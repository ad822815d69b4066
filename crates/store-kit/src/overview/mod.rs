//! The overview and placed orders for reports.
//!
//! Only operators' calls send these statements. They read by keys and key ranges: given orders, the
//! orders of some days, and the last hours.

mod hours;
mod orders;
mod port;
mod row;
mod statements;
mod texts;

pub use statements::{overview_statements, placed_statement};
