//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands that apply to a whole order, and depend on its `version` and the statuses of
/// its items.
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
