//! Errors that many operations declare.

use pressline_http::Code;

/// Errors of commands on an order, which send its `version` and depend on its items' statuses.
pub(crate) const ORDER_COMMAND: &[Code] = &[
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];

/// Errors of commands on an order that can name some of its items.
pub(crate) const ITEM_COMMAND: &[Code] = &[
    Code::UnknownItem,
    Code::OrderNotFound,
    Code::IllegalTransition,
    Code::VersionConflict,
];
