//! Errors of requests about webhooks.

use pressline_domain::check::Report;
use pressline_domain::error::RepositoryError;
use pressline_domain::store::SealError;
use pressline_domain::value::StoreId;

pub(super) type Result<T, E = WebhookError> = std::result::Result<T, E>;

/// Error of a request about webhooks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// Fields of the request are invalid; the report lists all of them.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The endpoint does not exist or is outside the caller's scope.
    #[error("there is no such webhook endpoint")]
    NotFound,
    /// The delivery is not in the log, or its endpoint or store is outside the caller's scope.
    #[error("there is no such delivery")]
    DeliveryNotFound,
    /// The store does not exist or is outside the operator's scope.
    #[error("there is no store {0}")]
    StoreNotFound(StoreId),
    /// The order that a search names does not exist.
    #[error("there is no such order")]
    OrderNotFound,
    /// The owner already has [`limits::ENDPOINTS`](crate::limits::ENDPOINTS) endpoints.
    #[error("the owner has the maximum number of webhook endpoints")]
    TooMany,
    /// The endpoint is disabled, so no event can be sent again.
    #[error("the webhook endpoint is disabled")]
    Disabled,
    /// The request is for test stores only.
    #[error("the store is not a test store")]
    NotATestStore,
    /// A secret could not be created or opened.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A repository call failed.
    #[error("a repository failed")]
    Repository(#[from] RepositoryError),
}

impl From<Report> for WebhookError {
    fn from(report: Report) -> Self {
        Self::Invalid(report)
    }
}
