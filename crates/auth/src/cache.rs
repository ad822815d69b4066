//! Cache of the stores that called recently, with their opened keys. An entry lives for seconds,
//! and concurrent callers share one load.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{
    KeyOwner, LIVE_KEYS, MAX_AGE, SecretKey, Store, StoreDirectory, StoreKey, StoreRecord,
};
use pressline_domain::value::{KeyId, StoreId, Timestamp};
use pressline_kit::lock;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::sealer::Sealer;

/// Minimum time between two reloads of a store. Before a call is refused, its store is reloaded,
/// unless the last reload was too recent.
pub const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of unknown store ids in the cache. When it is reached, each call with another
/// unknown id reads the directory, until expired entries are removed.
pub const MAX_UNKNOWN: usize = 10_000;

/// Interval between removals of expired entries. After a store's last call, its keys stay in memory
/// for at most this interval plus [`MAX_AGE`], or until the call ends.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(30);

pub(crate) struct CachedStore {
    /// `None` if no store has the id.
    pub(crate) store: Option<Arc<Store>>,
    /// Live secret keys that can be opened. Empty for a disabled store: no signature matches then.
    pub(crate) keys: Vec<SecretKey>,
    /// Id and last use of each key in `keys`, at the same index.
    pub(crate) key_uses: Vec<KeyUse>,
    /// Reason why a live key cannot be opened. It may have signed a call that `keys` refuse.
    pub(crate) unreadable: Option<Arc<str>>,
    /// Time at which the look-up began. The entry may lack changes made after it.
    loaded: Instant,
}

pub(crate) struct KeyUse {
    pub(crate) id: KeyId,
    /// Minute of the key's last recorded use, in milliseconds; `i64::MIN` before the first use.
    noted: AtomicI64,
}

impl KeyUse {
    fn new(key: &StoreKey) -> Self {
        let noted = key.last_used_at.map_or(i64::MIN, Timestamp::as_millis);
        Self {
            id: key.id,
            noted: AtomicI64::new(noted),
        }
    }

    /// Returns `true` to the first caller for `minute`, to let only this caller record the use.
    pub(crate) fn is_first_at(&self, minute: Timestamp) -> bool {
        let minute = minute.as_millis();
        // Nearly every call ends here, without a write to memory that other threads read.
        self.noted.load(Ordering::Relaxed) < minute
            && self.noted.fetch_max(minute, Ordering::Relaxed) < minute
    }
}

/// Look-up that all concurrent callers for a store share. One caller runs it; if the future of that
/// caller is dropped, another caller starts again.
type SharedLoad = OnceCell<Result<Arc<CachedStore>, Arc<RepositoryError>>>;

/// Caches the results of the directory for [`MAX_AGE`].
///
/// Ids of stores and unknown ids are in separate maps, so that a flood of invented ids cannot evict
/// a store. The directory bounds the number of stores. Two maps under a lock need less code than
/// configuring a cache crate with two limits, ages and shared loads. The lock is held for a look-up
/// in the maps and never during a load.
///
/// Ages use the monotonic clock: setting the system's clock back must not keep a revoked key alive.
pub(crate) struct StoreCache {
    directory: Arc<dyn StoreDirectory>,
    sealer: Arc<Sealer>,
    state: Mutex<CacheState>,
}

struct CacheState {
    known: HashMap<StoreId, Arc<CachedStore>>,
    unknown: HashMap<StoreId, Arc<CachedStore>>,
    loads: HashMap<StoreId, Arc<SharedLoad>>,
    reloads: HashMap<StoreId, Instant>,
    /// Keys that the last load of their store could not open; at most two per store.
    unreadable: HashMap<KeyId, StoreId>,
    tidied: Instant,
}

impl StoreCache {
    pub(crate) fn new(directory: Arc<dyn StoreDirectory>, sealer: Arc<Sealer>) -> Self {
        let state = CacheState {
            known: HashMap::new(),
            unknown: HashMap::new(),
            loads: HashMap::new(),
            reloads: HashMap::new(),
            unreadable: HashMap::new(),
            tidied: Instant::now(),
        };
        Self {
            directory,
            sealer,
            state: Mutex::new(state),
        }
    }

