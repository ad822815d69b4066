//! Passwords: what one must be like, and the port that hashes them.

use std::fmt;

use async_trait::async_trait;
use zeroize::Zeroizing;

use pressline_domain::error::Source;

/// Minimum number of characters of a password.
pub const PASSWORD_CHARS: usize = 12;
/// Maximum number of bytes of a password, in UTF-8.
pub const PASSWORD_BYTES: usize = 1000;
/// The least strength of a password, from 0 to 4: by zxcvbn, more than 10^8 guesses.
const LEAST_STRENGTH: u8 = 3;

/// A password in the clear, as it was typed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes a text, which is not checked: it may be a guess.
    pub fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }

    /// Returns the text.
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

/// The hash of a password, with its algorithm, parameters and salt: a string in the PHC format.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Takes a hash that a [`PasswordHasher`] made or a repository kept.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the string to store.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// How hard a password is to guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strength {
    /// From 0, at most 1,000 guesses, to 4, more than 10^10.
    pub score: u8,
    /// Sentences for its owner that say what makes it easy to guess; empty if nothing does.
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

/// Why a text cannot be a new password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordProblem {
    /// It has too few characters; so many.
    #[error("a password has at least {PASSWORD_CHARS} characters; this one has {0}")]
    Short(usize),
    /// It is too long.
    #[error("a password has at most {PASSWORD_BYTES} bytes")]
    Long,
    /// It is easy to guess; with what makes it so.
    #[error(
        "this password is easy to guess; four uncommon words, or what a password manager makes, are not. {0}"
    )]
    Weak(String),
}

/// Why a password could not be hashed or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HashingError {
    /// Too many other passwords wait. A later try can succeed.
    #[error("too many passwords wait to be checked")]
    Busy,
    /// The algorithm failed, or a stored hash cannot be read.
    #[error("the password cannot be checked")]
    Failed(#[source] Source),
}

/// Hashes passwords by an algorithm that costs an attacker time and memory for each guess.
///
/// The work does not run on the caller's thread, and a bounded number of passwords is worked on at
/// once: it takes tens of milliseconds and of mebibytes. Further ones wait for a bounded time.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Returns how hard a password is to guess for those who know these texts about its owner.
    async fn strength(&self, password: &Password, known: &[&str])
    -> Result<Strength, HashingError>;

    /// Returns a hash of a password, with a new salt.
    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError>;

    /// Returns whether a hash is one of this password. Without a hash it returns false, after the
    /// same work: the time must not reveal whether there is one.
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
        // Characters count, not bytes.
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
