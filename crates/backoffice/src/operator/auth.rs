//! The port that finds out which operator calls.

use std::sync::Arc;

use async_trait::async_trait;

use super::Operator;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::TokenId;

/// The operator that makes a call, and the token that it was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedOperator {
    /// The operator.
    pub operator: Operator,
    /// The token's id.
    pub token: TokenId,
}

impl AuthenticatedOperator {
    /// Returns whether the operator may make a call, by its name in [`RIGHTS`](super::RIGHTS).
    pub fn may(&self, call: &str) -> bool {
        self.operator.may(call)
    }
}

/// Why a token was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorDenied {
    /// The token is not accepted. The reason is for the log, never for the caller.
    #[error("permission denied: {0}")]
    Token(&'static str),
    /// The operators could not be read.
    #[error("the operators could not be read")]
    Repository(#[from] RepositoryError),
}

/// Finds out which operator calls.
#[async_trait]
pub trait OperatorAuthenticator: Send + Sync {
    /// Returns the operator whose token this is.
    ///
    /// A revoked token MUST be refused within 5 s. The secret MUST be compared in constant time.
    ///
    /// # Errors
    /// [`OperatorDenied::Token`] for every text that is not a live token.
    async fn authenticate(&self, token: &str)
    -> Result<Arc<AuthenticatedOperator>, OperatorDenied>;
}
