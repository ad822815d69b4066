//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands on a whole order, which expect a `version` of the order and certain statuses
/// of its items.
pub(crate) const ORDER_COMMAND: &[Code] = &[
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];

/// Errors of commands on an order whose requests can name some of its items.
pub(crate) const ITEM_COMMAND: &[Code] = &[
    Code::UnknownItem,
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];
