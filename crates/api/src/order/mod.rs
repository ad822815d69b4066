//! Operations on orders.

pub(crate) mod commands;
pub(crate) mod operator;
pub(crate) mod placing;
pub(crate) mod reading;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod shipment;
