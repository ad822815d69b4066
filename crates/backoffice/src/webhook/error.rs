//! Why a request about webhooks failed.

use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::report::Report;
use pressline_domain::store::SealError;

/// Why a request about webhooks failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// Fields of the request are wrong.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The caller has no such endpoint.
    #[error("there is no such webhook endpoint")]
    NotFound,
    /// The log has no such delivery of the caller's endpoints.
    #[error("there is no such delivery")]
    DeliveryNotFound,
    /// There is no such store, or the operator does not reach it.
    #[error("there is no store {0}")]
    StoreNotFound(StoreId),
    /// There is no such order.
    #[error("there is no such order")]
    OrderNotFound,
    /// The owner has as many endpoints as it can have.
    #[error("the owner has the maximum number of webhook endpoints")]
    TooMany,
    /// Nothing is sent again to a disabled endpoint.
    #[error("the webhook endpoint is disabled")]
    Disabled,
    /// The store is not a test store.
    #[error("the store is not a test store")]
    NotATestStore,
    /// A secret could not be made or opened.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A repository failed.
    #[error("a repository failed")]
    Repository(#[from] RepositoryError),
}

impl From<Report> for WebhookError {
    fn from(report: Report) -> Self {
        Self::Invalid(report)
    }
}

pub(super) fn valid<T>(value: Option<T>, report: &mut Report) -> Result<T, WebhookError> {
    match value.filter(|_| report.violations.is_empty()) {
        Some(value) => Ok(value),
        None => Err(std::mem::take(report).into()),
    }
}
