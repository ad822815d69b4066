//! Cases about webhooks: endpoints, subscriptions and the delivery log.

mod deliveries;
mod endpoints;
mod messages;
mod outcomes;
mod restored;
mod samples;
mod scope;
mod subscriptions;

use std::sync::Arc;

use pressline_backoffice::limits;
use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointOwner, EndpointRecord,
    EndpointScope, OpenMessage, RecordResult, Subscription, SubscriptionClock, SubscriptionKey,
    SubscriptionOutcome, SubscriptionRepository,
};
use pressline_domain::order::Order;
use pressline_domain::value::{DeliveryId, StoreId, Timestamp};

use crate::order::{self, held, released, update};
use crate::random::Random;
use crate::samples::{at, made};
use crate::{Adapters, CaseError, CaseResult, check};

pub(crate) use deliveries::CASES as DELIVERIES;
pub(crate) use endpoints::CASES as ENDPOINTS;
pub(crate) use messages::CASES as MESSAGES;
pub(crate) use outcomes::CASES as OUTCOMES;
pub(crate) use restored::CASES as RESTORED;
pub(crate) use scope::CASES as SCOPE;
pub(crate) use subscriptions::CASES as SUBSCRIPTIONS;

/// Webhook adapters, and the other adapters over the same data.
#[derive(Clone)]
pub struct WebhookAdapters {
    /// Endpoints of the stores in `adapters`.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Subscriptions of `endpoints`.
    pub subscriptions: Arc<dyn SubscriptionRepository>,
    /// Log of attempts to deliver to `endpoints`.
    pub deliveries: Arc<dyn DeliveryLog>,
    /// Fast-forwards due times of the stores' own endpoints.
    pub clock: Arc<dyn SubscriptionClock>,
    /// All other adapters.
    pub adapters: Adapters,
}

const MINUTE: i64 = 60_000;

/// Adapters with one store.
struct Hooks {
    to: WebhookAdapters,
    store: StoreId,
    random: Random,
    orders_made: u32,
}

impl Hooks {
    async fn open(to: WebhookAdapters) -> Result<Self, CaseError> {
        let mut random = Random::new();
        let stores = &to.adapters.stores;
        let record = random.added_store(stores, "SHOP").await?;
        Ok(Self {
            to,
            store: record.store.id,
            random,
            orders_made: 0,
        })
    }

    /// Adds another store.
    async fn another(&mut self, prefix: &str) -> Result<StoreId, CaseError> {
        let stores = &self.to.adapters.stores;
        let record = self.random.added_store(stores, prefix).await?;
        Ok(record.store.id)
    }

    /// Creates an order of `store`, which adds an event. It is created after all earlier orders,
    /// because the event with the lowest sequence counts as the oldest event.
    async fn place(&mut self, store: StoreId) -> Result<Order, CaseError> {
        self.orders_made += 1;
        let order_id = format!("T-{}", self.orders_made);
        let mut parts = self.random.order(store, &order_id)?;
        parts.id = self.random.order_id(i64::from(self.orders_made));
        Ok(order::create(&self.to.adapters.orders, parts).await??)
    }

    /// Creates `count` orders of the first store.
    async fn place_many(&mut self, count: u32) -> Result<Vec<Order>, CaseError> {
        let mut orders = Vec::new();
        for _ in 0..count {
            orders.push(self.place(self.store).await?);
        }
        Ok(orders)
    }

    /// Holds and releases an order, which adds two events.
    async fn hold_and_release(&self, order: &Order) -> Result<Order, CaseError> {
        let orders = &self.to.adapters.orders;
        let order = update(orders, &made(held(order)?)?).await?;
        Ok(update(orders, &released(&order)?).await?)
    }

    /// Adds an endpoint with `scope` and returns it as stored.
    async fn add(&mut self, scope: EndpointScope) -> Result<EndpointRecord, CaseError> {
        let record = self.random.plain_endpoint(scope)?;
        let is_added = self.to.endpoints.add(&record, limits::ENDPOINTS).await?;
        check::holds("it was added", is_added)?;
        Ok(record)
    }

    /// Adds an endpoint of the first store and returns its subscription.
    async fn add_own(&mut self) -> Result<SubscriptionKey, CaseError> {
        let record = self.add(EndpointScope::Store(self.store)).await?;
        Ok(subscription_of(&record, self.store))
    }

    /// Replaces an endpoint and returns it as stored afterwards.
    async fn replace(&self, record: &EndpointRecord) -> Result<EndpointRecord, CaseError> {
        let expected = record.version;
        self.to.endpoints.replace(record, expected, None).await?;
        Ok(EndpointRecord {
            version: expected + 1,
            ..record.clone()
        })
    }

    /// Leases a subscription for a minute, from `millis` milliseconds after [`NOW`].
    async fn lease(
        &self,
        subscription: SubscriptionKey,
        millis: i64,
    ) -> Result<Subscription, CaseError> {
        let until = at(millis + MINUTE);
        let leased = self
            .to
            .subscriptions
            .lease(subscription, at(millis), until)
            .await?;
        leased.ok_or_else(|| CaseError::new("the subscription cannot be leased"))
    }

