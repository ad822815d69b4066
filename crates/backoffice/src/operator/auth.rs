//! Port that authenticates operators.

use std::sync::Arc;

use async_trait::async_trait;

use super::Operator;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::TokenId;

/// Operator that makes a call, and the token that authenticates the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedOperator {
    /// Operator that owns `token`.
    pub operator: Operator,
    /// Id of the token that the call was made with.
    pub token: TokenId,
}

/// Reason why a token was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorDenied {
    /// The token is not accepted. Contains the reason, only for the log: callers must not learn it.
    #[error("permission denied: {0}")]
    Token(&'static str),
    /// The operators could not be read, so the token was not checked.
    #[error("the operators could not be read")]
    Repository(#[from] RepositoryError),
}

/// Finds the operator that owns a token, and refuses invalid tokens.
#[async_trait]
pub trait OperatorAuthenticator: Send + Sync {
    /// Returns the operator that owns `token`.
    ///
    /// A revoked token MUST be refused within 5 s. The secret MUST be compared in constant time.
    ///
    /// # Errors
    /// [`OperatorDenied::Token`] for every string that is not a valid token;
    /// [`OperatorDenied::Repository`] if the operators cannot be read.
    async fn authenticate(&self, token: &str)
    -> Result<Arc<AuthenticatedOperator>, OperatorDenied>;
}
