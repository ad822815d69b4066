//! The ports around signatures: computing them, sealing keys, and telling who calls.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::error::RepositoryError;
use crate::id::{EndpointId, KeyId, StoreId};
use crate::store::{LIVE_KEYS, MasterKeyId, SecretKey, Store};

/// The text that a signature is made over.
#[derive(Debug, Clone, Copy)]
pub enum SignedText<'a> {
    /// The body alone.
    Body(&'a [u8]),
    /// `<timestamp>.<path>.<body>`.
    Timestamped {
        /// The value of `X-Service-Timestamp`, as it was sent.
        timestamp: &'a str,
        /// The path as the interface has it, without the base URL.
        path: &'a str,
        /// The body.
        body: &'a [u8],
    },
}

/// Characters of a signature in padded base64: 32 bytes make 43 characters and one of padding.
const BASE64_CHARACTERS: usize = 44;
/// Characters of a signature in hexadecimal: two for each of 32 bytes.
const HEX_CHARACTERS: usize = 64;

/// Returns whether a text has the form of a signature: padded standard base64 of 32 bytes, or 64
/// hex digits.
///
/// [`Signer::verify`] refuses every text without this form, so that a call can be refused before
/// its body is read.
pub fn is_signature_form(text: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    match (text.len(), text.strip_suffix('=')) {
        (BASE64_CHARACTERS, Some(digits)) => digits.bytes().all(is_base64),
        (HEX_CHARACTERS, _) => text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => false,
    }
}

/// Computes and checks signatures.
pub trait Signer: Send + Sync {
    /// The signature in its canonical encoding: padded standard base64 of HMAC-SHA256.
    fn sign(&self, key: &SecretKey, text: &SignedText<'_>) -> String;

    /// Which of the keys made the signature, as an index; `None` where none did.
    ///
    /// MUST agree with every test vector of `signatures.json`
    /// (`agrees_with_the_signature_vectors`) and accept what [`Signer::sign`] makes
    /// (`signs_what_it_accepts`), MUST name the key that signed (`names_the_key_that_signed`), MUST
    /// accept padded base64 and 64 hex digits of either case (`takes_hex_of_either_case`), and for
    /// [`SignedText::Body`] also a signature of the body with the white space outside strings
    /// removed, but a timestamped text only as it is (`a_timestamped_text_is_signed_unchanged`).
    /// MUST refuse every text that is not a signature (`refuses_malformed_signatures`). MUST compute, for every signature that it refuses, as many MACs as the text
    /// alone asks for, and compare in constant time.
    fn verify(
        &self,
        keys: &[&SecretKey; LIVE_KEYS],
        text: &SignedText<'_>,
        signature: &str,
    ) -> Option<usize>;
}

/// A new secret key, in the clear and sealed.
#[derive(Debug, Clone)]
pub struct IssuedKey {
    /// The text to show once to its owner.
    pub secret: SecretKey,
    /// What to keep.
    pub sealed: Vec<u8>,
    /// The master key that it is sealed with.
    pub sealed_with: MasterKeyId,
}

/// Why a key could not be sealed or opened. The reason never holds key material.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// The master key that is needed is not configured.
    #[error(
        "the keys are sealed with another master key (id {needed}) than the configured one (id {configured})"
    )]
    AnotherMasterKey {
        /// The ids of the configured master keys, separated by commas.
        configured: String,
        /// The id of the master key that the keys are sealed with.
        needed: MasterKeyId,
    },
    /// Anything else.
    #[error("{reason}")]
    Failed {
        /// What is wrong.
        reason: Cow<'static, str>,
        /// Why, where something below knows more.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

/// To whom a secret key belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyOwner {
    /// A store, which signs its calls with it.
    Store(StoreId),
    /// A webhook endpoint, whose events are signed with it.
    Endpoint(EndpointId),
}

impl fmt::Display for KeyOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(store) => write!(f, "store {store}"),
            Self::Endpoint(endpoint) => write!(f, "webhook {endpoint}"),
        }
    }
}

