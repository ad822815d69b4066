//! Imports of files: checks of their rows, references to stores and products, and the changes that they make.

pub mod catalog;
pub mod order;
pub mod pricing;
pub mod shipment;
