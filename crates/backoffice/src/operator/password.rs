//! Passwords: their rules, and the port that hashes them.

use std::fmt;

use async_trait::async_trait;
use zeroize::Zeroizing;

use pressline_domain::error::Source;

/// Minimum length of a password, in characters.
pub const PASSWORD_CHARS: usize = 12;
/// Maximum length of a password, in bytes of UTF-8.
pub const PASSWORD_BYTES: usize = 1000;
/// Minimum [`Strength::score`] of a new password. A score of 3 needs more than 10^8 guesses.
const LEAST_STRENGTH: u8 = 3;

/// A password in plain text, as typed. It is zeroed when dropped and hidden in `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Wraps `text` without checking it: a person who signs in can type anything.
    pub fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }

    /// Returns the plain text.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn check_length(&self) -> Result<(), PasswordProblem> {
        let chars = self.0.chars().count();
        if chars < PASSWORD_CHARS {
            return Err(PasswordProblem::Short(chars));
        }
        if self.0.len() > PASSWORD_BYTES {
            return Err(PasswordProblem::Long);
        }
        Ok(())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Hash of a password with algorithm, parameters and salt, in PHC format. Hidden in `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps `text`, a string made by a [`PasswordHasher`] or read from a repository.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the string to store, in PHC format.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Resistance of a password to guessing. [`PasswordHasher::strength`] measures it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strength {
    /// Score by the number of guesses needed: from 0 (up to 1,000) to 4 (more than 10^10).
    pub score: u8,
    /// Sentences for the owner about weaknesses of the password; empty if it has no weakness.
    pub advice: String,
}

impl Strength {
    pub(super) fn check(self) -> Result<(), PasswordProblem> {
        if self.score >= LEAST_STRENGTH {
            Ok(())
        } else {
            Err(PasswordProblem::Weak(self.advice))
        }
    }
}

/// Reason why a string cannot be a new password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordProblem {
    /// The password has fewer than [`PASSWORD_CHARS`] characters. Contains their number.
    #[error("the password must have at least {PASSWORD_CHARS} characters, not {0}")]
    Short(usize),
    /// The password has more than [`PASSWORD_BYTES`] bytes.
    #[error("the password must have at most {PASSWORD_BYTES} bytes")]
    Long,
    /// The password is easy to guess. Contains the advice of [`Strength`].
    #[error(
        "this password is easy to guess; four uncommon words, or what a password manager makes, are not. {0}"
    )]
    Weak(String),
}

/// Reason why a password could not be hashed or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HashingError {
    /// Too many other passwords are waiting to be hashed or compared. A later attempt can succeed.
    #[error("too many passwords wait to be checked")]
    Busy,
    /// The algorithm failed, or the stored [`PasswordHash`] is malformed.
    #[error("the password cannot be checked")]
    Failed(#[source] Source),
}

/// Hashes passwords by an algorithm that costs an attacker time and memory for each guess.
///
/// The work does not run on the caller's thread, and takes tens of milliseconds and tens of
/// mebibytes. So only a limited number of passwords is processed concurrently; further calls wait
/// for a limited time.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Returns the strength of `password` against attackers who know the strings `known` about its
    /// owner.
    async fn strength(&self, password: &Password, known: &[&str])
    -> Result<Strength, HashingError>;

    /// Returns a hash of `password` with a new salt.
    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError>;

    /// Returns whether `hash` is a hash of `password`. Without a hash it returns `false` after the
    /// same work: the time must not reveal whether there is a hash.
    async fn is_of(
        &self,
        hash: Option<&PasswordHash>,
        password: &Password,
    ) -> Result<bool, HashingError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_a_least_number_of_characters_and_a_most_of_bytes() {
        let check = |text: &str| Password::new(text).check_length();
        assert_eq!(check("elevenchars"), Err(PasswordProblem::Short(11)));
        assert_eq!(check("twelve chars"), Ok(()));
        // The limit is in characters, not bytes.
        assert_eq!(check("éèêëēėęàâä1"), Err(PasswordProblem::Short(11)));
        assert_eq!(check(&"a".repeat(1000)), Ok(()));
        assert_eq!(check(&"a".repeat(1001)), Err(PasswordProblem::Long));
    }

    #[test]
    fn a_password_that_is_easy_to_guess_is_refused_with_the_reason() {
        let of = |score| Strength {
            score,
            advice: "It is a common name.".to_owned(),
        };
        assert!(of(3).check().is_ok());
        let problem = of(2).check().unwrap_err().to_string();
        assert!(
            problem.ends_with("are not. It is a common name."),
            "{problem}"
        );
    }

    #[test]
    fn neither_a_password_nor_its_hash_is_shown_in_debug_output() {
        let shown = format!(
            "{:?} {:?}",
            Password::new("open sesame"),
            PasswordHash::new("$argon2id$".to_owned())
        );
        assert_eq!(shown, "Password(…) PasswordHash(…)");
    }
}
