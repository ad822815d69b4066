//! A cache of stores by the prefix of their order numbers.

use pressline_kit::lock;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{MAX_AGE, Store, StoreDirectory};
use crate::error::Result;
use crate::runtime::Clock;
use crate::value::{Prefix, Timestamp};

/// Maximum number of cached stores. When it is reached, the cache is emptied.
const STORES: usize = 10_000;

/// Reads stores by prefix. Caches each for [`MAX_AGE`], for commands about many orders.
pub struct StoresByPrefix {
    directory: Arc<dyn StoreDirectory>,
    clock: Arc<dyn Clock>,
    recent: RecentStores,
}

impl StoresByPrefix {
    /// Creates an empty cache in front of `directory`.
    pub fn new(directory: Arc<dyn StoreDirectory>, clock: Arc<dyn Clock>) -> Self {
        Self {
            directory,
            clock,
            recent: RecentStores::default(),
        }
    }

    /// Returns the store with this `prefix`, as it was at most [`MAX_AGE`] ago; `None` if it does
    /// not exist.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    #[pressline_kit::boxed]
    pub async fn get(&self, prefix: &Prefix) -> Result<Option<Store>> {
        let now = self.clock.now();
        if let Some(store) = self.recent.get(prefix, now) {
            return Ok(Some(store));
        }
        // The age counts from before the read, so it is never too low.
        let known_store = self.directory.with_prefix(prefix).await?;
        // An unknown prefix is not cached, so a new store is found immediately.
        if let Some(store) = &known_store {
            self.recent.keep(store, now);
        }
        Ok(known_store)
    }

    /// Removes a store from the cache. Must be called after each change of the store.
    pub fn forget(&self, prefix: &Prefix) {
        self.recent.forget(prefix);
    }
}

/// Each store with the time when reading the store began, keyed by prefix.
#[derive(Default)]
struct RecentStores {
    stores: Mutex<HashMap<Prefix, (Timestamp, Store)>>,
}

impl RecentStores {
    fn get(&self, prefix: &Prefix, now: Timestamp) -> Option<Store> {
        let stores = lock(&self.stores);
        let (loaded, store) = stores.get(prefix)?;
        let millis = now.as_millis().checked_sub(loaded.as_millis());
        // The age is negative if the clock was set back.
        let age = u64::try_from(millis?).ok().map(Duration::from_millis);
        (age? < MAX_AGE).then(|| store.clone())
    }

    fn keep(&self, store: &Store, loaded: Timestamp) {
        let mut stores = lock(&self.stores);
        if stores.len() >= STORES {
            stores.clear();
        }
        stores.insert(store.prefix.clone(), (loaded, store.clone()));
    }

    fn forget(&self, prefix: &Prefix) {
        lock(&self.stores).remove(prefix);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Currency, StoreId};

    #[test]
    fn a_store_is_kept_for_seconds() {
        let at = Timestamp::from_millis;
        let id = StoreId::new("0190f5c0-0000-7000-8000-000000000001".parse().unwrap());
        let store = Store::new(id, "DEMO".parse().unwrap(), Currency::USD, at(0));
        let stores = RecentStores::default();
        assert_eq!(stores.get(&store.prefix, at(5_000)), None);
        stores.keep(&store, at(5_000));
        assert_eq!(stores.get(&store.prefix, at(8_999)), Some(store.clone()));
        assert_eq!(stores.get(&store.prefix, at(9_000)), None);
        // The clock was set back.
        assert_eq!(stores.get(&store.prefix, at(4_999)), None);
        stores.forget(&store.prefix);
        assert_eq!(stores.get(&store.prefix, at(5_000)), None);
    }
}
