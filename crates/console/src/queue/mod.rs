//! The queue: the items that wait, and the commands that move many of them.

mod bulk;
mod confirm;
mod filter;
mod group;
mod list;
mod routes;

pub(crate) use bulk::command_name;
use bulk::submit;
pub(crate) use filter::{draft, first_items};
pub(crate) use filter::{queued, with_production};
pub(crate) use list::refused;
use list::{export, show};
pub(crate) use routes::ROUTES;

pub(crate) const QUEUE: &str = "/console/queue";
pub(crate) const EXPORT: &str = "/console/queue/export.csv";
