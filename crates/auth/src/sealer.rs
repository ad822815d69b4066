//! Makes the secret keys of stores and webhook endpoints, and encrypts them with a master key.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use pressline_backoffice::webhook::SecretOpener;
use pressline_domain::store::{IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, SecretKey};
use pressline_domain::value::EndpointId;
use zeroize::Zeroizing;

use crate::master_key::{MasterKey, MasterKeyError};

/// Prefix of stores' secret keys, so that people and secret scanners recognise a key.
const KEY_PREFIX: &str = "plsk_";
/// Prefix of webhook endpoints' secrets, defined by Standard Webhooks 1.0.0.
const ENDPOINT_KEY_PREFIX: &str = "whsec_";
/// Version of the format of sealed keys, and the first byte of each sealed key.
const VERSION: u8 = 1;
/// Authenticated with a sealed key, so that a secret for another purpose cannot be opened.
const STORE_PURPOSE: &[u8] = b"pressline/store-secret/v1";
const ENDPOINT_PURPOSE: &[u8] = b"pressline/webhook-secret/v1";
/// Domain separator for deriving [`Sealer::decoy`] from the master key.
const DECOY_DOMAIN: &[u8] = b"pressline/decoy/v1";
const NONCE_LEN: usize = 12;
/// A rotation needs two; the others are for rotations in quick succession.
const MAX_KEYS: usize = 4;

type Reload = Box<dyn Fn() -> Result<Vec<MasterKey>, MasterKeyError> + Send + Sync>;

/// Seals secret keys of stores and webhook endpoints with AES-256-GCM, and makes new keys.
///
/// A sealed key consists of the version byte `1`, the master key's id (8 bytes), a random nonce (12
/// bytes), and the ciphertext with its tag (16 bytes more than the key). The tag also authenticates
/// the purpose and the owner's id, so that a sealed key cannot be opened for another owner. Random
/// nonces are safe for about 2^32 keys per master key.
///
/// During a rotation, a sealer also has the previous master key, and opens keys sealed with it.
pub struct Sealer {
    /// Ciphers of the master keys, at least 1 and at most [`MAX_KEYS`].
    ring: RwLock<Vec<Arc<Cipher>>>,
    reload: Option<Reload>,
    decoy: SecretKey,
}

struct Cipher {
    id: MasterKeyId,
    cipher: Aes256Gcm,
}

impl Cipher {
    fn new(master: &MasterKey) -> Arc<Self> {
        Arc::new(Self {
            id: master.id(),
            cipher: Aes256Gcm::new(master.bytes().into()),
        })
    }
}

impl Sealer {
    /// Creates a sealer with `master` as its first master key.
    pub fn new(master: &MasterKey) -> Self {
        let decoy = Zeroizing::new(master.derive(DECOY_DOMAIN));
        Self {
            ring: RwLock::new(vec![Cipher::new(master)]),
            reload: None,
            decoy: written(&decoy),
        }
    }

    /// Returns the sealer with additional master keys, to open keys sealed with `others`, too.
    #[must_use]
    pub fn with_others(self, others: &[MasterKey]) -> Self {
        self.learn(others);
        self
    }

    /// Returns the sealer with `reload`, a function that loads the master keys again. The sealer
    /// calls it if it lacks a master key, because the key files may have been replaced.
    #[must_use]
    pub fn with_reload(
        self,
        reload: impl Fn() -> Result<Vec<MasterKey>, MasterKeyError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            reload: Some(Box::new(reload)),
            ..self
        }
    }

    /// Seals an existing key, such as a key from another system, with the first master key.
    ///
    /// # Errors
    /// Returns [`SealError::Failed`] if the system provides no random bytes or `key` is too long.
    pub fn seal(&self, owner: KeyOwner, key: &SecretKey) -> Result<Vec<u8>, SealError> {
        let master = self.first()?;
        seal(&master, owner, key)
    }

    /// Opens the sealed key `sealed` of `owner`.
    ///
    /// # Errors
    /// Returns [`SealError::AnotherMasterKey`] if the sealer lacks the master key that sealed
    /// `sealed`, or [`SealError::Failed`] if `sealed` was changed or belongs to another owner.
    pub fn open(&self, owner: KeyOwner, sealed: &[u8]) -> Result<SecretKey, SealError> {
        let Sealed {
            version,
            master_id,
            nonce,
            ciphertext,
        } = Sealed::split(sealed)
            .ok_or_else(|| failed(format!("a sealed key of {} bytes is cut off", sealed.len())))?;
        if version != VERSION {
            let reason = format!(
                "the key was sealed in form {version}; this release knows form {VERSION} only"
            );
            return Err(failed(reason));
        }
        let master = self.known(MasterKeyId::new(master_id))?;
        let message = Payload {
            msg: ciphertext,
            aad: &associated_data(owner),
        };
        let text = master
            .cipher
            .decrypt(&Nonce::from(nonce), message)
            .map_err(|_| failed("the sealed key was changed, or belongs to another owner"))?;
        String::from_utf8(text)
            .map(SecretKey::new)
            .map_err(|error| {
                // Wipes the decrypted bytes from memory.
                drop(Zeroizing::new(error.into_bytes()));
                failed("the sealed key is not text")
            })
    }

    /// Returns a key that no store has and nobody can guess, with the usual length. Signatures are
    /// checked against it if a store has no key; a signature made with it is refused.
    pub(crate) fn decoy(&self) -> &SecretKey {
        &self.decoy
    }

    /// Loads the master keys again if the sealer lacks the key `id`.
    fn known(&self, id: MasterKeyId) -> Result<Arc<Cipher>, SealError> {
        if let Some(cipher) = self.find(id) {
            return Ok(cipher);
        }
        match self.reload.as_ref().map(|reload| reload()) {
            Some(Ok(keys)) => self.learn(&keys),
            Some(Err(error)) => {
                tracing::warn!(%error, "the master keys cannot be loaded again")
            }
            None => {}
        }
        self.find(id).ok_or_else(|| SealError::AnotherMasterKey {
            configured: self.ids().join(", "),
            needed: id,
        })
    }

    fn find(&self, id: MasterKeyId) -> Option<Arc<Cipher>> {
        self.ring().iter().find(|cipher| cipher.id == id).cloned()
    }

    fn first(&self) -> Result<Arc<Cipher>, SealError> {
        self.ring()
            .first()
            .cloned()
            .ok_or_else(|| failed("no master key is loaded"))
    }

    fn ids(&self) -> Vec<String> {
        self.ring()
            .iter()
            .map(|cipher| cipher.id.to_string())
            .collect()
    }

    fn ring(&self) -> std::sync::RwLockReadGuard<'_, Vec<Arc<Cipher>>> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps at most [`MAX_KEYS`]: drops the oldest, but never the first. Old keys stay because a
    /// sealed key read before a rotation may be opened after it.
    fn learn(&self, keys: &[MasterKey]) {
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if ring.iter().any(|known| known.id == key.id()) {
                continue;
            }
            // The first key is the constructor's, so that the second is the oldest of the others.
            if ring.len() >= MAX_KEYS {
                ring.remove(1);
            }
            ring.push(Cipher::new(key));
        }
    }
}

