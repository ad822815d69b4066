//! Operations on orders.

pub(crate) mod create;
pub(crate) mod create_label;
pub(crate) mod estimate;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod search;
pub(crate) mod update;
