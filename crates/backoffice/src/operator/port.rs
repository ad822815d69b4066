//! The port that keeps operators and their tokens.

use async_trait::async_trait;

use super::{OperatorRecord, OperatorToken};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, TokenId};
use pressline_domain::time::Timestamp;

type Result<T> = std::result::Result<T, RepositoryError>;

/// What is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// One token.
    Token(TokenId),
    /// All access of an operator: its tokens, its password, its sessions and its links for signing in.
    Operator(OperatorId),
}

/// Keeps operators. One call is one transaction.
#[async_trait]
pub trait OperatorDirectory: Send + Sync {
    /// Adds an operator with its tokens.
    ///
    /// It MUST be listed as it was given (`an_added_operator_is_listed_as_given`). A name that
    /// another operator has MUST be refused with [`RepositoryError::Duplicate`]
    /// (`a_name_of_an_operator_is_unique`), also when several calls run at once
    /// (`of_concurrent_adds_of_a_name_one_wins`).
    async fn add(&self, record: &OperatorRecord) -> Result<()>;

    /// Returns all operators, oldest first, each with its tokens, oldest first
    /// (`operators_and_tokens_are_listed_oldest_first`).
    async fn list(&self) -> Result<Vec<OperatorRecord>>;

    /// Adds a token to an operator (`a_token_is_added_to_its_operator`). MUST be refused with
    /// [`RepositoryError::Stale`] if there is no such operator
    /// (`a_token_of_an_unknown_operator_is_refused`).
    async fn add_token(&self, operator: OperatorId, token: &OperatorToken) -> Result<()>;

    /// Removes tokens; the operator stays (`a_revoked_token_is_gone`,
    /// `all_tokens_of_an_operator_are_revoked`). Tokens that do not exist are no error.
    ///
    /// With all access of an operator, its password, sessions and links MUST be removed
    /// (`a_revoked_operator_is_signed_out`), also a session that is opened and a password that is set
    /// at the same time (`nothing_that_is_opened_at_once_survives_a_revocation`).
    async fn revoke(&self, revocation: Revocation) -> Result<()>;

    /// Notes that a token was used at this minute. An earlier minute than the noted one MUST change
    /// nothing (`the_latest_use_of_a_token_is_kept`), nor may a token that does not exist.
    async fn note_use(&self, token: TokenId, minute: Timestamp) -> Result<()>;
}
