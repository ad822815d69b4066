//! The ports that keep sessions, links for signing in, passwords and preferences.

use async_trait::async_trait;

use super::{Account, Confirmation, Session, SignInLink};
use crate::operator::{PasswordHash, Preferences, SecretDigest};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, SessionId};
use pressline_domain::time::Timestamp;

type Result<T> = std::result::Result<T, RepositoryError>;

/// By what a session is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The operator's password, of which this is the hash.
    Password(PasswordHash),
    /// A link with this digest.
    Link(SecretDigest),
}

/// Keeps sessions, and the links by which they are opened. One call is one transaction.
#[async_trait]
pub trait SessionRepository: Send + Sync {
    /// Adds a link. MUST be refused with [`RepositoryError::Stale`] if there is no such operator
    /// (`a_link_of_an_unknown_operator_is_refused`).
    async fn add_link(&self, link: &SignInLink) -> Result<()>;

    /// Returns the link with this digest and the account that it opens; `None` if there is none
    /// (`a_link_is_found_with_its_account`). A link that has expired may be returned.
    async fn link(&self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>>;

    /// Adds a session. Returns false, and adds nothing, if the proof does not hold any more.
    ///
    /// A link MUST be one of this operator, and be removed by the session that it opens
    /// (`a_link_opens_one_session`), also when
    /// several calls run at once (`of_concurrent_uses_of_a_link_one_opens_a_session`). A password
    /// MUST still have this hash (`a_password_that_was_changed_opens_no_session`). The operator's
    /// oldest sessions beyond [`MAX_SESSIONS`](super::MAX_SESSIONS) MUST be removed
    /// (`an_operator_has_a_bounded_number_of_sessions`).
    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool>;

    /// Returns the session with this digest and the account that it belongs to; `None` if there is
    /// none. MUST be as they were stored (`a_session_is_found_with_its_account`). A session that is
    /// over may be returned.
    async fn find(&self, digest: SecretDigest) -> Result<Option<(Session, Account)>>;

    /// Returns the sessions of an operator, latest sign-in first
    /// (`sessions_of_an_operator_are_listed_latest_first`).
    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>>;

    /// Notes that a session was used at this moment. An earlier moment than the noted one MUST
    /// change nothing (`the_latest_use_of_a_session_is_kept`), nor may a session that does not exist.
    async fn note_session_use(&self, session: SessionId, at: Timestamp) -> Result<()>;

    /// Records that the operator has shown who it is. Returns false if there is no such session
    /// (`a_confirmation_is_recorded_with_the_session`).
    async fn confirm(&self, session: SessionId, at: Timestamp, by: Confirmation) -> Result<bool>;

    /// Removes a session of this operator. Returns false if it has no such session
    /// (`only_a_session_of_the_operator_is_closed`).
    async fn close(&self, operator: OperatorId, session: SessionId) -> Result<bool>;

    /// Removes at most so many sessions that are over and as many links that have expired by now,
    /// and returns how many. MUST leave all others (`only_what_is_over_is_pruned`), and MUST NOT
    /// remove more (`pruning_is_bounded`).
    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64>;
}

/// Keeps passwords and preferences of operators. One call is one transaction.
#[async_trait]
pub trait AccountRepository: Send + Sync {
    /// Returns the account of the operator with this name; `None` if there is none. An operator that
    /// has set nothing MUST have no password and the default preferences
    /// (`an_account_begins_without_a_password`).
    async fn account(&self, name: &str) -> Result<Option<Account>>;

    /// Replaces the password of the operator whose session this is, and records that it has shown
    /// who it is (`a_password_is_set_by_a_session`). Returns false, and changes nothing, if there is
    /// no such session, such as after a revocation (`a_session_that_is_gone_sets_no_password`). All
    /// other sessions of the operator and its links MUST be removed
    /// (`a_new_password_ends_other_sessions`).
    async fn set_password(
        &self,
        session: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool>;

    /// Replaces the preferences of an operator (`preferences_are_kept_with_the_account`). MUST be
    /// refused with [`RepositoryError::Stale`] if there is no such operator
    /// (`preferences_of_an_unknown_operator_are_refused`).
    async fn save_preferences(&self, operator: OperatorId, preferences: &Preferences)
    -> Result<()>;
}
