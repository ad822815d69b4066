//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands on a whole order, which expect a `version` of the order and certain statuses
/// of its items.
pub(crate) const ORDER_COMMAND: &[Code] = &[
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];

/// Errors of commands on an order. Their requests can name items of the order.
pub(crate) const ITEM_COMMAND: &[Code] = &[
    Code::UnknownItem,
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];
