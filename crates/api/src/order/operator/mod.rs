//! Operations on orders, for operators.

pub(crate) mod decide;
pub(crate) mod fee_lines;
pub(crate) mod get;
pub(crate) mod history;
pub(crate) mod move_orders;
pub(crate) mod notes;
pub(crate) mod replace;
mod request;
mod response;
pub(crate) mod search;
pub(crate) mod update;

pub(crate) use response::MovedResponse;
