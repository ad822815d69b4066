//! File imports of orders, shipments and the catalog.

mod catalog;
mod orders;
mod request;
mod response;
mod shipments;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] =
    &[orders::OPERATION, shipments::OPERATION, catalog::OPERATION];
