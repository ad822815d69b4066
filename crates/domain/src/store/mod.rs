//! Stores: who may place orders, how, and with which keys.

mod auth;
mod port;
mod recent;
mod slip_note;
mod times;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::id::{KeyId, Prefix, StoreId};
use crate::money::Currency;
use crate::time::Timestamp;

pub use auth::{
    Authenticated, Authenticator, Call, Denied, IssuedKey, KeyIssuer, KeyOwner, SealError,
    SignatureForm, SignedText, Signer, is_signature_form,
};
pub use port::{MAX_UNREADABLE, ResealReport, StoreDirectory};
pub use recent::StoresByPrefix;
pub use slip_note::{InvalidSlipNote, slip_note};
pub use times::{InvalidPromise, InvalidWindow, cooling_off_seconds, promise_seconds};

/// How many live secret keys a store has at most.
pub const LIVE_KEYS: usize = 2;

/// Maximum age of what is kept in memory about a store when a call arrives. Revoking and disabling must
/// take effect within 5 s; the remaining second is for a directory that reads from a replica or responds
/// late.
pub const MAX_AGE: Duration = Duration::from_secs(4);

/// A set of stores; `None` for all.
pub type StoreSet = Option<BTreeSet<StoreId>>;

/// A store that orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// What `X-Service-Store-Id` names.
    pub id: StoreId,
    /// A name for people.
    pub name: String,
    /// The prefix of its order numbers, unique among stores.
    pub prefix: Prefix,
    /// The currency of its orders.
    pub currency: Currency,
    /// Whether it is for trying the API: its orders are never made. Decided when it is created.
    pub test: bool,
    /// What it asked for.
    pub settings: StoreSettings,
    /// A disabled store is refused like an unknown one.
    pub enabled: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

/// What a store can be set to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StoreSettings {
    /// Unknown SKUs, unknown ship classes and missing rates are errors, not warnings.
    pub strict_catalog: bool,
    /// Calls without `X-Service-Timestamp` are refused, also at creation, update and search of orders.
    pub require_timestamp: bool,
    /// Searches without a signature are answered.
    pub allow_unsigned_search: bool,
    /// Window of orders placed from now on, in seconds, at most
    /// [`COOLING_OFF`](crate::limits::COOLING_OFF); `None` for that of the configuration.
    pub cooling_off_seconds: Option<u32>,
    /// Time in which items are sent after they have become ready, in seconds, at most
    /// [`PROMISE`](crate::limits::PROMISE); 0 for no promise, `None` for
    /// [`USUAL_PROMISE`](crate::limits::USUAL_PROMISE).
    pub promise_seconds: Option<u32>,
    /// What is printed on its packing slips: 1 to [`SLIP_NOTE`](crate::limits::SLIP_NOTE) characters, in lines.
    pub slip_note: Option<String>,
}

/// The id of a master key: what it is called in messages, logs and the database. It reveals nothing
/// of the key.
///
/// As text it has 16 hexadecimal digits, in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MasterKeyId([u8; 8]);

impl MasterKeyId {
    /// The id made of these bytes.
    pub const fn new(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// The bytes of the id.
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
        match u64::from_str_radix(text, 16) {
            Ok(number) if is_canonical => Ok(Self(number.to_be_bytes())),
            _ => Err(InvalidMasterKeyId),
        }
    }
}

/// The text cannot be the id of a master key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id of a master key has 16 hexadecimal digits in lower case")]
pub struct InvalidMasterKeyId;

/// A secret key at rest.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreKey {
    /// The key's id.
    pub id: KeyId,
    /// The secret key, sealed by a [`KeyIssuer`].
    pub sealed: Vec<u8>,
    /// The master key that it is sealed with.
    pub sealed_with: MasterKeyId,
    /// When it was made.
    pub created_at: Timestamp,
    /// Minute of the last signed call; `None` before the first call, and for webhook endpoints.
    pub last_used_at: Option<Timestamp>,
}

impl fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not even the sealed form belongs into a log.
        f.debug_struct("StoreKey")
            .field("id", &self.id)
            .field("sealed_with", &self.sealed_with)
            .field("created_at", &self.created_at)
            .field("last_used_at", &self.last_used_at)
            .finish_non_exhaustive()
    }
}

/// A store with its live keys, as the directory keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    /// The store.
    pub store: Store,
    /// Its live keys, oldest first, at most [`LIVE_KEYS`].
    pub keys: Vec<StoreKey>,
    /// 1 at creation, one more with every change.
    pub version: u32,
}

/// A secret key in the clear: the text that a store signs with.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(zeroize::Zeroizing<String>);

impl SecretKey {
    /// A key of this text.
    pub fn new(text: String) -> Self {
        Self(text.into())
    }

    /// The text. Show it once, to its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}
