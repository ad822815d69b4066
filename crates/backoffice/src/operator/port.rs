//! Ports for operators and their tokens: storage and authentication.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Operator, OperatorRecord, OperatorToken};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OperatorId, Timestamp, TokenId};

type Result<T, E = RepositoryError> = std::result::Result<T, E>;

/// Minute of the last use of each token.
pub type TokenUses = BTreeMap<TokenId, Timestamp>;

/// Access to revoke with [`OperatorDirectory::revoke`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// The token with this id.
    Token(TokenId),
    /// All access of an operator: tokens, password, sessions and sign-in links.
    Operator(OperatorId),
}

/// Stores operators. Each call is one transaction.
#[async_trait]
pub trait OperatorDirectory: Send + Sync {
    /// Adds the operator in `record` with its tokens.
    ///
    /// The operator MUST be listed as given (`an_added_operator_is_listed_as_given`). A name that
    /// another operator has MUST be refused with [`RepositoryError::Duplicate`]
    /// (`a_name_of_an_operator_is_unique`), also if calls run concurrently
    /// (`of_concurrent_adds_of_a_name_one_wins`).
    async fn add(&self, record: &OperatorRecord) -> Result<()>;

    /// Returns all operators, oldest first, each with its tokens, oldest first
    /// (`operators_and_tokens_are_listed_oldest_first`).
    async fn list(&self) -> Result<Vec<OperatorRecord>>;

    /// Adds `token` to `operator` (`a_token_is_added_to_its_operator`). MUST be refused with
    /// [`RepositoryError::Stale`] if the operator does not exist
    /// (`a_token_of_an_unknown_operator_is_refused`).
    async fn add_token(&self, operator: OperatorId, token: &OperatorToken) -> Result<()>;

    /// Removes the access that `revocation` names: a token, or all tokens of an operator
    /// (`a_revoked_token_is_gone`, `all_tokens_of_an_operator_are_revoked`). The operator remains.
    /// An unknown token is not an error.
    ///
    /// With [`Revocation::Operator`], the operator's password, sessions and links MUST be removed
    /// as well (`a_revoked_operator_is_signed_out`), including sessions opened and passwords set
    /// concurrently (`nothing_that_is_opened_at_once_survives_a_revocation`).
    async fn revoke(&self, revocation: Revocation) -> Result<()>;

    /// Records the last uses of tokens, of any operators, together. For each token, the call MUST
    /// change nothing if a later minute is stored (`the_latest_use_of_a_token_is_kept`) or if no
    /// operator has the token (`uses_of_unknown_tokens_are_ignored`).
    ///
    /// Collect the uses of some seconds: a call costs a transaction, whatever the number of tokens.
    async fn note_token_uses(&self, uses: &TokenUses) -> Result<()>;
}

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
