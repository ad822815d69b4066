//! Imports of files: checking rows, resolving references to stores and products, and applying
//! changes.

mod confirm;

pub mod catalog;
pub mod order;
pub mod pricing;
pub mod shipment;
