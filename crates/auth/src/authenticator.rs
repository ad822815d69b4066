//! Authenticates the calls of stores by signatures and timestamps.

use std::array;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pressline_domain::runtime::Clock;
use pressline_domain::store::{
    Authenticated, Authenticator, Call, Denied, SecretKey, SignatureForm, SignedText, Signer,
    StoreDirectory,
};
use pressline_domain::value::StoreId;
use tokio::time::Instant;

use crate::cache::{CachedStore, StoreCache};
use crate::sealer::Sealer;
use crate::uses::WaitingUses;

/// Maximum difference of `X-Service-Timestamp` to the server's clock, either way, in seconds.
const TIMESTAMP_WINDOW: u64 = 300;

/// Authenticates calls against the stores of a directory.
///
/// Stores are cached for [`MAX_AGE`](pressline_domain::store::MAX_AGE), so that revoking a key or
/// disabling a store takes effect within 5 s. A cached store's calls are accepted even if the
/// directory is unavailable. Before a call is refused, its store is loaded again, at most once per
/// [`RELOAD_INTERVAL`](crate::RELOAD_INTERVAL) and store, so that a new key works immediately.
///
/// Every check computes the same number of MACs, whether or not the store exists, is enabled or has
/// keys, or the signature is right. Secret decoys replace missing keys. A call is checked a second
/// time if its store was loaded again. A second check thus reveals only the time of the last load,
/// and nothing about the store.
pub struct StoreAuthenticator {
    cache: Arc<StoreCache>,
    sealer: Arc<Sealer>,
    signer: Arc<dyn Signer>,
    clock: Arc<dyn Clock>,
    uses: Arc<WaitingUses<dyn StoreDirectory>>,
}

impl StoreAuthenticator {
    /// Returns an authenticator, and a future that writes the times of key uses, at most every
    /// [`WRITE_INTERVAL`](crate::WRITE_INTERVAL). Spawn the future as a task; it ends when the
    /// authenticator is dropped. Before that, call [`write_uses`](Self::write_uses).
    ///
    /// `clock` gives the time for checking timestamps; the ages of cached stores are measured with
    /// the monotonic clock.
    pub fn new(
        directory: Arc<dyn StoreDirectory>,
        sealer: Arc<Sealer>,
        signer: Arc<dyn Signer>,
        clock: Arc<dyn Clock>,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (uses, writes) = WaitingUses::new(Arc::clone(&directory));
        let cache = Arc::new(StoreCache::new(directory, Arc::clone(&sealer)));
        let authenticator = Self {
            cache,
            sealer,
            signer,
            clock,
            uses,
        };
        (authenticator, writes)
    }

    /// Records the use, at most once a minute. Never waits, even for a slow or read-only database.
    fn note_use(&self, entry: &CachedStore, accepted: &Authenticated) {
        let Some(id) = accepted.key else { return };
        let minute = self.clock.now().start_of_minute();
        let mut uses = entry.key_uses.iter();
        let is_first = uses.any(|key| key.id == id && key.is_first_at(minute));
        if is_first {
            self.uses.add((accepted.store.id, id), minute);
        }
    }

    /// Writes the times of key uses that wait for the next write. If that fails, they are lost
    /// unless the authenticator is used further.
    pub async fn write_uses(&self) {
        self.uses.write().await;
    }

    /// Returns the number of secret keys that could not be opened at the last load of their store.
    pub fn unreadable_keys(&self) -> usize {
        self.cache.unreadable()
    }

