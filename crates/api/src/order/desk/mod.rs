//! Operations of operators on orders.

pub(crate) mod decide;
pub(crate) mod fee_lines;
pub(crate) mod get;
pub(crate) mod history;
pub(crate) mod move_orders;
mod request;
mod response;
pub(crate) mod update;
