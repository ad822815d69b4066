//! Errors of signing in and of sessions.

use std::time::Duration;

use crate::operator::{HashingError, PasswordProblem};
use pressline_domain::error::{RepositoryError, Source};

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
    /// A call of a [`SessionRepository`](super::SessionRepository) or another repository failed.
    #[error("the sessions could not be read or written")]
    Repository(#[from] RepositoryError),
}

const BUSY: Duration = Duration::from_secs(2);

impl From<HashingError> for SessionError {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Self::Busy { retry_after: BUSY },
            error => Self::Hashing(error),
        }
    }
}
