//! File imports of orders, shipments and the catalog.

mod operations;
mod response;

pub(crate) use operations::OPERATIONS;
