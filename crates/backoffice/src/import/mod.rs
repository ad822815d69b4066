//! Imports of files: which rows are right, what they change, and what they refer to.

pub mod catalog;
pub mod order;
pub mod pricing;
pub mod shipment;