    /// Stores `cursor` and the messages `open` of a subscription, under a lease of its own.
    async fn store(
        &self,
        subscription: SubscriptionKey,
        cursor: u64,
        open: &[OpenMessage],
    ) -> CaseResult {
        let mut leased = self.lease(subscription, 0).await?;
        leased.cursor = cursor;
        let outcome = SubscriptionOutcome {
            open: open.to_vec(),
            ..outcome(leased)
        };
        self.record(&outcome).await
    }

    /// Logs `deliveries` of a subscription, under a lease of its own.
    async fn log(&self, subscription: SubscriptionKey, deliveries: &[Delivery]) -> CaseResult {
        let leased = self.lease(subscription, 0).await?;
        let outcome = SubscriptionOutcome {
            deliveries: deliveries.to_vec(),
            ..outcome(leased)
        };
        self.record(&outcome).await
    }

    /// Stores the results of a delivery run, which must succeed.
    async fn record(&self, outcome: &SubscriptionOutcome) -> CaseResult {
        let recorded = self.to.subscriptions.record(outcome).await?;
        check::same("the outcome", &recorded, &RecordResult::Done)
    }

    /// Returns the messages of a subscription whatever their due time, the first message of each
    /// order.
    async fn messages(&self, subscription: SubscriptionKey) -> Result<Vec<OpenMessage>, CaseError> {
        let ever = at(1_000 * 24 * 60 * MINUTE);
        Ok(self.to.subscriptions.due(subscription, ever, 1000).await?)
    }

    /// Returns up to nine messages that are due `millis` milliseconds after [`NOW`].
    async fn due(
        &self,
        subscription: SubscriptionKey,
        millis: i64,
    ) -> Result<Vec<OpenMessage>, CaseError> {
        let subscriptions = &self.to.subscriptions;
        Ok(subscriptions.due(subscription, at(millis), 9).await?)
    }

    /// Adds endpoints of the first store, of the print shop, and of the store `other`. Returns
    /// their subscriptions, to all events of their stores.
    async fn of_three_owners(
        &mut self,
        other: StoreId,
    ) -> Result<[(EndpointOwner, SubscriptionKey); 3], CaseError> {
        let own = self.add_own().await?;
        let shop = self.add(EndpointScope::AllStores).await?;
        let neighbour = self.add(EndpointScope::Store(other)).await?;
        Ok([
            (EndpointOwner::Store(self.store), own),
            (EndpointOwner::Shop, subscription_of(&shop, self.store)),
            (
                EndpointOwner::Store(other),
                subscription_of(&neighbour, other),
            ),
        ])
    }

    /// Returns the cursor of a subscription. Leases it briefly.
    async fn cursor(&self, subscription: SubscriptionKey) -> Result<u64, CaseError> {
        let leased = self.lease(subscription, 0).await?;
        self.record(&outcome(leased)).await?;
        Ok(leased.cursor)
    }

    /// Returns the subscriptions with pending events at `millis`, sorted.
    async fn news(&self, millis: i64) -> Result<Vec<SubscriptionKey>, CaseError> {
        let mut found = self
            .to
            .subscriptions
            .with_pending_events(at(millis), 1000)
            .await?;
        found.sort();
        Ok(found)
    }

    async fn find(&self, subscription: SubscriptionKey) -> Result<EndpointRecord, CaseError> {
        let found = self.to.endpoints.find(subscription.endpoint).await?;
        found.ok_or_else(|| CaseError::new("there is no endpoint"))
    }

    /// Returns the newest 100 deliveries of the endpoints of `owner`.
    async fn deliveries(&self, owner: EndpointOwner) -> Result<Vec<Delivery>, CaseError> {
        self.search(owner, &DeliveryFilter::default()).await
    }

    async fn search(
        &self,
        owner: EndpointOwner,
        filter: &DeliveryFilter,
    ) -> Result<Vec<Delivery>, CaseError> {
        let log = &self.to.deliveries;
        Ok(log.search(owner, filter, None, 100).await?)
    }

    /// Returns the deliveries of the first store's endpoints with their next attempts.
    async fn next_attempts(&self) -> Result<Vec<(DeliveryId, Option<Timestamp>)>, CaseError> {
        let found = self.deliveries(EndpointOwner::Store(self.store)).await?;
        let next = found.iter().map(|found| (found.id, found.next_attempt_at));
        Ok(next.collect())
    }
}

/// Returns the subscription of an endpoint to `store`.
fn subscription_of(record: &EndpointRecord, store: StoreId) -> SubscriptionKey {
    SubscriptionKey {
        store,
        endpoint: record.endpoint.id,
    }
}

/// Returns a result that ends the lease and changes nothing else.
fn outcome(subscription: Subscription) -> SubscriptionOutcome {
    SubscriptionOutcome {
        subscription,
        at: at(0),
        leased_until: None,
        open: Vec::new(),
        settled: Vec::new(),
        released: Vec::new(),
        deliveries: Vec::new(),
        endpoint: None,
    }
}

/// Returns an open message for the order's last event, after one failed attempt; `due` is in
/// milliseconds after [`NOW`].
fn message(order: &Order, due: i64) -> OpenMessage {
    OpenMessage {
        sequence: order.state.last_sequence,
        order: Some(order.content.id),
        attempts: 1,
        due: at(due),
        waits: false,
    }
}

/// Returns an open message for the order's last event that waits for an earlier message.
fn waiting(order: &Order, due: i64) -> OpenMessage {
    OpenMessage {
        attempts: 0,
        waits: true,
        ..message(order, due)
    }
}
