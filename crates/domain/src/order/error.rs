//! Errors of requests about orders.

use crate::check::{IssueCode, Path, Report, Violation, Warning, limits};
use crate::error::RepositoryError;
use crate::fulfilment::{Command, ItemState, ItemStatus, Refusal};
use crate::order::{InvalidOrder, LineItem, Order, OrderIdentity, OrderParts};
use crate::value::{ItemId, ShipmentId};
use pressline_kit::words;

/// Failure of a request about an order.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// Fields are missing, of the wrong type or out of range.
    #[error("the request has {} problems", violations.len())]
    Invalid {
        /// Problems for which the request is refused.
        violations: Vec<Violation>,
        /// Other problems of the request, which alone would not be a reason to refuse it.
        warnings: Vec<Warning>,
    },
    /// The request names items that the order does not have. Contains a violation for each item.
    #[error("the order has no such item")]
    UnknownItem(Vec<Violation>),
    /// The caller's scope has no order with the given id.
    #[error("the store has no such order")]
    NotFound,
    /// A different request created an order with the order id of this request.
    #[error("another order has this order id")]
    Duplicate {
        /// Ids and currency of the stored order that already has the order id of this request.
        existing: OrderIdentity,
        /// Paths of fields that differ between this request and the request that made `existing`.
        differing: Vec<String>,
    },
    /// The name fits an order by its order id, and another order by its number or its id.
    #[error("the name fits two orders")]
    Ambiguous {
        /// The two orders. The order that a call that only reads would return comes first.
        candidates: Box<[OrderIdentity; 2]>,
    },
    /// The status of an item does not allow the command.
    #[error("the command is not allowed in the present status")]
    IllegalTransition {
        /// Status of the first of `items`, or of the order's first item if `items` is empty.
        from: ItemStatus,
        /// Only possible new status; `None` if there are several or none, or if the item decides.
        to: Option<ItemStatus>,
        /// Actions that the caller may take on the first of `items`.
        allowed: Vec<Command>,
        /// All items for which the command is not allowed; `from` is the status of the first.
        items: Vec<ItemId>,
    },
    /// Items can no longer be changed, or an approved change is no longer possible.
    #[error("the order can no longer be changed")]
    NotEditable {
        /// Items that prevent the change, or all items of the pending change to approve.
        items: Vec<ItemId>,
        /// A violation for each affected item or field; contains the path of the item or field.
        violations: Vec<Violation>,
    },
    /// The command requests a change, but another requested change waits for a decision.
    #[error("another change is pending")]
    ChangePending {
        /// Items that the pending change concerns.
        items: Vec<ItemId>,
    },
    /// Contains the id of another shipment with the reference or, without it, carrier and number.
    #[error("the reference belongs to a shipment with different content")]
    DuplicateShipment(ShipmentId),
    /// The caller's scope has no shipment with the id or the tracking number in the request.
    #[error("the order has no such shipment")]
    UnknownShipment,
    /// The request expects another version of the order.
    #[error("the order is at version {current}")]
    VersionConflict {
        /// Current version of the stored order.
        current: u32,
    },
    /// The store is not a test store: its orders are really produced.
    #[error("the store is not a test store")]
    NotATestStore,
    /// The storage failed.
    #[error("a repository failed")]
    Repository(#[source] RepositoryError),
}

impl OrderError {
    /// Returns `true` also for a timeout: the same call can succeed later.
    pub(super) fn is_unavailable(&self) -> bool {
        matches!(self, Self::Repository(error) if error.is_transient())
    }
}

impl From<RepositoryError> for OrderError {
    /// Returns `Invalid` for [`RepositoryError::TooLarge`]: the size is a problem of the request.
    fn from(error: RepositoryError) -> Self {
        match error {
            RepositoryError::TooLarge(_) => words_too_large().into(),
            error => Self::Repository(error),
        }
    }
}

pub(super) fn defect(refusal: Refusal) -> OrderError {
    OrderError::Repository(RepositoryError::Refused(refusal.into()))
}

