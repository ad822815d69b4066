//! Sessions of operators in the console: their start, lifetime, content and errors.

mod port;
mod service;
mod throttle;

use std::net::IpAddr;
use std::time::Duration;

use super::{
    HashingError, Operator, PasswordHash, PasswordProblem, Preferences, SecretDigest, SecretText,
};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

pub use port::{AccountRepository, Proof, SessionRepository};
pub use service::{SessionPorts, SessionService};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

const IDLE: i64 = 12 * HOUR;
const LIFETIME: i64 = 7 * 24 * HOUR;
const CONFIRMED: i64 = 10 * MINUTE;
const LINK_LIFETIME: i64 = 10 * MINUTE;
const NOTED_EVERY: i64 = MINUTE;
const BUSY: Duration = Duration::from_secs(2);

/// Maximum number of sessions of an operator. A new session beyond it ends the oldest session.
pub const MAX_SESSIONS: u32 = 50;

pressline_kit::named! {
    /// Means by which an operator confirmed its identity.
    pub enum Confirmation {
        /// The operator entered its password.
        Password = "password",
        /// The operator used a sign-in link.
        Link = "link",
    }
}

/// A session as stored by [`SessionRepository`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Id of the session; not secret.
    pub id: SessionId,
    /// Operator who signed in.
    pub operator: OperatorId,
    /// Digest of the secret that the browser sends, see [`OpenedSession::text`].
    pub digest: SecretDigest,
    /// IP address of the client that signed in.
    pub client: IpAddr,
    /// Time at which the operator signed in and the session began.
    pub signed_in_at: Timestamp,
    /// Time of the last [`Activity::Action`]; actions less than a minute later are not noted.
    pub last_used_at: Timestamp,
    /// Time of the last confirmation of the operator's identity.
    pub confirmed_at: Timestamp,
    /// Means of the confirmation at `confirmed_at`.
    pub confirmed_by: Confirmation,
}

impl Session {
    /// Returns whether the session is over: 12 hours after its last use or 7 days after its start.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.last_used_at <= Self::used_before(now) || self.signed_in_at <= Self::begun_before(now)
    }

    /// Returns `now` minus the idle timeout: a session last used at this time or earlier is over.
    pub fn used_before(now: Timestamp) -> Timestamp {
        now.plus_millis(-IDLE)
    }

    /// Returns `now` minus the maximum lifetime: a session begun at this time or earlier is over.
    pub fn begun_before(now: Timestamp) -> Timestamp {
        now.plus_millis(-LIFETIME)
    }

    fn is_noted(&self, now: Timestamp) -> bool {
        now.millis_since(self.last_used_at) >= NOTED_EVERY
    }
}

/// Cause of a request in a session. It determines whether the request counts as a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// A person acted: the request counts as a use of the session.
    Action,
    /// The page polls for changes: the request does not count as a use.
    Poll,
}

/// An operator with its password and preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The operator, with name, role and stores.
    pub operator: Operator,
    /// Hash of the password; `None` until the operator sets a password.
    pub password: Option<PasswordHash>,
    /// The operator's preferences for the console; the defaults until the operator sets them.
    pub preferences: Preferences,
}

/// A sign-in link as stored by [`SessionRepository`]. It can be used once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInLink {
    /// Digest of the link's secret, see [`NewLink::text`].
    pub digest: SecretDigest,
    /// Operator who can sign in by the link.
    pub operator: OperatorId,
    /// Expiry: from this time on, the link is refused.
    pub expires_at: Timestamp,
}

/// A new sign-in link with its secret. The secret cannot be read again later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// Operator who can sign in by the link.
    pub operator: Operator,
    /// Secret in the URL of the link; only its digest is stored.
    pub text: SecretText,
    /// Expiry: from this time on, the link is refused.
    pub expires_at: Timestamp,
}

/// Origin of a request, recorded with a session. Sign-in attempts are counted by its `address`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// IP address of the client.
    pub address: IpAddr,
    /// Id of the request, for the audit log; `None` if it has no id.
    pub request_id: Option<String>,
}

/// A new session with its secret. The secret cannot be read again later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedSession {
    /// Secret that the browser sends with each request; only its digest is stored.
    pub text: SecretText,
    /// The signed-in operator, with the new session.
    pub signed_in: SignedIn,
}