/// Makes secret keys, and seals them for one owner so that no other owner's record can use them.
pub trait KeyIssuer: Send + Sync {
    /// Makes a random secret key for an owner, sealed with the given master key; with the first of
    /// the configured ones where none is given, because the database has not been sealed with any
    /// yet.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`] if the given master key is not configured;
    /// [`SealError::Failed`] if the system has no randomness.
    fn issue(
        &self,
        owner: KeyOwner,
        seal_with: Option<MasterKeyId>,
    ) -> Result<IssuedKey, SealError>;

    /// Opens a sealed key of an owner and seals it with the given master key.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`] if a master key that is needed is not configured;
    /// [`SealError::Failed`] if the sealed key was changed or belongs to another owner.
    fn reseal(
        &self,
        owner: KeyOwner,
        sealed: &[u8],
        with: MasterKeyId,
    ) -> Result<Vec<u8>, SealError>;

    /// Checks that a master key is configured.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`].
    fn require(&self, master_key: MasterKeyId) -> Result<(), SealError>;
}

/// The least that an operation requires of the signature of a call. The timestamped form is always accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignatureForm {
    /// [`SignedText::Timestamped`]: the signature covers the path, and expires.
    #[default]
    Timestamped,
    /// [`SignedText::Body`].
    Plain,
    /// [`SignedText::Body`], or no signature if the store allows unsigned searches.
    PlainOrNone,
}

/// A call as it claims to be.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// `X-Service-Store-Id`.
    pub store_id: Option<&'a str>,
    /// `X-Service-Hmac-Sha256`.
    pub signature: Option<&'a str>,
    /// `X-Service-Timestamp`.
    pub timestamp: Option<&'a str>,
    /// The path as the interface has it.
    pub path: &'a str,
    /// The body, byte by byte as it came.
    pub body: &'a [u8],
    /// What the operation requires.
    pub form: SignatureForm,
}

/// Why a call was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Denied {
    /// Store or signature are not accepted. The reason is for the log, never for the caller.
    #[error("permission denied: {0}")]
    Permission(&'static str),
    /// The signature is good, the timestamp too far from the server's clock.
    #[error(
        "X-Service-Timestamp is more than 300 seconds from the server's clock, or not in unix seconds"
    )]
    TimestampOutOfRange,
    /// The signature is good, but the operation or the store requires a timestamp.
    #[error(
        "X-Service-Timestamp is required: send it in unix seconds and sign `<timestamp>.<path>.<body>`"
    )]
    TimestampRequired,
    /// No key that can be opened made the signature, and another key of the store cannot be opened:
    /// the signature may be right. The reason is for the log.
    #[error("a secret key of the store cannot be opened: {0}")]
    KeyUnreadable(Arc<str>),
    /// Nobody could tell, as the stores could not be read.
    #[error("the stores could not be read")]
    Repository(#[from] RepositoryError),
}

/// A store whose call was accepted.
#[derive(Clone, Debug)]
pub struct Authenticated {
    /// The store.
    pub store: Arc<Store>,
    /// The key that signed the call; `None` if the call was allowed without a signature.
    pub key: Option<KeyId>,
}

/// Tells which store calls.
#[async_trait]
pub trait Authenticator: Send + Sync {
    /// The store that made the call, and the key that signed it.
    ///
    /// # Errors
    /// [`Denied`]: an unknown or disabled store, a missing, empty or wrong signature are all
    /// [`Denied::Permission`] and take the same number of MACs.
    async fn authenticate(&self, call: &Call<'_>) -> Result<Authenticated, Denied>;
}

#[cfg(test)]
mod tests {
    use crate::store::auth::*;

    #[test]
    fn signatures_are_base64_of_32_bytes_or_64_hex_digits() {
        let base64 = format!("{}=", "aZ0+/".repeat(9).split_at(43).0);
        for right in [base64.as_str(), &"0aF".repeat(22)[..64]] {
            assert!(is_signature_form(right), "{right}");
        }
        let wrong = [
            "".to_owned(),
            "x".to_owned(),
            "A".repeat(43),
            "A".repeat(44),
            format!("{}==", "A".repeat(42)),
            format!("{}-=", "A".repeat(42)),
            "g".repeat(64),
            "0".repeat(63),
            "0".repeat(65),
            "ü".repeat(32),
        ];
        for wrong in wrong {
            assert!(!is_signature_form(&wrong), "{wrong}");
        }
    }
}
