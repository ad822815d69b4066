//! Refusing an order that would have more content than an order may have.

use crate::limits;
use crate::order::OrderParts;
use crate::report::{IssueCode, Path, Report};

/// Reports an order that is too large, with its size and the limit. The items are named, because
/// everything else in an order adds up to no more than a twentieth of the limit.
pub(super) fn check_content(parts: &OrderParts, report: &mut Report) {
    let bytes = parts.content_bytes();
    if bytes > limits::ORDER_CONTENT {
        let message = format!(
            "the order's texts and URLs would have {bytes} bytes; at most {} (1 MiB) in one order",
            limits::ORDER_CONTENT
        );
        report.violation(&Path::Root.key("line_items"), IssueCode::TooLong, message);
    }
}
