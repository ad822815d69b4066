//! Tokens of the form `plo_<id>_<secret>`. Only a digest of the secret is stored.

use std::fmt;

use super::{SecretBytes, SecretDigest, SecretText};
use pressline_domain::value::{Timestamp, TokenId};

/// Prefix of tokens, by which people and secret scanners recognise them.
pub const TOKEN_PREFIX: &str = "plo_";

/// A token as stored by an [`OperatorDirectory`](super::OperatorDirectory).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorToken {
    /// Id of the token; not secret.
    pub id: TokenId,
    /// Digest of the secret part of [`TokenText`].
    pub digest: SecretDigest,
    /// Time at which the token was issued.
    pub created_at: Timestamp,
    /// Expiry: from this time on, the token is refused; `None` if it never expires.
    pub expires_at: Option<Timestamp>,
    /// Minute of the last use; `None` before the first use. A crash may lose the latest uses.
    pub last_used_at: Option<Timestamp>,
}

impl OperatorToken {
    /// Returns whether the token has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expires| expires <= now)
    }
}

/// A token in plain text: `plo_<id>_<secret>`.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenText {
    id: TokenId,
    secret: SecretText,
}

impl TokenText {
    /// Creates the plain text of the token `id` with `secret`.
    pub fn new(id: TokenId, secret: &SecretBytes) -> Self {
        Self {
            id,
            secret: SecretText::new(secret),
        }
    }

    /// Reads a token; returns `None` if `text` does not have the form `plo_<id>_<secret>`.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(TOKEN_PREFIX)?;
        // An id contains hyphens but no underscore.
        let (id, secret) = rest.split_once('_')?;
        Some(Self {
            id: id.parse().ok()?,
            secret: SecretText::parse(secret)?,
        })
    }

    /// Returns the id in the text; it is not secret. The stored [`OperatorToken`] has the same id.
    pub fn id(&self) -> TokenId {
        self.id
    }

    /// Returns the digest of the secret, to compare with [`OperatorToken::digest`].
    pub fn digest(&self) -> SecretDigest {
        self.secret.digest()
    }

    /// Returns the whole token. Show it only once, and only to its owner.
    pub fn expose(&self) -> String {
        format!("{TOKEN_PREFIX}{}_{}", self.id, self.secret.expose())
    }
}

impl fmt::Debug for TokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenText({}, …)", self.id)
    }
}

#[cfg(test)]
mod tests {
    use zeroize::Zeroizing;

    use super::*;

    const ID: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

    #[test]
    fn a_token_is_read_in_the_form_that_is_shown() {
        let text = TokenText::new(ID.parse().unwrap(), &Zeroizing::new([0xa7; 32]));
        let shown = text.expose();
        assert_eq!(shown, format!("plo_{ID}_{}", "a7".repeat(32)));
        assert_eq!(TokenText::parse(&shown), Some(text.clone()));
        assert!(!format!("{text:?}").contains("a7a7"));
        // `printf %s a7a7… | sha256sum`
        let digest = text.digest();
        assert_eq!(digest.as_bytes()[..4], [0x99, 0x21, 0xd3, 0xe0]);
    }

    #[test]
    fn other_texts_are_refused() {
        let right = format!("plo_{ID}_{}", "0".repeat(64));
        assert!(TokenText::parse(&right).is_some());
        for wrong in [
            String::new(),
            "plo_".to_owned(),
            right[1..].to_owned(),
            right[..right.len() - 1].to_owned(),
            format!("{right}0"),
            format!("{}A", &right[..right.len() - 1]),
            format!("plo__{}", "0".repeat(64)),
            format!("plo_{ID}{}", "0".repeat(65)),
        ] {
            assert_eq!(TokenText::parse(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_use_is_noted_by_its_minute() {
        for (millis, minute) in [(0, 0), (59_999, 0), (60_000, 60_000), (-1, -60_000)] {
            let noted = Timestamp::from_millis(millis).start_of_minute();
            assert_eq!(noted.as_millis(), minute);
        }
    }
}
