//! What a print shop does around the trade of the domain: operators and their audit, the queue of orders, production,
//! tasks, reports, imports, the administration of stores, webhooks and the sandbox, with use cases and ports.

#![doc = include_str!("../README.md")]

pub mod audit;
pub mod file_source;
pub mod import;
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
