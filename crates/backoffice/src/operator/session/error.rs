//! Why an operator could not sign in, or not do something with its session.

use std::time::Duration;

use crate::operator::{HashingError, PasswordProblem};
use pressline_domain::error::{RepositoryError, Source};

/// Why an operator could not sign in, or not do something with its session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The name or the password is wrong. Which one is not revealed.
    #[error("the name or the password is not right")]
    Denied,
    /// The link is unknown, was used, or has expired. Which one is not revealed.
    #[error(
        "this link was used already or has expired; `pressline operator sign-in NAME` makes a new one"
    )]
    LinkDenied,
    /// Too many tries, of this name or from this address.
    #[error("too many tries; try again in {} s", .retry_after.as_secs().max(1))]
    TooManyTries {
        /// How long until the next try counts.
        retry_after: Duration,
    },
    /// Too many passwords are being checked.
    #[error("too many passwords are being checked; try again in {} s", .retry_after.as_secs().max(1))]
    Busy {
        /// How long to wait.
        retry_after: Duration,
    },
    /// A text cannot be the new password.
    #[error(transparent)]
    Unfit(#[from] PasswordProblem),
    /// To set a password, the present one is needed, or a sign-in by a link within the last 10
    /// minutes.
    #[error("the present password is needed")]
    CurrentNeeded,
    /// The session has ended.
    #[error("the session has ended")]
    Ended,
    /// There is no operator with this name.
    #[error("there is no operator `{0}`")]
    NotFound(String),
    /// The operator with this name is a carrier.
    #[error("`{0}` is a carrier; carriers report parcels with a token and cannot sign in")]
    Carrier(String),
    /// Passwords cannot be hashed.
    #[error("a password cannot be checked")]
    Hashing(#[source] HashingError),
    /// The system provides no randomness.
    #[error("no session can be made")]
    Secret(#[source] Source),
    /// The repository failed.
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
