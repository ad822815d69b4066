//! Orders, items, fees and statuses of a print-on-demand service, with its use cases and ports.

#![doc = include_str!("../README.md")]

// Modules import only modules of the groups above them.
pub mod check;

pub mod error;
pub mod value;

pub mod pricing;
pub mod runtime;

pub mod store;

pub mod catalog;

pub mod media;

// These three are one aggregate: they also import modules of each other.
pub mod event;

pub mod fulfilment;

pub mod order;

#[cfg(feature = "memory")]
pub mod memory;
#[cfg(feature = "serde")]
mod serde;
