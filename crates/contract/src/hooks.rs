//! A repository of orders that calls a test's hooks around each call.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Event;
use pressline_domain::order::search::{SearchQuery, SearchResult};
use pressline_domain::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, Order, OrderMatch, OrderRepository,
    OrderWrite, ShipmentLookup, ShipmentMatch,
};
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId, Timestamp};

/// Call of an [`OrderRepository`], with the store if it is about a single store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "each variant has the name of a method of the port"
)]
pub enum OrderCall {
    Write,
    Find(StoreId),
    Search(StoreId),
    Load(StoreId),
    Events(StoreId),
    TakeDue,
    FastForward(StoreId),
    ServiceOrderId,
    FindShipments,
    Ping,
}

/// Hooks of a [`HookedOrders`]. Without implementations they do nothing.
#[async_trait]
pub trait OrderHooks: Send + Sync {
    /// Runs before [`OrderRepository::check_room`]. An error is returned instead of the result.
    ///
    /// # Errors
    /// Errors that a test makes.
    fn before_check_room(&self) -> Result<(), RepositoryError> {
        Ok(())
    }

    /// Runs before `call`. An error is returned instead of the result, and the call is not made.
    ///
    /// # Errors
    /// Errors that a test makes.
    async fn before(&self, _call: OrderCall) -> Result<(), RepositoryError> {
        Ok(())
    }

    /// Runs after `call`, also if the call has failed, and before its result is returned.
    async fn after(&self, _call: OrderCall) {}
}

/// Forwards all calls to `orders`, with `hooks` before and after each call.
pub struct HookedOrders<H> {
    /// Repository that executes the calls.
    pub orders: Arc<dyn OrderRepository>,
    /// Hooks around the calls.
    pub hooks: H,
}

impl<H: OrderHooks> HookedOrders<H> {
    /// Awaits `result`, the result of `call`, between the hooks.
    async fn hooked<T: Send>(
        &self,
        call: OrderCall,
        result: impl Future<Output = Result<T, RepositoryError>> + Send,
    ) -> Result<T, RepositoryError> {
        self.hooks.before(call).await?;
        let result = result.await;
        self.hooks.after(call).await;
        result
    }
}

#[async_trait]
impl<H: OrderHooks> OrderRepository for HookedOrders<H> {
    fn check_room(&self, store: StoreId) -> Result<(), RepositoryError> {
        self.hooks.before_check_room()?;
        self.orders.check_room(store)
    }

    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        let written = self.orders.write(write);
        self.hooked(OrderCall::Write, written).await
    }

    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<OrderMatch>, RepositoryError> {
        let found = self.orders.find(store, lookup);
        self.hooked(OrderCall::Find(store), found).await
    }

    async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>, RepositoryError> {
        let found = self.orders.service_order_id(stores, id);
        self.hooked(OrderCall::ServiceOrderId, found).await
    }

    async fn search(
        &self,
        store: StoreId,
        query: &SearchQuery,
    ) -> Result<SearchResult, RepositoryError> {
        let found = self.orders.search(store, query);
        self.hooked(OrderCall::Search(store), found).await
    }

    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        let loaded = self.orders.load(store, ids, bytes);
        self.hooked(OrderCall::Load(store), loaded).await
    }

    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>, RepositoryError> {
        let events = self.orders.events(store, order, latest, count);
        self.hooked(OrderCall::Events(store), events).await
    }

    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>, RepositoryError> {
        let taken = self.orders.take_due(now, until, count);
        self.hooked(OrderCall::TakeDue, taken).await
    }

    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult, RepositoryError> {
        let moved = self.orders.fast_forward(store, fast_forward);
        self.hooked(OrderCall::FastForward(store), moved).await
    }

    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>, RepositoryError> {
        let found = self.orders.find_shipments(stores, lookup, count);
        self.hooked(OrderCall::FindShipments, found).await
    }

    async fn ping(&self) -> Result<(), RepositoryError> {
        self.hooked(OrderCall::Ping, self.orders.ping()).await
    }
}
