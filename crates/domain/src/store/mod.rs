//! Stores: the tenants that place orders, with their settings and keys.
//!
//! [`OrderService`](crate::order::OrderService) only takes a [`Store`].
//! [`EventService`](crate::event::EventService) and [`StoresByPrefix`] read a [`StoreDirectory`],
//! which an adapter to the database implements. The crate `pressline-auth` implements
//! [`Authenticator`], [`KeyIssuer`] and [`Signer`].

mod auth;
mod port;
mod recent;
mod slip_note;
mod times;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::value::{Currency, KeyId, Prefix, StoreId, Timestamp};

pub use auth::{
    Authenticated, Authenticator, Call, Denied, IssuedKey, KeyIssuer, KeyOwner, SealError,
    SignatureForm, SignedText, Signer, is_signature_form,
};
pub use port::{KeyUses, ResealReport, StoreDirectory};
pub use recent::StoresByPrefix;
pub use slip_note::{InvalidSlipNote, slip_note};
pub use times::{InvalidShipByTime, InvalidWindow, cooling_off_seconds, ship_by_seconds};

/// Maximum number of live keys of a store: its secret keys that are not revoked.
pub const LIVE_KEYS: usize = 2;

/// Maximum age of cached data about a store when a call arrives. Revoked keys and disabled stores
/// must be refused after at most 5 s; the remaining second is for a replica or a late response.
pub const MAX_AGE: Duration = Duration::from_secs(4);

/// A set of stores; `None` for all stores.
pub type StoreSet = Option<BTreeSet<StoreId>>;

/// A store that places orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Id of the store, the value of `X-Service-Store-Id`.
    pub id: StoreId,
    /// Name of the store, as people see it.
    pub name: String,
    /// Prefix of the store's order numbers, such as `SUN`; unique among stores.
    pub prefix: Prefix,
    /// Currency of all orders of the store.
    pub currency: Currency,
    /// Whether this is a test store: its orders are never produced. Cannot be changed later.
    pub test: bool,
    /// Settings that operators can change.
    pub settings: StoreSettings,
    /// `false` if all the store's calls are refused, like calls of an unknown store.
    pub enabled: bool,
    /// Time when the store was created.
    pub created_at: Timestamp,
}

impl Store {
    /// Returns an enabled store with default settings, named like its `prefix`, not a test store.
    pub fn new(id: StoreId, prefix: Prefix, currency: Currency, created_at: Timestamp) -> Self {
        Self {
            id,
            name: prefix.to_string(),
            prefix,
            currency,
            test: false,
            settings: StoreSettings::default(),
            enabled: true,
            created_at,
        }
    }
}

/// Settings of a store that change how its requests are checked and its orders processed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StoreSettings {
    /// Whether unknown SKUs or ship classes and missing shipping rates are errors, not warnings.
    pub strict_catalog: bool,
    /// Whether calls without `X-Service-Timestamp` are always refused. By default, they are
    /// accepted for creating, updating and searching orders.
    pub require_timestamp: bool,
    /// Whether searches without a signature are accepted.
    pub allow_unsigned_search: bool,
    /// Cooling-off window of new orders, in seconds, at most
    /// [`COOLING_OFF`](crate::check::limits::COOLING_OFF); `None` for the default, see
    /// [`OrderService::cooling_off`](crate::order::OrderService::cooling_off).
    pub cooling_off_seconds: Option<u32>,
    /// Time in which an item must be shipped after it becomes ready, in seconds, at most
    /// [`PROMISE`](crate::check::limits::PROMISE). 0 for no ship-by time, `None` for
    /// [`USUAL_PROMISE`](crate::check::limits::USUAL_PROMISE).
    pub ship_by_seconds: Option<u32>,
    /// Text on the store's packing slips: 1 to [`SLIP_NOTE`](crate::check::limits::SLIP_NOTE)
    /// characters, with line breaks; `None` for no text.
    pub slip_note: Option<String>,
}

/// Id of a master key, which does not reveal the key. As a string, 16 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MasterKeyId([u8; 8]);

impl MasterKeyId {
    /// Returns the id that consists of `bytes`.
    pub const fn new(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the id.
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }
}

impl fmt::Display for MasterKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

impl fmt::Debug for MasterKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKeyId({self})")
    }
}

impl FromStr for MasterKeyId {
    type Err = InvalidMasterKeyId;

    fn from_str(text: &str) -> Result<Self, InvalidMasterKeyId> {
        let is_canonical =
            text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        // `from_str_radix` alone would accept a sign and upper-case digits.
        match u64::from_str_radix(text, 16) {
            Ok(number) if is_canonical => Ok(Self(number.to_be_bytes())),
            _ => Err(InvalidMasterKeyId),
        }
    }
}

/// Error for a string that does not consist of 16 hexadecimal digits in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id of a master key must have 16 hexadecimal digits in lower case")]
pub struct InvalidMasterKeyId;

/// A secret key of a store or of a webhook endpoint, in the sealed form in which it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreKey {
    /// Public id of the key.
    pub id: KeyId,
    /// The secret, sealed by a [`KeyIssuer`].
    pub sealed: Vec<u8>,
    /// Id of the master key that `sealed` is sealed with.
    pub sealed_with: MasterKeyId,
    /// Time when the key was created.
    pub created_at: Timestamp,
    /// Minute of the last signed call; `None` before, and always for keys of webhook endpoints.
    pub last_used_at: Option<Timestamp>,
}

impl fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Logs must not even contain the sealed form.
        f.debug_struct("StoreKey")
            .field("id", &self.id)
            .field("sealed_with", &self.sealed_with)
            .field("created_at", &self.created_at)
            .field("last_used_at", &self.last_used_at)
            .finish_non_exhaustive()
    }
}

/// A store with its live keys, as stored in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    /// The store without its keys.
    pub store: Store,
    /// Live keys, oldest first, at most [`LIVE_KEYS`].
    pub keys: Vec<StoreKey>,
    /// Version of the record: 1 at creation, increased by 1 with every change.
    pub version: u32,
}

impl StoreRecord {
    /// Returns the record of a new `store`, at version 1.
    pub fn new(store: Store, keys: Vec<StoreKey>) -> Self {
        Self {
            store,
            keys,
            version: 1,
        }
    }
}

/// A secret key in clear text, for signing. It is erased from memory when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(zeroize::Zeroizing<String>);

impl SecretKey {
    /// Wraps the secret `text`.
    pub fn new(text: String) -> Self {
        Self(text.into())
    }

    /// Returns the secret. Show it only once, to its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Logs must not contain the secret.
        f.write_str("SecretKey(…)")
    }
}
