//! File imports of orders, shipments and the catalog.

mod operations;
mod request;
mod response;

pub(crate) use operations::OPERATIONS;
