//! Skipping counters in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::{MemoryOperators, MemoryProduction, MemoryWebhooks};
use crate::restore::{
    DatabaseIdentities, Restore, RestoredDatabase, SharedSkip, SkippedRange, StoreSkip,
};
use pressline_domain::error::Result;
use pressline_domain::memory::{LastOfStore, MemoryOrders};
use pressline_domain::value::{StoreId, Timestamp};
use pressline_kit::lock;

/// Skips the counters of other adapters in memory. It has no identity of its own.
#[derive(Clone)]
pub struct MemoryRestores {
    orders: MemoryOrders,
    production: MemoryProduction,
    webhooks: MemoryWebhooks,
    operators: MemoryOperators,
    kept: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    open: Option<Restore>,
    stores: HashMap<(StoreId, Timestamp), StoreSkip>,
    shared: HashMap<Timestamp, SharedSkip>,
    identity: Option<String>,
}

impl MemoryRestores {
    /// Creates an adapter that skips the counters of the given adapters.
    pub fn new(
        orders: &MemoryOrders,
        production: &MemoryProduction,
        webhooks: &MemoryWebhooks,
        operators: &MemoryOperators,
    ) -> Self {
        Self {
            orders: orders.clone(),
            production: production.clone(),
            webhooks: webhooks.clone(),
            operators: operators.clone(),
            kept: Arc::default(),
        }
    }

    fn skip(&self, restore: &Restore, store: StoreId) -> StoreSkip {
        let margins = restore.margins;
        let before = self.orders.last(store);
        let by = LastOfStore {
            number: margins.numbers,
            sequence: margins.sequences,
        };
        self.orders.skip(store, by, margins.versions);
        let after = self.orders.last(store);
        let range = |after, last| SkippedRange { after, last };
        let skip = StoreSkip {
            numbers: range(before.number, after.number),
            sequences: range(before.sequence, after.sequence),
        };
        self.webhooks.skip(store, skip.sequences);
        skip
    }
}

#[async_trait]
impl RestoredDatabase for MemoryRestores {
    async fn newest_event(&self, store: StoreId) -> Result<Option<Timestamp>> {
        Ok(self.orders.all_events(store).last().map(|event| event.at()))
    }

    async fn opened(&self) -> Result<Option<Restore>> {
        Ok(lock(&self.kept).open)
    }

    async fn open(&self, restore: &Restore) -> Result<()> {
        lock(&self.kept).open = Some(*restore);
        Ok(())
    }

    async fn skip_store(&self, restore: &Restore, store: StoreId) -> Result<StoreSkip> {
        let mut inner = lock(&self.kept);
        let skip = inner.stores.entry((store, restore.at));
        Ok(*skip.or_insert_with(|| self.skip(restore, store)))
    }

    async fn skip_shared(&self, restore: &Restore) -> Result<SharedSkip> {
        let mut inner = lock(&self.kept);
        let skip = inner.shared.entry(restore.at).or_insert_with(|| {
            self.operators.end_sessions();
            SharedSkip {
                batches: self.production.skip(restore.margins.batches),
            }
        });
        Ok(*skip)
    }

    async fn is_finished(&self, restore: &Restore) -> Result<bool> {
        Ok(lock(&self.kept).shared.contains_key(&restore.at))
    }

    async fn close(&self) -> Result<()> {
        lock(&self.kept).open = None;
        Ok(())
    }

    async fn identities(&self) -> Result<DatabaseIdentities> {
        Ok(DatabaseIdentities {
            present: None,
            recorded: lock(&self.kept).identity.clone(),
        })
    }

    async fn record_identity(&self, identity: &str) -> Result<()> {
        lock(&self.kept).identity = Some(identity.to_owned());
        Ok(())
    }
}
