//! Why a request about an order failed.

use crate::error::RepositoryError;
use crate::id::OrderId;
use crate::order::{Order, OrderParts};
use crate::report::{IssueCode, Path, Report, Violation, Warning};
use pressline_kit::words;

/// The order that has the order id already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingOrder {
    /// The service's id.
    pub id: OrderId,
    /// The order number as people read it.
    pub service_order_id: String,
    /// The caller's id.
    pub order_id: String,
}

impl From<&Order> for ExistingOrder {
    fn from(order: &Order) -> Self {
        let parts = order.parts();
        Self {
            id: parts.id,
            service_order_id: order.service_order_id().to_string(),
            order_id: parts.order_id.clone(),
        }
    }
}

/// Why a request about an order failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// Fields are missing, of the wrong type or out of range.
    #[error("the request has {} problems", violations.len())]
    Invalid {
        /// All of them.
        violations: Vec<Violation>,
        /// What was worth a warning beside them.
        warnings: Vec<Warning>,
    },
    /// An update names items that the order does not have.
    #[error("the order has no such item")]
    UnknownItem(Vec<Violation>),
    /// The store has no such order.
    #[error("the store has no such order")]
    NotFound,
    /// Another request created an order with this order id.
    #[error("another order has this order id")]
    Duplicate {
        /// That order.
        existing: ExistingOrder,
        /// The paths in which the two requests differ.
        differing: Vec<String>,
    },
    /// Items of the order are in production; each is named.
    #[error("the order can no longer be changed")]
    NotEditable(Vec<Violation>),
    /// The order has moved on from the version that the caller has seen.
    #[error("the order is at version {current}")]
    VersionConflict {
        /// The version it is at.
        current: u32,
    },
    /// A repository failed.
    #[error("a repository failed")]
    Repository(#[source] RepositoryError),
}

impl From<RepositoryError> for OrderError {
    /// What is too large to be stored is a problem of the request; everything else is one of the
    /// repository.
    fn from(error: RepositoryError) -> Self {
        match error {
            RepositoryError::TooLarge(_) => words_too_large().into(),
            error => Self::Repository(error),
        }
    }
}

/// What a caller learns whose order has more words than can be stored.
fn words_too_large() -> Report {
    let mut report = Report::default();
    let message = "the texts of the order have too many different words for one order; shorten the items' names and \
                   refIds, or split the order";
    report.violation(&Path::Root.key("line_items"), IssueCode::TooLong, message);
    report
}

/// Refuses an order that would not be stored because of its words. For dry runs and estimates.
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

impl From<crate::order::InvalidOrder> for OrderError {
    /// The checks of requests let no such order through; if one of them misses a case, the
    /// repository's own rules must not be broken.
    fn from(error: crate::order::InvalidOrder) -> Self {
        Self::Repository(RepositoryError::Refused(error.into()))
    }
}