    /// Returns an entry of the store `id` that was less than [`MAX_AGE`] old when the call arrived.
    pub(crate) async fn current(
        &self,
        id: StoreId,
        arrived: Instant,
    ) -> Result<Arc<CachedStore>, RepositoryError> {
        let is_fresh =
            |entry: &CachedStore| arrived.saturating_duration_since(entry.loaded) < MAX_AGE;
        loop {
            let load = {
                let mut state = lock(&self.state);
                match state.entry(id) {
                    Some(entry) if is_fresh(&entry) => return Ok(entry),
                    _ => state.shared_load(id),
                }
            };
            let entry = self.wait_for(id, &load).await?;
            // A shared load may have begun too long before this call; a new load has not.
            if is_fresh(&entry) {
                return Ok(entry);
            }
        }
    }

    /// Returns an entry of the store `id` newer than `seen`. Returns `None` if `seen` was loaded
    /// after the time `arrived` of the call. Also returns `None` if the last reload has ended, but
    /// began less than [`RELOAD_INTERVAL`] ago.
    ///
    /// Unknown ids are loaded again like known ids, so that a new store works immediately, and so
    /// that the duration of a refusal does not reveal whether an id exists.
    pub(crate) async fn newer(
        &self,
        id: StoreId,
        seen: &CachedStore,
        arrived: Instant,
    ) -> Result<Option<Arc<CachedStore>>, RepositoryError> {
        if seen.loaded >= arrived {
            return Ok(None);
        }
        let load = {
            let mut state = lock(&self.state);
            match state.entry(id) {
                Some(entry) if entry.loaded > seen.loaded => return Ok(Some(entry)),
                _ => {}
            }
            if !state.is_loading(id) && !state.claim_reload(id) {
                return Ok(None);
            }
            state.shared_load(id)
        };
        self.wait_for(id, &load).await.map(Some)
    }

    async fn wait_for(
        &self,
        id: StoreId,
        load: &SharedLoad,
    ) -> Result<Arc<CachedStore>, RepositoryError> {
        let outcome = load.get_or_init(|| self.load(id)).await;
        outcome.clone().map_err(|error| same_error(&error))
    }

    async fn load(&self, id: StoreId) -> Result<Arc<CachedStore>, Arc<RepositoryError>> {
        let loaded = Instant::now();
        let opened = self.directory.find(id).await.map(|record| match record {
            None => CachedStore {
                store: None,
                keys: Vec::new(),
                key_uses: Vec::new(),
                unreadable: None,
                loaded,
            },
            Some(record) => {
                let (key_uses, keys, unreadable) = self.open_keys(&record);
                CachedStore {
                    store: Some(Arc::new(record.store)),
                    keys,
                    key_uses,
                    unreadable,
                    loaded,
                }
            }
        });
        let mut state = lock(&self.state);
        state.loads.remove(&id);
        match opened {
            Ok(entry) => {
                let entry = Arc::new(entry);
                state.keep(id, &entry);
                Ok(entry)
            }
            Err(error) => {
                // The next call may load again, instead of being refused by old keys.
                state.reloads.remove(&id);
                Err(Arc::new(error))
            }
        }
    }

    /// Returns uses and secrets of the opened keys, and the reason why a key cannot be opened. An
    /// unreadable key must not disable the store's other key.
    fn open_keys(&self, record: &StoreRecord) -> (Vec<KeyUse>, Vec<SecretKey>, Option<Arc<str>>) {
        let store = record.store.id;
        let (mut opened_keys, mut unreadable) = (Vec::new(), Vec::new());
        // A disabled store is refused in any case, so that its keys need not be opened.
        let live = if record.store.enabled {
            record.keys.as_slice()
        } else {
            &[]
        };
        for key in live.iter().rev().take(LIVE_KEYS) {
            match self.sealer.open(KeyOwner::Store(store), &key.sealed) {
                Ok(secret) => opened_keys.push((KeyUse::new(key), secret)),
                Err(error) => unreadable.push((key.id, error.to_string())),
            }
        }
        lock(&self.state).note_unreadable(store, &unreadable);
        let (uses, opened) = opened_keys.into_iter().unzip();
        (
            uses,
            opened,
            unreadable
                .into_iter()
                .next()
                .map(|(_, reason)| reason.into()),
        )
    }

    pub(crate) fn unreadable(&self) -> usize {
        lock(&self.state).unreadable.len()
    }

    /// Removes expired entries every [`SWEEP_INTERVAL`], until the cache is dropped. Loads remove
    /// them, too, but without calls there are no loads.
    pub(crate) async fn sweep(cache: Weak<Self>) {
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            let Some(cache) = cache.upgrade() else { return };
            lock(&cache.state).tidy();
        }
    }
}

