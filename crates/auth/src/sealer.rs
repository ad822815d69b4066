//! The stores' secret keys: making them, and keeping them encrypted under the master key.

use std::fmt;

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pressline_domain::id::StoreId;
use pressline_domain::ports::{IssuedKey, KeyIssuer, SealError};
use pressline_domain::store::SecretKey;
use zeroize::Zeroizing;

use crate::master_key::{ID_LEN, MasterKey};

/// What secret keys begin with, so that people and secret scanners recognise one.
const KEY_PREFIX: &str = "plsk_";
/// The only form of sealed keys so far.
const VERSION: u8 = 1;
/// What is sealed. It's authenticated with the key, so that nothing sealed for another purpose opens as a key.
const PURPOSE: &[u8] = b"pressline/store-secret/v1";
/// What a decoy is derived from the master key with.
const DECOY_DOMAIN: &[u8] = b"pressline/decoy/v1";
const NONCE_LEN: usize = 12;

/// Seals the stores' secret keys with AES-256-GCM, and makes new ones.
///
/// A sealed key is a version byte (1), the master key's id (8 bytes), a random nonce (12), and the ciphertext with its
/// tag (16 bytes more than the key). Purpose and store id are authenticated with it: in another store's record it
/// doesn't open. Random nonces are safe for some 2^32 keys under one master key.
pub struct Sealer {
    cipher: Aes256Gcm,
    master_id: [u8; ID_LEN],
    decoy: SecretKey,
}

impl Sealer {
    /// A sealer with this master key.
    #[must_use]
    pub fn new(master: &MasterKey) -> Self {
        let decoy = Zeroizing::new(master.derive(DECOY_DOMAIN));
        Self {
            cipher: Aes256Gcm::new(master.bytes().into()),
            master_id: master.id_bytes(),
            decoy: written(&decoy),
        }
    }

    /// Seals a key that exists already: one that is taken over from elsewhere.
    ///
    /// # Errors
    /// [`SealError`] where no randomness is to be had.
    pub fn seal(&self, store: StoreId, key: &SecretKey) -> Result<Vec<u8>, SealError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(no_randomness)?;
        let message = Payload { msg: key.expose().as_bytes(), aad: &associated_data(store) };
        let ciphertext = self
            .cipher
            .encrypt(&Nonce::from(nonce), message)
            .map_err(|_| SealError { reason: "the key is too long to be sealed".into(), source: None })?;
        Ok([&[VERSION], self.master_id.as_slice(), &nonce, &ciphertext].concat())
    }

    /// Opens a sealed key of a store.
    ///
    /// # Errors
    /// [`SealError`], which says whether the key was sealed with another master key, or was changed or moved.
    pub fn open(&self, store: StoreId, sealed: &[u8]) -> Result<SecretKey, SealError> {
        let Sealed { version, master_id, nonce, ciphertext } =
            Sealed::split(sealed).ok_or_else(|| SealError {
                reason: format!("a sealed key of {} bytes is cut off", sealed.len()).into(),
                source: None,
            })?;
        if version != VERSION {
            let reason =
                format!("the key was sealed in form {version}; this release knows form {VERSION} only");
            return Err(SealError { reason: reason.into(), source: None });
        }
        if master_id != self.master_id {
            let reason = format!(
                "the configured master key (id {}) is not the one the key was sealed with (id {})",
                hex::encode(self.master_id),
                hex::encode(master_id),
            );
            return Err(SealError { reason: reason.into(), source: None });
        }
        let message = Payload { msg: ciphertext, aad: &associated_data(store) };
        let text = self.cipher.decrypt(&Nonce::from(nonce), message).map_err(|_| SealError {
            reason: "the sealed key was changed, or belongs to another store".into(),
            source: None,
        })?;
        String::from_utf8(text).map(SecretKey::new).map_err(|error| {
            drop(Zeroizing::new(error.into_bytes()));
            SealError { reason: "what was sealed is no text, hence no key".into(), source: None }
        })
    }

    /// Tells whether a sealed key can be opened, for a check at start or of readiness.
    ///
    /// # Errors
    /// As [`Sealer::open`].
    pub fn check(&self, store: StoreId, sealed: &[u8]) -> Result<(), SealError> {
        self.open(store, sealed).map(drop)
    }

    /// A key that no store has, of the length that they have: what signatures are checked against where there is no
    /// key. It's as hard to guess as any, so that even a signature made with it would be no way in.
    pub(crate) fn decoy(&self) -> &SecretKey {
        &self.decoy
    }
}

impl KeyIssuer for Sealer {
    fn issue(&self, store: StoreId) -> Result<IssuedKey, SealError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut_slice()).map_err(no_randomness)?;
        let secret = written(&bytes);
        let sealed = self.seal(store, &secret)?;
        Ok(IssuedKey { secret, sealed })
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer(master key id {})", hex::encode(self.master_id))
    }
}

/// A key's text: 48 characters that need no escaping in URLs, shells or JSON.
fn written(bytes: &[u8; 32]) -> SecretKey {
    let mut text = String::with_capacity(KEY_PREFIX.len() + 43);
    text.push_str(KEY_PREFIX);
    URL_SAFE_NO_PAD.encode_string(bytes, &mut text);
    SecretKey::new(text)
}

fn no_randomness(error: getrandom::Error) -> SealError {
    SealError { reason: "the system has no randomness for keys".into(), source: Some(Box::new(error)) }
}

fn associated_data(store: StoreId) -> Vec<u8> {
    [PURPOSE, store.as_uuid().as_bytes()].concat()
}

/// The parts of a sealed key.
struct Sealed<'a> {
    version: u8,
    master_id: [u8; ID_LEN],
    nonce: [u8; NONCE_LEN],
    ciphertext: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (&version, rest) = bytes.split_first()?;
        let (&master_id, rest) = rest.split_first_chunk()?;
        let (&nonce, ciphertext) = rest.split_first_chunk()?;
        Some(Self { version, master_id, nonce, ciphertext })
    }
}