/// A signed-in operator, with its session and preferences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The signed-in operator, with name, role and stores.
    pub operator: Operator,
    /// Session of the operator, as [`SessionRepository`] stores it.
    pub session: Session,
    /// `true` if the operator has set a password.
    pub has_password: bool,
    /// The operator's preferences for the console.
    pub preferences: Preferences,
}

impl SignedIn {
    fn new(session: Session, account: Account) -> Self {
        Self {
            operator: account.operator,
            session,
            has_password: account.password.is_some(),
            preferences: account.preferences,
        }
    }

    /// Returns whether the operator confirmed its identity within the last 10 minutes, as changes
    /// of keys, operators and secrets require.
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        now.millis_since(self.session.confirmed_at) < CONFIRMED
    }

    /// Returns whether the operator must give its current password to set a new password. No
    /// password is needed if the operator has none. Nor is it needed within 10 minutes after
    /// signing in by a link, because the operator may have forgotten it.
    pub fn needs_current_password(&self, now: Timestamp) -> bool {
        let came_by_link = self.session.confirmed_by == Confirmation::Link;
        self.has_password && !(came_by_link && self.is_confirmed(now))
    }
}

/// Error of signing in, or of a call within a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The name or the password is wrong. The error does not reveal more.
    #[error("the name or the password is not right")]
    Denied,
    /// The link is unknown, was used, or has expired. The error does not reveal more.
    #[error(
        "this link was used already or has expired; `pressline operator sign-in NAME` makes a new link"
    )]
    LinkDenied,
    /// Too many sign-in attempts with this name or from this address.
    #[error("too many attempts; try again in {} s", .retry_after.as_secs().max(1))]
    TooManyTries {
        /// Time to wait before the next attempt.
        retry_after: Duration,
    },
    /// Too many passwords are being checked concurrently.
    #[error("too many passwords are being checked; try again in {} s", .retry_after.as_secs().max(1))]
    Busy {
        /// Time to wait before the next attempt.
        retry_after: Duration,
    },
    /// The new password is too short, too long or too easy to guess.
    #[error(transparent)]
    Unfit(#[from] PasswordProblem),
    /// The current password is missing. An operator that has a password needs it to set a new
    /// password, except within 10 minutes after signing in by a link.
    #[error("the current password is required")]
    CurrentNeeded,
    /// The session no longer exists, for example because it was revoked.
    #[error("the session has ended")]
    Ended,
    /// No operator has this name.
    #[error("there is no operator `{0}`")]
    NotFound(String),
    /// The operator with this name is a carrier and cannot sign in.
    #[error("`{0}` is a carrier; carriers report parcels with a token and cannot sign in")]
    Carrier(String),
    /// The password could not be hashed or compared.
    #[error("a password cannot be checked")]
    Hashing(#[source] HashingError),
    /// The system provides no randomness.
    #[error("no session can be made")]
    Secret(#[source] Source),
    /// A call of a [`SessionRepository`] or another repository failed.
    #[error("the sessions could not be read or written")]
    Repository(#[from] RepositoryError),
}

impl From<HashingError> for SessionError {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Self::Busy { retry_after: BUSY },
            error => Self::Hashing(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use uuid::Uuid;

    use super::*;

    fn session(signed_in_at: i64, last_used_at: i64) -> Session {
        Session {
            id: SessionId::new(Uuid::nil()),
            operator: OperatorId::SANDBOX,
            digest: SecretDigest::new([0; 32]),
            client: Ipv4Addr::LOCALHOST.into(),
            signed_in_at: Timestamp::from_millis(signed_in_at),
            last_used_at: Timestamp::from_millis(last_used_at),
            confirmed_at: Timestamp::from_millis(signed_in_at),
            confirmed_by: Confirmation::Password,
        }
    }

    #[test]
    fn a_session_is_over_12_hours_after_its_last_use_and_after_7_days() {
        let at = |hours: i64, millis: i64| Timestamp::from_millis(hours * HOUR + millis);
        let used_once = session(0, HOUR);
        assert!(!used_once.is_over(at(13, -1)));
        assert!(used_once.is_over(at(13, 0)));
        let in_use = session(0, 7 * 24 * HOUR - 1);
        assert!(!in_use.is_over(at(7 * 24, -1)));
        assert!(in_use.is_over(at(7 * 24, 0)));
    }

    #[test]
    fn a_use_is_noted_once_a_minute() {
        let session = session(0, 0);
        assert!(!session.is_noted(Timestamp::from_millis(MINUTE - 1)));
        assert!(session.is_noted(Timestamp::from_millis(MINUTE)));
    }
}
