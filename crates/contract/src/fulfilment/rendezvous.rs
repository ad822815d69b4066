//! A repository that can make two callers read the same version of an order before either of them
//! writes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Event;
use pressline_domain::order::search::{SearchQuery, SearchResult};
use pressline_domain::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, Order, OrderRepository, OrderWrite,
    ShipmentLookup, ShipmentMatch,
};
use pressline_domain::value::{OrderId, StoreId, Timestamp};
use tokio::sync::Semaphore;

/// Forwards all calls. During a meeting, a call that has read an order waits for the other caller.
pub(super) struct Rendezvous {
    orders: Arc<dyn OrderRepository>,
    meeting: Mutex<Option<Arc<Meeting>>>,
}

pub(super) struct Meeting {
    arrived: AtomicUsize,
    open: Semaphore,
}

impl Meeting {
    /// Waits until both callers have arrived or the meeting has ended.
    async fn arrive(&self) {
        // The second caller has arrived.
        if self.arrived.fetch_add(1, Ordering::SeqCst) == 1 {
            self.end();
        }
        // The semaphore is never closed, so this cannot fail.
        drop(self.open.acquire().await);
    }

    /// Releases all waiting callers.
    pub(super) fn end(&self) {
        self.open.add_permits(1);
    }
}

impl Rendezvous {
    pub(super) fn new(orders: Arc<dyn OrderRepository>) -> Self {
        Self {
            orders,
            meeting: Mutex::new(None),
        }
    }

    /// Starts a meeting of the next two callers.
    pub(super) fn meet(&self) -> Arc<Meeting> {
        let meeting = Arc::new(Meeting {
            arrived: AtomicUsize::new(0),
            open: Semaphore::new(0),
        });
        *self.lock() = Some(Arc::clone(&meeting));
        meeting
    }

    /// Stops the current meeting; further callers do not wait.
    pub(super) fn part(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Meeting>>> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn arrive(&self) {
        let meeting = self.lock().clone();
        if let Some(meeting) = meeting {
            meeting.arrive().await;
        }
    }
}

#[async_trait]
impl OrderRepository for Rendezvous {
    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        self.orders.write(write).await
    }

    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<Order>, RepositoryError> {
        let found = self.orders.find(store, lookup).await;
        self.arrive().await;
        found
    }

    async fn search(
        &self,
        store: StoreId,
        query: &SearchQuery,
    ) -> Result<SearchResult, RepositoryError> {
        self.orders.search(store, query).await
    }

    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        let loaded = self.orders.load(store, ids, bytes).await;
        self.arrive().await;
        loaded
    }

    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>, RepositoryError> {
        self.orders.events(store, order, latest, count).await
    }

    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>, RepositoryError> {
        self.orders.take_due(now, until, count).await
    }

    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult, RepositoryError> {
        self.orders.fast_forward(store, fast_forward).await
    }

    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>, RepositoryError> {
        self.orders.find_shipments(stores, lookup, count).await
    }

    async fn ping(&self) -> Result<(), RepositoryError> {
        self.orders.ping().await
    }
}
