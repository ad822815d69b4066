//! Stores by the prefixes of their order numbers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{MAX_AGE, Store, StoreDirectory};
use crate::error::Result;
use crate::id::Prefix;
use crate::runtime::Clock;
use crate::time::Timestamp;

/// Most stores that are kept. All are dropped before one more is added.
const STORES: usize = 10_000;

/// Reads stores by the prefixes of their order numbers, and keeps each for [`MAX_AGE`], so that a bulk move reads a
/// store once.
pub struct StoresByPrefix {
    directory: Arc<dyn StoreDirectory>,
    clock: Arc<dyn Clock>,
    recent: RecentStores,
}

impl StoresByPrefix {
    /// Returns the stores of `directory`.
    pub fn new(directory: Arc<dyn StoreDirectory>, clock: Arc<dyn Clock>) -> Self {
        Self {
            directory,
            clock,
            recent: RecentStores::default(),
        }
    }

    /// Returns the store whose order numbers have this prefix, as it was at most [`MAX_AGE`] ago; `None` if there is
    /// none.
    ///
    /// # Errors
    /// The directory failed.
    #[pressline_kit::boxed]
    pub async fn get(&self, prefix: &Prefix) -> Result<Option<Store>> {
        let now = self.clock.now();
        if let Some(store) = self.recent.get(prefix, now) {
            return Ok(Some(store));
        }
        let found = self.directory.with_prefix(prefix).await?;
        if let Some(store) = &found {
            self.recent.keep(store, now);
        }
        Ok(found)
    }

    /// Drops a store that was changed.
    pub fn forget(&self, prefix: &Prefix) {
        self.recent.forget(prefix);
    }
}

/// Stores by their prefixes, with the time at which their load began.
#[derive(Default)]
struct RecentStores {
    stores: Mutex<HashMap<Prefix, (Timestamp, Store)>>,
}

impl RecentStores {
    fn get(&self, prefix: &Prefix, now: Timestamp) -> Option<Store> {
        let stores = self.stores();
        let (loaded, store) = stores.get(prefix)?;
        let age = now.as_millis().checked_sub(loaded.as_millis());
        // Negative where the clock was set back.
        let age = u64::try_from(age?).ok().map(Duration::from_millis);
        (age? < MAX_AGE).then(|| store.clone())
    }

    fn keep(&self, store: &Store, loaded: Timestamp) {
        let mut stores = self.stores();
        if stores.len() >= STORES {
            stores.clear();
        }
        stores.insert(store.prefix.clone(), (loaded, store.clone()));
    }

    fn forget(&self, prefix: &Prefix) {
        self.stores().remove(prefix);
    }

    fn stores(&self) -> MutexGuard<'_, HashMap<Prefix, (Timestamp, Store)>> {
        // A change of the map is never incomplete, so it is valid after a panic of another thread.
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::StoreId;
    use crate::store::StoreSettings;

    #[test]
    fn a_store_is_kept_for_seconds() {
        let at = Timestamp::from_millis;
        let store = Store {
            id: StoreId::new("0190f5c0-0000-7000-8000-000000000001".parse().unwrap()),
            name: "Demo".to_owned(),
            prefix: "DEMO".parse().unwrap(),
            currency: "USD".parse().unwrap(),
            test: false,
            settings: StoreSettings::default(),
            enabled: true,
            created_at: at(0),
        };
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
