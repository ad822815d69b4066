//! Orders, items, fees and statuses of a print-on-demand service, with its use cases and ports.

#![doc = include_str!("../README.md")]

pub mod catalog;
pub mod check;
pub mod error;
pub mod event;
pub mod fulfilment;
#[cfg(feature = "memory")]
pub mod memory;
pub mod order;
pub mod pricing;
pub mod runtime;
#[cfg(feature = "serde")]
mod serde;
pub mod store;
pub mod value;
