//! Statements for the overview and for reports.
//!
//! Only operators' calls send these statements. The statements read by keys and key ranges: orders
//! by their ids, the orders of some days, and the last 24 hours.

mod hours;
mod orders;
mod row;
mod texts;
