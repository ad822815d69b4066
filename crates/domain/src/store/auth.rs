//! Ports for signatures: computing them, sealing keys, and authenticating calls.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::error::RepositoryError;
use crate::store::{LIVE_KEYS, MasterKeyId, SecretKey, Store};
use crate::value::{EndpointId, KeyId, StoreId};

/// The text that a signature covers.
#[derive(Debug, Clone, Copy)]
pub enum SignedText<'a> {
    /// The request body only, as it was sent.
    Body(&'a [u8]),
    /// The string `<timestamp>.<path>.<body>`.
    Timestamped {
        /// Value of `X-Service-Timestamp` as it was sent.
        timestamp: &'a str,
        /// Path of the request without the base URL, such as `/app/v1/orders/create`.
        path: &'a str,
        /// Request body as it was sent.
        body: &'a [u8],
    },
}

/// Length of a signature in padded base64: 32 bytes give 43 characters and one of padding.
const BASE64_CHARACTERS: usize = 44;
const HEX_CHARACTERS: usize = 64;

/// Returns whether `text` is padded standard base64 of 32 bytes, or 64 hex digits.
/// [`Signer::verify`] refuses all other strings, so a call can be refused before its body is read.
pub fn is_signature_form(text: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    match (text.len(), text.strip_suffix('=')) {
        (BASE64_CHARACTERS, Some(digits)) => digits.bytes().all(is_base64),
        (HEX_CHARACTERS, _) => text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => false,
    }
}

/// Computes and verifies signatures.
pub trait Signer: Send + Sync {
    /// Returns the signature of `text` with `key` in its canonical encoding: padded standard base64
    /// of the HMAC-SHA256.
    fn sign(&self, key: &SecretKey, text: &SignedText<'_>) -> String;

    /// Returns the index of the key that made `signature`; `None` if none of `keys` did.
    ///
    /// MUST agree with every test vector of `signatures.json` in the crate `pressline-contract`
    /// (`agrees_with_the_signature_vectors`) and accept the result of [`Signer::sign`]
    /// (`signs_what_it_accepts`). MUST return the key that signed (`names_the_key_that_signed`).
    /// MUST accept padded base64 and 64 hex digits of either case (`takes_hex_of_either_case`). For
    /// a [`SignedText::Body`], MUST also accept a signature of the body without the white space
    /// outside strings. A signature of a timestamped text MUST cover the unchanged text
    /// (`a_timestamped_text_is_signed_unchanged`). MUST refuse every string that is not a signature
    /// (`refuses_malformed_signatures`). If a signature is refused, the number of computed MACs
    /// MUST depend on the text only. Comparisons MUST take constant time.
    fn verify(
        &self,
        keys: &[&SecretKey; LIVE_KEYS],
        text: &SignedText<'_>,
        signature: &str,
    ) -> Option<usize>;
}

/// A new secret key, in clear text and sealed.
#[derive(Debug, Clone)]
pub struct IssuedKey {
    /// Secret to be shown once to its owner.
    pub secret: SecretKey,
    /// `secret` in its sealed form, to be stored.
    pub sealed: Vec<u8>,
    /// Master key that `sealed` is sealed with.
    pub sealed_with: MasterKeyId,
}

/// Reason why a key could not be sealed or opened. The error never contains key material.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// The required master key is not configured.
    #[error(
        "the keys are sealed with another master key (id {needed}) than the configured one (id {configured})"
    )]
    AnotherMasterKey {
        /// Ids of the configured master keys, separated by commas.
        configured: String,
        /// Id of the required master key.
        needed: MasterKeyId,
    },
    /// A key could not be sealed or opened for another reason than a missing master key.
    #[error("{reason}")]
    Failed {
        /// Description of the failure, in words for people.
        reason: Cow<'static, str>,
        /// Cause of the failure; `None` if it is unknown.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

/// Owner of a secret key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyOwner {
    /// A store: it signs its calls with the key.
    Store(StoreId),
    /// A webhook endpoint: its events are signed with the key.
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

/// Creates secret keys. A key is sealed for its owner and cannot be opened for another owner.
pub trait KeyIssuer: Send + Sync {
    /// Creates a random secret key for `owner`, sealed with the master key `seal_with`. If the
    /// database has no sealed key yet, pass `None` to seal the key with the first configured master
    /// key.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`] if `seal_with` is not configured; [`SealError::Failed`] if
    /// the system provides no random numbers.
    fn issue(
        &self,
        owner: KeyOwner,
        seal_with: Option<MasterKeyId>,
    ) -> Result<IssuedKey, SealError>;

    /// Opens the sealed key of `owner`, and returns the key sealed with the master key `with`.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`] if a required master key is not configured;
    /// [`SealError::Failed`] if the sealed key was changed or belongs to another owner.
    fn reseal(
        &self,
        owner: KeyOwner,
        sealed: &[u8],
        with: MasterKeyId,
    ) -> Result<Vec<u8>, SealError>;

    /// Checks that `master_key` is configured.
    ///
    /// # Errors
    /// [`SealError::AnotherMasterKey`] if it is not configured.
    fn require(&self, master_key: MasterKeyId) -> Result<(), SealError>;
}

/// Weakest signature that an operation accepts. All operations accept the timestamped form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignatureForm {
    /// [`SignedText::Timestamped`]: the signature covers the path, and expires.
    #[default]
    Timestamped,
    /// [`SignedText::Body`] suffices.
    Plain,
    /// [`SignedText::Body`] suffices, or no signature if the store allows unsigned searches.
    PlainOrNone,
}