impl KeyIssuer for Sealer {
    fn issue(
        &self,
        owner: KeyOwner,
        seal_with: Option<MasterKeyId>,
    ) -> Result<IssuedKey, SealError> {
        let master = match seal_with {
            Some(id) => self.known(id)?,
            None => self.first()?,
        };
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut_slice()).map_err(no_randomness)?;
        let secret = match owner {
            KeyOwner::Store(_) => written(&bytes),
            KeyOwner::Endpoint(_) => written_for_endpoint(&bytes),
        };
        let sealed = seal(&master, owner, &secret)?;
        Ok(IssuedKey {
            secret,
            sealed,
            sealed_with: master.id,
        })
    }

    fn reseal(
        &self,
        owner: KeyOwner,
        sealed: &[u8],
        with: MasterKeyId,
    ) -> Result<Vec<u8>, SealError> {
        let master = self.known(with)?;
        seal(&master, owner, &self.open(owner, sealed)?)
    }

    fn require(&self, master_key: MasterKeyId) -> Result<(), SealError> {
        self.known(master_key).map(drop)
    }
}

impl SecretOpener for Sealer {
    fn open_secret(&self, endpoint: EndpointId, sealed: &[u8]) -> Result<SecretKey, SealError> {
        self.open(KeyOwner::Endpoint(endpoint), sealed)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer(master key id {})", self.ids().join(", "))
    }
}

fn seal(master: &Cipher, owner: KeyOwner, key: &SecretKey) -> Result<Vec<u8>, SealError> {
    let mut nonce = [0; NONCE_LEN];
    getrandom::fill(&mut nonce).map_err(no_randomness)?;
    let message = Payload {
        msg: key.expose().as_bytes(),
        aad: &associated_data(owner),
    };
    let ciphertext = master
        .cipher
        .encrypt(&Nonce::from(nonce), message)
        .map_err(|_| failed("the key is too long to be sealed"))?;
    Ok([
        &[VERSION],
        master.id.as_bytes().as_slice(),
        &nonce,
        &ciphertext,
    ]
    .concat())
}

/// Returns 48 characters that need no escaping in URLs, shells or JSON.
fn written(bytes: &[u8; 32]) -> SecretKey {
    let mut text = String::with_capacity(KEY_PREFIX.len() + 43);
    text.push_str(KEY_PREFIX);
    URL_SAFE_NO_PAD.encode_string(bytes, &mut text);
    SecretKey::new(text)
}

/// Returns the form that libraries of Standard Webhooks read.
fn written_for_endpoint(bytes: &[u8; 32]) -> SecretKey {
    let mut text = String::with_capacity(ENDPOINT_KEY_PREFIX.len() + 44);
    text.push_str(ENDPOINT_KEY_PREFIX);
    STANDARD.encode_string(bytes, &mut text);
    SecretKey::new(text)
}

fn failed(reason: impl Into<std::borrow::Cow<'static, str>>) -> SealError {
    SealError::Failed {
        reason: reason.into(),
        source: None,
    }
}

fn no_randomness(error: getrandom::Error) -> SealError {
    SealError::Failed {
        reason: "the system has no randomness for keys".into(),
        source: Some(Box::new(error)),
    }
}

fn associated_data(owner: KeyOwner) -> Vec<u8> {
    let (purpose, id) = match &owner {
        KeyOwner::Store(store) => (STORE_PURPOSE, store.as_uuid()),
        KeyOwner::Endpoint(endpoint) => (ENDPOINT_PURPOSE, endpoint.as_uuid()),
    };
    [purpose, id.as_bytes()].concat()
}

struct Sealed<'a> {
    version: u8,
    master_id: [u8; 8],
    nonce: [u8; NONCE_LEN],
    ciphertext: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (&version, after_version) = bytes.split_first()?;
        let (&master_id, rest) = after_version.split_first_chunk()?;
        let (&nonce, ciphertext) = rest.split_first_chunk()?;
        Some(Self {
            version,
            master_id,
            nonce,
            ciphertext,
        })
    }
}
