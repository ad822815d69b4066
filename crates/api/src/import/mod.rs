//! File imports of orders, shipments and the catalog.

pub(crate) mod catalog;
pub(crate) mod orders;
mod request;
mod response;
pub(crate) mod shipments;
