//! Work of a print shop around the orders: operators and the audit log, the order queue,
//! production, tasks, reports, imports, store administration, webhooks and the sandbox. Each module
//! has its use cases and ports.

#![doc = include_str!("../README.md")]

pub mod audit;
mod cursor_list;
mod fields;
pub mod file_source;
pub mod import;
pub mod limits;
#[cfg(feature = "memory")]
pub mod memory;
pub mod note;
pub mod operator;
pub mod overview;
pub mod parcels;
pub mod production;
pub mod queue;
pub mod rows;
pub mod sandbox;
pub mod statistics;
pub mod store;
pub mod task;
pub mod webhook;
