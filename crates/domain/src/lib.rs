//! Orders, items, fees and statuses of a print-on-demand service, with its use cases and ports.

#![doc = include_str!("../README.md")]

pub mod audit;
pub mod catalog;
pub mod checked;
pub mod egress;
pub mod error;
pub mod event;
pub mod field;
pub mod figures;
pub mod fulfilment;
pub mod id;
pub mod limits;
pub mod memory;
pub mod money;
pub mod operator;
pub mod order;
pub mod overview;
pub mod page;
pub mod pricing;
pub mod production;
pub mod report;
mod rows;
pub mod runtime;
#[cfg(feature = "serde")]
mod serde;
pub mod store;
pub mod task;
pub mod time;
pub mod webhook;
