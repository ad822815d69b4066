//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands on a whole order: the order does not exist, has another `version`, or has
/// items in statuses that do not allow the command.
pub(crate) const ORDER_COMMAND: &[Code] = &[
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];

pub(crate) const ITEM_COMMAND: &[Code] = &[
    Code::UnknownItem,
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];
