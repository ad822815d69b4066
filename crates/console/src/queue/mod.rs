//! The queue: the items that wait, and the commands that move many of them.

mod bulk;
mod confirm;
mod filter;
mod group;
mod list;

pub(crate) use bulk::submit;
pub(crate) use list::{export, show};

/// The path of the page.
pub(crate) const QUEUE: &str = "/console/queue";
/// The path of the export.
pub(crate) const EXPORT: &str = "/console/queue/export.csv";
