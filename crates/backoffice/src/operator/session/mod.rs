//! Sessions of operators in the console: how they begin, how long they last, and what they show.

mod account;
mod error;
mod open;
mod port;
mod service;
mod throttle;

use std::net::IpAddr;

use super::{Operator, PasswordHash, Preferences, SecretDigest, SecretText};
use pressline_domain::id::{OperatorId, SessionId};
use pressline_domain::time::Timestamp;

pub use error::SessionError;
pub use port::{AccountRepository, Proof, SessionRepository};
pub use service::{SessionPorts, SessionService};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// Milliseconds without an action after which a session is over.
const IDLE: i64 = 12 * HOUR;
/// Milliseconds after which a session is over, however it is used.
const LIFETIME: i64 = 7 * 24 * HOUR;
/// Milliseconds for which a confirmation holds.
const CONFIRMED: i64 = 10 * MINUTE;
/// Milliseconds for which a link can be used.
const LINK_LIFETIME: i64 = 10 * MINUTE;
/// Milliseconds between two moments that are noted as the last use of a session.
const NOTED_EVERY: i64 = MINUTE;

/// Maximum number of sessions of an operator. Beyond, a new one ends the oldest.
pub const MAX_SESSIONS: u32 = 50;

pressline_kit::named! {
    /// How an operator has shown who it is.
    pub enum Confirmation {
        /// By its password.
        Password = "password",
        /// By a link for signing in.
        Link = "link",
    }
}

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id, which is public.
    pub id: SessionId,
    /// Whose session it is.
    pub operator: OperatorId,
    /// The digest of the text that the browser sends.
    pub digest: SecretDigest,
    /// The address of the client that signed in.
    pub client: IpAddr,
    /// When it began.
    pub signed_in_at: Timestamp,
    /// When it was last used for an action, to the minute.
    pub last_used_at: Timestamp,
    /// When the operator last showed who it is.
    pub confirmed_at: Timestamp,
    /// How it did.
    pub confirmed_by: Confirmation,
}

impl Session {
    /// Returns whether the session is over: 12 hours after its last use, 7 days after its
    /// beginning.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.last_used_at <= Self::used_before(now) || self.signed_in_at <= Self::begun_before(now)
    }

    /// Returns the moment of the latest last use with which a session is over by now.
    pub fn used_before(now: Timestamp) -> Timestamp {
        now.plus_millis(-IDLE)
    }

    /// Returns the moment of the latest beginning with which a session is over by now.
    pub fn begun_before(now: Timestamp) -> Timestamp {
        now.plus_millis(-LIFETIME)
    }

    fn is_noted(&self, now: Timestamp) -> bool {
        now.millis_since(self.last_used_at) >= NOTED_EVERY
    }
}

/// What a request is to its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// A person has done something: the session is used.
    Action,
    /// The page asks by itself for news: the session is not used.
    Poll,
}

/// An operator with what belongs to its person in the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The operator.
    pub operator: Operator,
    /// The hash of its password; `None` until it has set one.
    pub password: Option<PasswordHash>,
    /// What it has chosen.
    pub preferences: Preferences,
}

/// A link by which an operator can sign in once, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInLink {
    /// The digest of its text.
    pub digest: SecretDigest,
    /// Who can sign in by it.
    pub operator: OperatorId,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// A link that was just made: the only time that its text can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// Who can sign in by it.
    pub operator: Operator,
    /// What the link's address contains.
    pub text: SecretText,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// Who calls: recorded with a session, and counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The address that the request came from.
    pub address: IpAddr,
    /// The id of the request, for the audit.
    pub request_id: Option<String>,
}

/// A session that was just opened: the only time that its text can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedSession {
    /// What the browser sends from now on.
    pub text: SecretText,
    /// Who has signed in.
    pub signed_in: SignedIn,
}

/// An operator in its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The operator.
    pub operator: Operator,
    /// The session.
    pub session: Session,
    /// Whether the operator has a password.
    pub has_password: bool,
    /// What the operator has chosen.
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

    /// Returns whether the operator has shown in the last 10 minutes who it is. Keys, operators and
    /// secrets require it.
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        now.millis_since(self.session.confirmed_at) < CONFIRMED
    }

    /// Returns whether the operator must give its password to set another one. It need not if it
    /// has none, or has just come by a link: it may have forgotten the password.
    pub fn needs_current_password(&self, now: Timestamp) -> bool {
        let came_by_link = self.session.confirmed_by == Confirmation::Link;
        self.has_password && !(came_by_link && self.is_confirmed(now))
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
