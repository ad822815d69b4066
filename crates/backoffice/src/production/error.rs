//! Why a call about production failed.

use super::batch::BatchNumber;
use super::units::OutOfOrder;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::ItemId;
use pressline_domain::order::OrderError;
use pressline_domain::report::{Report, Violation};

/// Why a call about production failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProductionError {
    /// The request or one of its orders is at fault, or a repository failed.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// More units are recorded than the step before has done, or more are misprinted than can be.
    #[error(transparent)]
    OutOfOrder(#[from] OutOfOrder),
    /// Items cannot be produced in their present status.
    #[error("items cannot be produced in their present status")]
    NotProducible {
        /// Why the first of them is refused.
        first: Box<OrderError>,
        /// All of them.
        items: Vec<ItemId>,
        /// The same, by their places in the request.
        violations: Vec<Violation>,
    },
    /// Items are in open batches: which, by their places in the request.
    #[error("items are in open batches")]
    ItemsInBatch(Vec<Violation>),
    /// There is no such batch among those that the operator reaches.
    #[error("there is no such batch")]
    BatchNotFound,
    /// The batch is closed.
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
