//! What can be measured, one file each.

pub(crate) mod auth;
pub(crate) mod citus;
pub(crate) mod compare;
pub(crate) mod create;
pub(crate) mod existing;
pub(crate) mod import;
pub(crate) mod load;
pub(crate) mod memory;
pub(crate) mod neighbours;
pub(crate) mod pages;
pub(crate) mod search;
pub(crate) mod start;
pub(crate) mod webhooks;