impl OrderError {
    /// Returns the error for the `refusal` of a command about `order`.
    pub fn refused(refusal: Refusal, order: &Order) -> Self {
        match refusal {
            Refusal::IllegalTransition {
                from,
                to,
                allowed,
                items,
            } => OrderError::IllegalTransition {
                from,
                to,
                allowed,
                items,
            },
            Refusal::NotEditable { items, reason } => OrderError::NotEditable {
                violations: not_editable(order, &items, reason),
                items,
            },
            Refusal::ChangePending { items } => OrderError::ChangePending { items },
            Refusal::UnknownItem(items) => OrderError::UnknownItem(unknown_items(&items)),
            Refusal::UnknownShipment => OrderError::UnknownShipment,
            Refusal::DuplicateShipment(shipment) => OrderError::DuplicateShipment(shipment),
            Refusal::VersionConflict { current } => OrderError::VersionConflict { current },
            Refusal::Invalid(violations) => OrderError::Invalid {
                violations,
                warnings: Vec::new(),
            },
            defective @ (Refusal::Broken(_) | Refusal::BrokenEvent(_)) => defect(defective),
        }
    }
}

fn not_editable(order: &Order, items: &[ItemId], reason: &str) -> Vec<Violation> {
    let lines = order.content.items.iter().zip(&order.state.items);
    let violation = |(index, (line, state)): (usize, (&LineItem, &ItemState))| Violation {
        // The path is that of a response: the request need not name these items.
        field: format!("childDetails[{index}]"),
        code: IssueCode::NotEditable,
        message: format!("`{}` is {}: {reason}", line.sku, state.status),
    };
    lines
        .enumerate()
        .filter(|(_, (line, _))| items.contains(&line.id))
        .map(violation)
        .collect()
}

fn unknown_items(items: &[ItemId]) -> Vec<Violation> {
    items
        .iter()
        .map(|id| Violation {
            field: "line_items".to_owned(),
            code: IssueCode::UnknownItem,
            message: format!(
                "the order has no item {id}; use the `id` of an entry of its childDetails"
            ),
        })
        .collect()
}

fn words_too_large() -> Report {
    let mut report = Report::default();
    let message = "the texts of the order have too many different words for one order; shorten the items' names and \
                   refIds, or split the order";
    report.violation(&Path::Root.key("line_items"), IssueCode::TooLong, message);
    report
}

pub(super) fn check_words(parts: &OrderParts) -> Result<(), OrderError> {
    if words::fit(&parts.words()) {
        Ok(())
    } else {
        Err(words_too_large().into())
    }
}

impl From<Report> for OrderError {
    fn from(report: Report) -> Self {
        Self::Invalid {
            violations: report.violations,
            warnings: report.warnings,
        }
    }
}

impl From<InvalidOrder> for OrderError {
    /// The checks of requests prevent the error. If a check misses a case, nothing must be stored.
    fn from(error: InvalidOrder) -> Self {
        Self::Repository(RepositoryError::Refused(error.into()))
    }
}

/// Adds a violation about the items if the content is too large, because everything else in an
/// order is at most a twentieth of the limit.
pub(super) fn check_content(bytes: u64, report: &mut Report) {
    if bytes > limits::ORDER_CONTENT {
        let message = format!(
            "the order's texts and URLs would have {bytes} bytes; at most {} (1 MiB) in one order",
            limits::ORDER_CONTENT
        );
        report.violation(&Path::Root.key("line_items"), IssueCode::TooLong, message);
    }
}

/// Reports content that is too large together with the problems in `report`. The checks of requests
/// prevent all other errors, so any other error is reported as a defect.
pub(super) fn invalid(error: InvalidOrder, report: &mut Report) -> OrderError {
    let InvalidOrder::Content(bytes) = error else {
        return error.into();
    };
    check_content(bytes, report);
    std::mem::take(report).into()
}