    /// Returns a future that removes the keys of idle stores from memory: at most
    /// [`MAX_AGE`](pressline_domain::store::MAX_AGE) plus [`SWEEP_INTERVAL`](crate::SWEEP_INTERVAL)
    /// after a store's last call. Spawn the future as a task; it ends when the authenticator is
    /// dropped.
    pub fn sweep(&self) -> impl Future<Output = ()> + Send + 'static {
        StoreCache::sweep(Arc::downgrade(&self.cache))
    }

    fn judge(&self, entry: &CachedStore, call: &Call<'_>) -> Result<Authenticated, Denied> {
        // Before any refusal, so that every call costs the same number of MACs.
        let signed_by = self.signed_by(&entry.keys, call);
        let Some(store) = &entry.store else {
            return Err(Denied::Permission("no store has this id"));
        };
        if !store.enabled {
            return Err(Denied::Permission("the store is disabled"));
        }
        // A timestamp without a signature proves nothing, so that a store that requires timestamps
        // allows unsigned searches, too.
        let unsigned = call.signature.is_none();
        if unsigned
            && call.form == SignatureForm::PlainOrNone
            && store.settings.allow_unsigned_search
        {
            return Ok(Authenticated {
                store: Arc::clone(store),
                key: None,
            });
        }
        let Some(signed_by) = signed_by else {
            return Err(match &entry.unreadable {
                // A call without a signature is refused whatever the keys are.
                Some(reason) if call.signature.is_some_and(|text| !text.is_empty()) => {
                    Denied::KeyUnreadable(Arc::clone(reason))
                }
                _ => Denied::Permission(refusal(entry, call)),
            });
        };
        match call.timestamp {
            Some(timestamp) if !self.is_near(timestamp) => Err(Denied::TimestampOutOfRange),
            None if store.settings.require_timestamp || call.form == SignatureForm::Timestamped => {
                Err(Denied::TimestampRequired)
            }
            _ => Ok(Authenticated {
                store: Arc::clone(store),
                key: entry.key_uses.get(signed_by).map(|key| key.id),
            }),
        }
    }

    /// Returns an index in `keys`. The number of MACs is the same even without keys or a signature.
    fn signed_by(&self, keys: &[SecretKey], call: &Call<'_>) -> Option<usize> {
        let text = match call.timestamp {
            Some(timestamp) => SignedText::Timestamped {
                timestamp,
                path: call.path,
                body: call.body,
            },
            None => SignedText::Body(call.body),
        };
        let tried = array::from_fn(|index| keys.get(index).unwrap_or(self.sealer.decoy()));
        let made_by = self
            .signer
            .verify(&tried, &text, call.signature.unwrap_or_default());
        made_by.filter(|index| *index < keys.len())
    }

    fn noted(
        &self,
        entry: &CachedStore,
        verdict: Result<Authenticated, Denied>,
    ) -> Result<Authenticated, Denied> {
        verdict.inspect(|accepted| self.note_use(entry, accepted))
    }

    fn is_near(&self, timestamp: &str) -> bool {
        let seconds = timestamp.parse::<i64>();
        seconds.is_ok_and(|seconds| {
            self.clock.now().as_seconds().abs_diff(seconds) <= TIMESTAMP_WINDOW
        })
    }
}

#[async_trait]
impl Authenticator for StoreAuthenticator {
    async fn authenticate(&self, call: &Call<'_>) -> Result<Authenticated, Denied> {
        let arrived = Instant::now();
        let Some(id) = call.store_id.and_then(|text| text.parse::<StoreId>().ok()) else {
            // No store can have this id, so the directory is not called. The MACs are computed as
            // for other ids.
            self.signed_by(&[], call);
            return Err(Denied::Permission(
                "X-Service-Store-Id is missing or not a UUID",
            ));
        };
        let entry = self.cache.current(id, arrived).await?;
        let verdict = self.judge(&entry, call);
        // Loading the store again can only change a refusal for a missing permission or an
        // unreadable key.
        if !matches!(
            verdict,
            Err(Denied::Permission(_) | Denied::KeyUnreadable(_))
        ) {
            return self.noted(&entry, verdict);
        }
        match self.cache.newer(id, &entry, arrived).await? {
            Some(newer) => self.noted(&newer, self.judge(&newer, call)),
            None => verdict,
        }
    }
}

impl fmt::Debug for StoreAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreAuthenticator")
            .field("sealer", &self.sealer)
            .finish_non_exhaustive()
    }
}

/// Returns the reason for the log. Only for a `call` that no key in `entry` signed.
fn refusal(entry: &CachedStore, call: &Call<'_>) -> &'static str {
    match (call.signature, call.timestamp) {
        _ if entry.keys.is_empty() => "the store has no live key",
        (None, _) => "X-Service-Hmac-Sha256 is missing",
        (Some(""), _) => "X-Service-Hmac-Sha256 is empty",
        (Some(_), None) => "no live key of the store made this signature of this body",
        (Some(_), Some(_)) => {
            "no live key of the store made this signature of timestamp, path and body"
        }
    }
}
