//! The cases of webhooks: of endpoints, subscriptions and the log of deliveries.

mod deliveries;
mod endpoints;
mod hearing;
mod messages;
mod outcomes;
mod samples;
mod subscriptions;

use std::sync::Arc;

use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointOwner, EndpointRecord,
    EndpointScope, OpenMessage, RecordResult, Subscription, SubscriptionClock, SubscriptionKey,
    SubscriptionOutcome, SubscriptionRepository,
};
use pressline_domain::id::{DeliveryId, StoreId};
use pressline_domain::limits;
use pressline_domain::order::Order;
use pressline_domain::time::Timestamp;

use crate::order::{self, held, released, update};
use crate::random::Random;
use crate::samples::{NOW, made};
use crate::{Adapters, CaseError, CaseResult, check};

pub(crate) use deliveries::CASES as DELIVERIES;
pub(crate) use endpoints::CASES as ENDPOINTS;
pub(crate) use hearing::CASES as HEARING;
pub(crate) use messages::CASES as MESSAGES;
pub(crate) use outcomes::CASES as OUTCOMES;
pub(crate) use subscriptions::CASES as SUBSCRIPTIONS;

/// Adapters with those of webhooks, over the same data.
#[derive(Clone)]
pub struct WebhookAdapters {
    /// Endpoints, of the stores in `adapters`.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Their subscriptions.
    pub subscriptions: Arc<dyn SubscriptionRepository>,
    /// The log of attempts.
    pub deliveries: Arc<dyn DeliveryLog>,
    /// Moves what is due at endpoints.
    pub clock: Arc<dyn SubscriptionClock>,
    /// All others.
    pub adapters: Adapters,
}

const MINUTE: i64 = 60_000;

/// The moment so many milliseconds after [`NOW`].
fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW + millis)
}

/// Adapters with one store in them.
struct Hooks {
    to: WebhookAdapters,
    store: StoreId,
    random: Random,
    orders_made: u32,
}

impl Hooks {
    async fn open(to: WebhookAdapters) -> Result<Self, CaseError> {
        let mut random = Random::new();
        let record = random.store("SHOP")?;
        to.adapters.stores.add(&record).await?;
        Ok(Self {
            to,
            store: record.store.id,
            random,
            orders_made: 0,
        })
    }

    /// Adds another store.
    async fn another(&mut self, prefix: &str) -> Result<StoreId, CaseError> {
        let record = self.random.store(prefix)?;
        self.to.adapters.stores.add(&record).await?;
        Ok(record.store.id)
    }

    /// Creates an order of a store, which is its next event.
    async fn place(&mut self, store: StoreId) -> Result<Order, CaseError> {
        self.orders_made += 1;
        let order_id = format!("T-{}", self.orders_made);
        let parts = self.random.order(store, &order_id)?;
        Ok(order::create(&self.to.adapters.orders, parts).await??)
    }

    /// Creates so many orders of the first store.
    async fn place_many(&mut self, count: u32) -> Result<Vec<Order>, CaseError> {
        let mut orders = Vec::new();
        for _ in 0..count {
            orders.push(self.place(self.store).await?);
        }
        Ok(orders)
    }

    /// Puts an order on hold and releases it again: two more events.
    async fn hold_and_release(&self, order: &Order) -> Result<Order, CaseError> {
        let orders = &self.to.adapters.orders;
        let order = update(orders, &made(held(order)?)?).await?;
        Ok(update(orders, &released(&order)?).await?)
    }

    /// Adds an endpoint, which is returned as it is stored.
    async fn add(&mut self, scope: EndpointScope) -> Result<EndpointRecord, CaseError> {
        let record = self.random.plain_endpoint(scope)?;
        let is_added = self.to.endpoints.add(&record, limits::ENDPOINTS).await?;
        check::holds("it was added", is_added)?;
        Ok(record)
    }

    /// Adds an endpoint of the first store, and returns its subscription.
    async fn add_own(&mut self) -> Result<SubscriptionKey, CaseError> {
        let record = self.add(EndpointScope::Store(self.store)).await?;
        Ok(subscription_of(&record, self.store))
    }

    /// Replaces an endpoint, and returns it as it is stored from now on.
    async fn replace(&self, record: &EndpointRecord) -> Result<EndpointRecord, CaseError> {
        let expected = record.version;
        self.to.endpoints.replace(record, expected, None).await?;
        Ok(EndpointRecord {
            version: expected + 1,
            ..record.clone()
        })
    }

    /// Leases a subscription from a moment for a minute.
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

    /// Leases a subscription, stores messages with its cursor, and gives it back. Nothing else changes.
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

    /// Stores deliveries of a subscription, and changes nothing else.
    async fn log(&self, subscription: SubscriptionKey, deliveries: &[Delivery]) -> CaseResult {
        let leased = self.lease(subscription, 0).await?;
        let outcome = SubscriptionOutcome {
            deliveries: deliveries.to_vec(),
            ..outcome(leased)
        };
        self.record(&outcome).await
    }

    /// Stores an outcome.
    async fn record(&self, outcome: &SubscriptionOutcome) -> CaseResult {
        let recorded = self.to.subscriptions.record(outcome).await?;
        check::same("the outcome", &recorded, &RecordResult::Done)
    }

    /// All messages of a subscription, whenever they are due, of at most one order each.
    async fn messages(&self, subscription: SubscriptionKey) -> Result<Vec<OpenMessage>, CaseError> {
        let ever = at(1_000 * 24 * 60 * MINUTE);
        Ok(self.to.subscriptions.due(subscription, ever, 1000).await?)
    }

    /// The sequence after which a subscription reads on. Leases it for a moment.
    async fn cursor(&self, subscription: SubscriptionKey) -> Result<u64, CaseError> {
        let leased = self.lease(subscription, 0).await?;
        self.record(&outcome(leased)).await?;
        Ok(leased.cursor)
    }

    /// The subscriptions with something to send.
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

    /// The newest hundred of all deliveries of an owner.
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

    /// The deliveries of the first store's endpoints: which one, and when it is sent again.
    async fn next_attempts(&self) -> Result<Vec<(DeliveryId, Option<Timestamp>)>, CaseError> {
        let found = self.deliveries(EndpointOwner::Store(self.store)).await?;
        let next = found.iter().map(|found| (found.id, found.next_attempt_at));
        Ok(next.collect())
    }
}

/// The subscription of an endpoint for a store.
fn subscription_of(record: &EndpointRecord, store: StoreId) -> SubscriptionKey {
    SubscriptionKey {
        store,
        endpoint: record.endpoint.id,
    }
}

/// An outcome that gives a subscription back and changes nothing.
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

/// The open message of an order's latest event, which failed once.
fn message(order: &Order, due: i64) -> OpenMessage {
    OpenMessage {
        sequence: order.state.last_sequence,
        order: Some(order.content.id),
        attempts: 1,
        due: at(due),
        waits: false,
    }
}

/// The open message of an order's latest event, which waits for an earlier one.
fn waiting(order: &Order, due: i64) -> OpenMessage {
    OpenMessage {
        attempts: 0,
        waits: true,
        ..message(order, due)
    }
}
