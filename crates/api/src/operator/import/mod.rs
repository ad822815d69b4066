//! Imports of files: parcels, orders, and what orders are priced with.

pub(crate) mod catalog;
pub(crate) mod orders;
mod request;
mod response;
pub(crate) mod shipments;
