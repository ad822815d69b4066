//! Errors of production calls.

use super::batch::BatchNumber;
use super::units::OutOfOrder;
use pressline_domain::check::{Report, Violation};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::OrderError;
use pressline_domain::value::ItemId;

pub(super) type Result<T, E = ProductionError> = std::result::Result<T, E>;

/// Reason why a call about production or batches failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProductionError {
    /// The request is invalid, the order does not exist or refuses the change, or a repository call
    /// failed.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The request records more units as done than wait at the step, or more units as misprinted
    /// than are done at the first step and not shipped.
    #[error(transparent)]
    OutOfOrder(#[from] OutOfOrder),
    /// The status of some items does not permit production.
    #[error("items cannot be produced in their present status")]
    NotProducible {
        /// Error for the first refused item: the first of `items`.
        first: Box<OrderError>,
        /// Ids of all refused items.
        items: Vec<ItemId>,
        /// A violation for each refused item. [`Violation::field`] is the item's position in the
        /// request, such as `items[0]`.
        violations: Vec<Violation>,
    },
    /// Items of the request are already in open batches. Contains a violation for each of them.
    /// [`Violation::field`] is the item's position in the request, such as `items[0]`.
    #[error("items are in open batches")]
    ItemsInBatch(Vec<Violation>),
    /// The batch does not exist, or it has items of stores outside the operator's scope.
    #[error("there is no such batch")]
    BatchNotFound,
    /// The batch with this number is closed.
    #[error("{0} is closed")]
    BatchClosed(BatchNumber),
}

impl From<RepositoryError> for ProductionError {
    fn from(error: RepositoryError) -> Self {
        Self::Order(error.into())
    }
}

impl From<Report> for ProductionError {
    fn from(report: Report) -> Self {
        Self::Order(report.into())
    }
}
