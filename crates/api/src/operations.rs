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
    order::get::OPERATION,
    order::history::OPERATION,
    order::cancel::OPERATION,
    order::hold::OPERATION,
    order::release::OPERATION,
    order::process_now::OPERATION,
    order::withdraw_change::OPERATION,
    order::answer::OPERATION,
    catalog::search::OPERATION,
];
