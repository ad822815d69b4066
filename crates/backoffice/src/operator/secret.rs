//! Secrets of 32 random bytes for tokens, sessions and links. Only their digests are stored.

use std::fmt::{self, Write as _};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use pressline_domain::error::Source;

/// Length in bytes. 256 bits cannot be guessed, so a plain digest of a secret is safe to store.
const SECRET: usize = 32;

/// Random bytes of a new secret. They are zeroed when dropped.
pub type SecretBytes = Zeroizing<[u8; SECRET]>;

/// Generates the random bytes of secrets: for tokens, sessions and links.
pub trait SecretSource: Send + Sync {
    /// Returns 32 random bytes from a source that is suitable for keys.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    fn secret(&self) -> Result<SecretBytes, Source>;
}

/// SHA-256 digest of the string form of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// Wraps the bytes of a stored digest.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the digest. Compare them in constant time.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A secret in plain text: 64 hexadecimal digits in lower case.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// Encodes `secret` as hexadecimal digits.
    pub fn new(secret: &SecretBytes) -> Self {
        let mut digits = Zeroizing::new(String::with_capacity(2 * SECRET));
        for byte in secret.iter() {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Self(digits)
    }

    /// Reads a secret of 64 hexadecimal digits; returns `None` if `text` has another form.
    /// Upper-case digits are refused, so that each secret has a single digest.
    pub fn parse(text: &str) -> Option<Self> {
        let is_lower_hex = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        let is_secret = text.len() == 2 * SECRET && text.bytes().all(is_lower_hex);
        is_secret.then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// Returns the SHA-256 digest of the text, to store instead of the secret.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest(Sha256::digest(self.0.as_bytes()).into())
    }

    /// Returns the plain text. Show it only once, and only to its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_in_the_form_that_is_shown() {
        let text = SecretText::new(&Zeroizing::new([0xa7; 32]));
        assert_eq!(text.expose(), "a7".repeat(32));
        assert_eq!(SecretText::parse(text.expose()), Some(text.clone()));
        assert!(!format!("{text:?}").contains("a7"));
    }

    #[test]
    fn a_text_of_another_form_is_no_secret() {
        let right = "0".repeat(64);
        assert!(SecretText::parse(&right).is_some());
        for wrong in [
            "",
            &right[1..],
            &format!("{right}0"),
            &format!("{}A", &right[1..]),
            &format!("{}é", &right[2..]),
        ] {
            assert_eq!(SecretText::parse(wrong), None, "{wrong}");
        }
    }
}