/// Data of a call that is not authenticated yet.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// Value of `X-Service-Store-Id`; `None` if the header is missing.
    pub store_id: Option<&'a str>,
    /// Value of `X-Service-Hmac-Sha256`; `None` if the header is missing.
    pub signature: Option<&'a str>,
    /// Value of `X-Service-Timestamp`; `None` if the header is missing.
    pub timestamp: Option<&'a str>,
    /// Path of the request without the base URL, such as `/app/v1/orders/create`.
    pub path: &'a str,
    /// Request body as it was received.
    pub body: &'a [u8],
    /// Weakest form of signature that the called operation accepts.
    pub form: SignatureForm,
}

/// Reason for refusing to authenticate a call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Denied {
    /// The store or the signature is not accepted. Contains the reason, for the log only.
    #[error("permission denied: {0}")]
    Permission(&'static str),
    /// The signature is valid, but the timestamp differs too much from the server's clock.
    #[error(
        "X-Service-Timestamp is more than 300 seconds from the server's clock, or not in unix seconds"
    )]
    TimestampOutOfRange,
    /// The signature is valid, but the operation or the store requires a timestamp.
    #[error(
        "X-Service-Timestamp is required: send it in unix seconds and sign `<timestamp>.<path>.<body>`"
    )]
    TimestampRequired,
    /// A secret key of the store cannot be opened, and no other key of the store made the
    /// signature. The signature may therefore be valid. Contains the reason, for the log only.
    #[error("a secret key of the store cannot be opened: {0}")]
    KeyUnreadable(Arc<str>),
    /// The store could not be read, so the call cannot be authenticated.
    #[error("the stores could not be read")]
    Repository(#[from] RepositoryError),
}

/// Result of authenticating a call: the store, and the key that signed the call.
#[derive(Clone, Debug)]
pub struct Authenticated {
    /// The store that made the call.
    pub store: Arc<Store>,
    /// Id of the key that signed the call; `None` for a permitted call without a signature.
    pub key: Option<KeyId>,
}

/// Authenticates calls of stores.
#[async_trait]
pub trait Authenticator: Send + Sync {
    /// Returns the store that made `call`, and the key that signed it.
    ///
    /// # Errors
    /// [`Denied::Permission`] for an unknown or disabled store, and for a required signature that
    /// is missing, empty or wrong. See [`Denied`] for the other errors. The number of MACs computed
    /// in a failed check depends on the timestamp and the body only, not on the store, its keys or
    /// the signature.
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
