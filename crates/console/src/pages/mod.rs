//! The pages and actions of the console, by subject. Each subject lists its routes.

pub(crate) mod account;
pub(crate) mod batches;
pub(crate) mod catalog;
pub(crate) mod find;
pub(crate) mod order;
pub(crate) mod print;
pub(crate) mod problem;
pub(crate) mod queue;
pub(crate) mod scan;
pub(crate) mod session;
pub(crate) mod shipment;
pub(crate) mod statistics;
pub(crate) mod store;
pub(crate) mod system;
pub(crate) mod task;
pub(crate) mod today;
pub(crate) mod webhook;
