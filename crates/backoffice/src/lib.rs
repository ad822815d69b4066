//! Work of a print shop around the orders: operators and the audit log, the order queue,
//! production, tasks, reports, imports, store administration, webhooks and the sandbox. Each module
//! has its use cases and ports.

#![doc = include_str!("../README.md")]

// Modules import only modules of the groups above them.
pub mod audit;
mod fields;
pub mod limits;
pub mod rows;

pub mod file_source;
pub mod import;
pub mod store;

pub mod media;
pub mod operator;

pub mod note;
pub mod queue;
pub mod task;
pub mod webhook;

pub mod checklist;
pub mod parcels;
pub mod production;
pub mod restore;
pub mod sandbox;

pub mod overview;
pub mod statistics;

#[cfg(feature = "memory")]
pub mod memory;
