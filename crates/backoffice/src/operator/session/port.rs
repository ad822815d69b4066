//! Repository ports for sessions, sign-in links, passwords and preferences.

use async_trait::async_trait;

use super::{Account, Confirmation, Session, SignInLink};
use crate::operator::{PasswordHash, Preferences, SecretDigest};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

type Result<T> = std::result::Result<T, RepositoryError>;

/// Proof of identity that opens a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Stored hash of the operator's password. The entered password has matched it.
    Password(PasswordHash),
    /// The sign-in link with this digest.
    Link(SecretDigest),
}

/// Stores sessions and sign-in links. Each call is one transaction.
#[async_trait]
pub trait SessionRepository: Send + Sync {
    /// Adds `link`. MUST be refused with [`RepositoryError::Stale`] if the operator does not exist
    /// (`a_link_of_an_unknown_operator_is_refused`).
    async fn add_link(&self, link: &SignInLink) -> Result<()>;

    /// Returns the link with `digest` and the account that the link opens; `None` if no link has
    /// `digest` (`a_link_is_found_with_its_account`). An expired link may be returned.
    async fn link(&self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>>;

    /// Adds `session`. Returns `false`, and adds nothing, if `proof` is no longer valid.
    ///
    /// A link MUST belong to the session's operator, and MUST be removed
    /// (`a_link_opens_one_session`), also if calls run concurrently
    /// (`of_concurrent_uses_of_a_link_one_opens_a_session`). A password hash MUST equal the
    /// operator's stored hash (`a_password_that_was_changed_opens_no_session`). The operator's
    /// oldest sessions beyond [`MAX_SESSIONS`](super::MAX_SESSIONS) MUST be removed
    /// (`an_operator_has_a_bounded_number_of_sessions`).
    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool>;

    /// Returns the session with `digest` and the account of its operator; `None` if no session has
    /// `digest`. Both MUST be as stored (`a_session_is_found_with_its_account`). A session that is
    /// over may be returned.
    async fn find(&self, digest: SecretDigest) -> Result<Option<(Session, Account)>>;

    /// Returns the sessions of `operator`, latest sign-in first
    /// (`sessions_of_an_operator_are_listed_latest_first`).
    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>>;

    /// Stores `at` as the last use of `session`. MUST change nothing if a later time is stored
    /// (`the_latest_use_of_a_session_is_kept`) or the session does not exist.
    async fn note_session_use(&self, session: SessionId, at: Timestamp) -> Result<()>;

    /// Stores that the operator of `session` confirmed its identity at `at`, by the means `by`.
    /// Returns `false` if the session does not exist
    /// (`a_confirmation_is_recorded_with_the_session`).
    async fn confirm(&self, session: SessionId, at: Timestamp, by: Confirmation) -> Result<bool>;

    /// Removes `session` of `operator`. Returns `false` if it is not a session of `operator`
    /// (`only_a_session_of_the_operator_is_closed`).
    async fn close(&self, operator: OperatorId, session: SessionId) -> Result<bool>;

    /// Removes up to `limit` sessions that are over at `now`, and up to `limit` expired links.
    /// Returns the number of removed sessions and links. MUST NOT remove other sessions or links
    /// (`only_what_is_over_is_pruned`), nor more than `limit` of either (`pruning_is_bounded`).
    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64>;
}

/// Stores passwords and preferences of operators. Each call is one transaction.
#[async_trait]
pub trait AccountRepository: Send + Sync {
    /// Returns the account of the operator `name`; `None` if the operator does not exist. An
    /// operator that has set nothing MUST have no password and the default preferences
    /// (`an_account_begins_without_a_password`).
    async fn account(&self, name: &str) -> Result<Option<Account>>;

    /// Sets `hash` as the password of the session's operator, and stores that the operator
    /// confirmed its identity at `at` (`a_password_is_set_by_a_session`). Returns `false`, and
    /// changes nothing, if the session does not exist, for example after a revocation
    /// (`a_session_that_is_gone_sets_no_password`). All other sessions and all sign-in links of the
    /// operator MUST be removed (`a_new_password_ends_other_sessions`).
    async fn set_password(
        &self,
        session: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool>;

    /// Replaces the preferences of `operator` (`preferences_are_kept_with_the_account`). MUST be
    /// refused with [`RepositoryError::Stale`] if the operator does not exist
    /// (`preferences_of_an_unknown_operator_are_refused`).
    async fn save_preferences(&self, operator: OperatorId, preferences: &Preferences)
    -> Result<()>;
}
