//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands on a whole order: the name fits no order or two orders, or the order has
/// another `version`, or items in statuses that do not allow the command.
pub(crate) const ORDER_COMMAND: &[Code] = &[
    Code::OrderNotFound,
    Code::AmbiguousOrderId,
    Code::IllegalTransition,
    Code::VersionConflict,
];

pub(crate) const ITEM_COMMAND: &[Code] = &[
    Code::UnknownItem,
    Code::OrderNotFound,
    Code::AmbiguousOrderId,
    Code::IllegalTransition,
    Code::VersionConflict,
];
