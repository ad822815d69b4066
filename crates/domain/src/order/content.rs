//! Refusing an order that would have more content than an order may have.

use super::{InvalidOrder, OrderError};
use crate::limits;
use crate::report::{IssueCode, Path, Report};

/// Reports an order whose content has too many bytes. The items are named, because everything else
/// in an order adds up to no more than a twentieth of the limit.
pub(super) fn check_content(bytes: u64, report: &mut Report) {
    if bytes > limits::ORDER_CONTENT {
        let message = format!(
            "the order's texts and URLs would have {bytes} bytes; at most {} (1 MiB) in one order",
            limits::ORDER_CONTENT
        );
        report.violation(&Path::Root.key("line_items"), IssueCode::TooLong, message);
    }
}

/// Returns the error for an order that breaks a rule. Its size is a problem of the request; the
/// other rules are checked before.
pub(super) fn refused(error: InvalidOrder, report: &mut Report) -> OrderError {
    let InvalidOrder::Content(bytes) = error else {
        return error.into();
    };
    check_content(bytes, report);
    std::mem::take(report).into()
}