impl CacheState {
    fn entry(&self, id: StoreId) -> Option<Arc<CachedStore>> {
        self.known
            .get(&id)
            .or_else(|| self.unknown.get(&id))
            .cloned()
    }

    fn shared_load(&mut self, id: StoreId) -> Arc<SharedLoad> {
        if self.tidied.elapsed() >= MAX_AGE {
            self.tidy();
        }
        Arc::clone(self.loads.entry(id).or_default())
    }

    /// Returns whether a call waits for a load of `id`. A load without waiting calls was abandoned.
    fn is_loading(&self, id: StoreId) -> bool {
        self.loads
            .get(&id)
            .is_some_and(|load| Arc::strong_count(load) > 1)
    }

    /// Records the reload. Returns `false` for [`RELOAD_INTERVAL`] after the start of a reload,
    /// even if the call that started it was aborted.
    fn claim_reload(&mut self, id: StoreId) -> bool {
        let due = self
            .reloads
            .get(&id)
            .is_none_or(|started| started.elapsed() >= RELOAD_INTERVAL);
        if due {
            self.reloads.insert(id, Instant::now());
        }
        due
    }

    fn keep(&mut self, id: StoreId, entry: &Arc<CachedStore>) {
        if entry.store.is_some() {
            self.unknown.remove(&id);
            self.known.insert(id, Arc::clone(entry));
        } else {
            self.known.remove(&id);
            // Bounds the memory for invented ids.
            if self.unknown.len() < MAX_UNKNOWN || self.unknown.contains_key(&id) {
                self.unknown.insert(id, Arc::clone(entry));
            }
        }
    }

    /// Logs a key only when it becomes unreadable, or readable again.
    fn note_unreadable(&mut self, store: StoreId, unreadable: &[(KeyId, String)]) {
        let still = |key: &KeyId| unreadable.iter().any(|(id, _)| id == key);
        self.unreadable.retain(|key, owner| {
            let keeps = *owner != store || still(key);
            if !keeps {
                tracing::info!(%store, %key, "a secret key can be opened again, or is no longer used");
            }
            keeps
        });
        for (key, reason) in unreadable {
            if self.unreadable.insert(*key, store).is_none() {
                tracing::error!(%store, %key, reason, "a secret key cannot be opened; its store gets 503");
            }
        }
    }

    /// Removes expired entries, so that the keys of a store that stopped calling leave memory.
    fn tidy(&mut self) {
        self.tidied = Instant::now();
        self.known
            .retain(|_, entry| entry.loaded.elapsed() < MAX_AGE);
        self.unknown
            .retain(|_, entry| entry.loaded.elapsed() < MAX_AGE);
        self.reloads
            .retain(|_, started| started.elapsed() < RELOAD_INTERVAL);
        // A load without callers was abandoned when its last caller was dropped.
        self.loads.retain(|_, load| Arc::strong_count(load) > 1);
    }
}

/// Returns a copy of `error`, for one of the callers of a failed shared load.
pub(crate) fn same_error(error: &Arc<RepositoryError>) -> RepositoryError {
    let source = || Box::new(SharedSource(Arc::clone(error)));
    match &**error {
        RepositoryError::Unavailable(_) => RepositoryError::Unavailable(source()),
        RepositoryError::Timeout(_) => RepositoryError::Timeout(source()),
        RepositoryError::Corrupt {
            kind, field, key, ..
        } => RepositoryError::Corrupt {
            kind,
            field,
            key: key.clone(),
            source: source(),
        },
        RepositoryError::Duplicate(what) => RepositoryError::Duplicate(what),
        RepositoryError::Stale => RepositoryError::Stale,
        RepositoryError::TooLarge(what) => RepositoryError::TooLarge(what),
        RepositoryError::CatalogChanged => RepositoryError::CatalogChanged,
        RepositoryError::ProductTooLarge { product, variants } => {
            RepositoryError::ProductTooLarge {
                product: product.clone(),
                variants: *variants,
            }
        }
        RepositoryError::Refused(_) => RepositoryError::Refused(source()),
        // Future kinds of errors: it is unknown whether they can be retried.
        _ => RepositoryError::Unavailable(source()),
    }
}

/// Source of a copied error. It displays the source of the original error.
#[derive(Debug)]
struct SharedSource(Arc<RepositoryError>);

impl fmt::Display for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .source()
            .map_or(Ok(()), |source| fmt::Display::fmt(source, f))
    }
}

impl Error for SharedSource {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().and_then(Error::source)
    }
}
