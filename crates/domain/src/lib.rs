//! Orders, items, fees and statuses of a print-on-demand service, with its use cases and ports.

#![doc = include_str!("../README.md")]

pub mod catalog;
pub mod check;
pub mod checked;
pub mod error;
pub mod event;
pub mod field;
pub mod fulfilment;
pub mod id;
pub mod limits;
#[cfg(feature = "memory")]
pub mod memory;
pub mod money;
pub mod order;
pub mod page;
pub mod pricing;
pub mod report;
pub mod runtime;
#[cfg(feature = "serde")]
mod serde;
pub mod store;
pub mod time;
