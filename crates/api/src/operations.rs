//! The table of operations. Routing, the OpenAPI document and the coverage test read it.

use crate::operation::Operation;
use crate::{catalog, order};

/// Every operation.
pub(crate) static TABLE: &[Operation] = &[
    order::create::OPERATION,
    order::create_label::OPERATION,
    order::estimate::OPERATION,
    order::update::OPERATION,
    order::search::OPERATION,
    catalog::search::OPERATION,
];
