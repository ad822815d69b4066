//! The ports that keep endpoints, subscriptions and the log of deliveries.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::delivery::SubscriptionKey;
use super::delivery::{Delivery, DeliveryStatus};
use super::endpoint::{EndpointOwner, EndpointRecord};
use super::subscription::{
    Lag, OpenMessage, RecordResult, Subscription, SubscriptionOutcome, SubscriptionStart,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{DeliveryId, EndpointId, OrderId, StoreId};
use pressline_domain::store::{SealError, SecretKey};
use pressline_domain::time::Timestamp;

type Result<T> = std::result::Result<T, RepositoryError>;

/// Keeps endpoints. One call is one transaction.
#[async_trait]
pub trait EndpointDirectory: Send + Sync {
    /// Adds an endpoint. The events that happen from now on are heard.
    ///
    /// It MUST be found as it was given (`an_added_endpoint_is_found_as_given`). The subscription of each store that it hears
    /// MUST begin after the store's latest event (`an_endpoint_hears_what_happens_from_now_on`); that of a store
    /// that is created later MUST begin with its first event (`a_later_store_is_heard_from_its_first_event`).
    ///
    /// Returns false, and MUST change nothing, if its owner has `most` endpoints already, also when several
    /// calls run at once (`an_owner_has_a_limited_number_of_endpoints`). A secret that is sealed with another master key
    /// than the one that seals MUST be refused with [`RepositoryError::Stale`]
    /// (`a_secret_of_another_master_key_is_refused`).
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool>;

    /// Returns an endpoint; absence is `Ok(None)` (`an_unknown_endpoint_is_none`).
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>>;

    /// Returns the endpoints of an owner, and no others, oldest first
    /// (`endpoints_are_listed_by_owner_oldest_first`).
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>>;

    /// Returns endpoints of all owners by ascending id, at most so many: the first ones, or those after an id
    /// (`endpoints_of_all_owners_are_read_by_pages`).
    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>>;

    /// Replaces all of an endpoint but its id, its owner and its creation; its version becomes `expected + 1`.
    ///
    /// MUST be refused with [`RepositoryError::Stale`] if the stored version is not `expected`
    /// (`a_stale_endpoint_change_is_refused`), and for a secret that is sealed with another master key
    /// than the one that seals (`a_secret_of_another_master_key_is_refused`). Subscriptions of stores that the endpoint did
    /// not hear before MUST begin after their latest event; open messages of stores that it does not hear any
    /// more MUST be removed (`an_endpoint_can_hear_other_stores`).
    ///
    /// With `start`, every subscription of the endpoint MUST begin there, its open messages be removed, and its lease
    /// end, so that a worker that holds it cannot record its outcome (`a_start_moves_the_cursors_and_drops_messages`,
    /// `a_start_ends_the_leases`). Where messages are removed, [`Delivery::next_attempt_at`] of the subscription's
    /// attempts MUST become `None` (`dropped_messages_have_no_next_attempt`).
    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<SubscriptionStart>,
    ) -> Result<()>;

    /// Removes an endpoint with its subscriptions and open messages; it is not found any more, nor are its
    /// deliveries (`a_removed_endpoint_leaves_nothing`). Returns false if there is none.
    async fn remove(&self, id: EndpointId) -> Result<bool>;

    /// Returns how far an endpoint is behind (`the_lag_counts_events_and_open_messages`): events after the cursors of its
    /// subscriptions, those of other types too, and open messages.
    async fn lag(&self, id: EndpointId) -> Result<Lag>;
}

/// Keeps subscriptions. One call is one transaction.
#[async_trait]
pub trait SubscriptionRepository: Send + Sync {
    /// Returns subscriptions that have something to send and that no worker holds at this moment, at most `limit`.
    ///
    /// A subscription MUST be among them if the store has an event after its cursor, or if a message is due
    /// (`a_subscription_with_news_is_found`), unless its endpoint is disabled or pauses, or another subscription probes it
    /// (`a_subscription_that_pauses_is_not_found`), or a lease has not ended (`a_leased_subscription_is_not_found`). A subscription that probes
    /// its endpoint MUST be among them when the pause has ended, whether anything is due or not
    /// (`a_subscription_that_probes_is_found`).
    async fn with_pending_events(&self, now: Timestamp, limit: u32)
    -> Result<Vec<SubscriptionKey>>;

    /// Leases a subscription until a moment; `Ok(None)` if another worker holds it, or the endpoint does not
    /// exist or does not hear the store.
    ///
    /// Of several workers, one MUST get it (`of_concurrent_leases_one_wins`). Each lease MUST have a higher number than
    /// the one before (`leases_are_numbered`). A lease that has ended MUST NOT keep others away
    /// (`a_lease_ends`).
    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>>;

    /// Returns messages of a subscription that are due, earliest due first, then by sequence, at most `limit`. Of each
    /// order, only the message with the lowest sequence among those that are due MUST be returned
    /// (`due_messages_are_of_different_orders`).
    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>>;

    /// Returns the open message of a subscription with the lowest sequence, whenever it is due
    /// (`the_oldest_message_is_found`).
    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>>;

    /// Returns which of these orders have open messages in a subscription (`orders_with_open_messages_are_found`).
    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>>;

    /// Stores what came of a worker's look at a subscription: all of it or nothing.
    ///
    /// - MUST store nothing if the lease is not the latest of the subscription
    ///   (`an_outcome_needs_the_latest_lease`), or if the endpoint's version is not the expected one
    ///   (`an_outcome_needs_the_endpoint_as_it_was`). An outcome that changes no state of the endpoint does not
    ///   depend on its version.
    /// - Messages, cursor, lease and attempts MUST be read back as they were given
    ///   (`an_outcome_is_read_back_as_it_was_stored`). Of earlier attempts of the same event at the endpoint,
    ///   [`Delivery::next_attempt_at`] MUST become `None` (`a_later_attempt_supersedes_earlier_ones`).
    /// - Of each released order, the open message with the lowest sequence MUST become due at the outcome's
    ///   moment and wait no more, if it waits (`a_settled_message_releases_the_next_of_its_order`). If it does not,
    ///   an earlier message of the order is still being retried, and nothing is released.
    /// - An announced end of an endpoint MUST add an event of the type `webhook.disabled` to the store's events, in
    ///   the same transaction, which takes the store's event counter last (`a_disabled_endpoint_is_announced`).
    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult>;

    /// Ends the leases that an earlier process has left: for a database that has one server, when that starts.
    ///
    /// A lease MUST end after a pause of [`RESTART_PAUSES`] (`all_leases_can_be_ended`), which is longer after each start until
    /// a cursor is stored or a lease is given back: a server that crashes again and again otherwise sends the same events at each
    /// start (`each_restart_without_progress_pauses_a_subscription_longer`).
    async fn end_leases(&self, now: Timestamp) -> Result<()>;
}

/// How long a subscription that a process has left leased is not leased after the next starts, in milliseconds. The last pause is
/// repeated.
pub const RESTART_PAUSES: [i64; 4] = [1000, 2000, 4000, 8000];

/// Returns the latest end of a pause after a start. A lease that ends later belongs to a process.
pub fn longest_restart_pause(now: Timestamp) -> Timestamp {
    now.plus_millis(RESTART_PAUSES.into_iter().max().unwrap_or_default())
}

/// Which deliveries are searched for. Each condition is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Of this endpoint.
    pub endpoint: Option<EndpointId>,
    /// Of this order.
    pub order: Option<OrderId>,
    /// Of the event with this sequence.
    pub sequence: Option<u64>,
    /// That ended so.
    pub status: Option<DeliveryStatus>,
    /// That began at this moment or later.
    pub from: Option<Timestamp>,
    /// That began at this moment or before.
    pub to: Option<Timestamp>,
}

impl DeliveryFilter {
    /// Returns whether a delivery is searched for.
    pub fn matches(&self, delivery: &Delivery) -> bool {
        let order = delivery.event.order.as_ref().map(|order| order.id);
        let started_at = delivery.started_at;
        self.endpoint.is_none_or(|id| delivery.endpoint == id)
            && (self.order.is_none() || self.order == order)
            && (self.sequence.is_none() || self.sequence == delivery.event.sequence)
            && self
                .status
                .is_none_or(|status| delivery.result.status() == status)
            && self.from.is_none_or(|from| started_at >= from)
            && self.to.is_none_or(|to| started_at <= to)
    }
}

/// Which events are sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoverFrom {
    /// Those after this sequence.
    After(u64),
    /// Those that happened at this moment or later.
    Since(Timestamp),
}

/// Keeps the attempts to deliver events.
///
/// Everything is scoped to an owner: deliveries of other owners' endpoints MUST NOT be found, nor be sent
/// again (`deliveries_of_other_owners_are_not_found`).
#[async_trait]
pub trait DeliveryLog: Send + Sync {
    /// Adds an attempt that belongs to no subscription: that of a test (`an_added_delivery_is_found_as_given`).
    async fn add(&self, delivery: &Delivery) -> Result<()>;

    /// Returns deliveries that match, newest first: those with a lower id than `before`, at most `limit`
    /// (`deliveries_are_found_newest_first`, `deliveries_are_filtered`).
    async fn search(
        &self,
        owner: EndpointOwner,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>>;

    /// Returns a delivery; absence is `Ok(None)`.
    async fn find(&self, owner: EndpointOwner, id: DeliveryId) -> Result<Option<Delivery>>;

    /// Makes an event at or below a subscription's cursor an open message without attempts that is due now, whether it has one or
    /// not (`a_resent_event_is_due_now`). An event after the cursor is sent anyway. Returns false if the store
    /// has no such event, or there is no such subscription.
    async fn resend(
        &self,
        subscription: SubscriptionKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool>;

    /// Makes open messages that are due now of all events that an endpoint hears, that are at or below the cursor of their
    /// subscription, and that match `from`: without those that a delivery took, and without those that happened before
    /// `oldest`, because the log does not know of these (`what_was_not_taken_is_recovered`). Those that have a message are
    /// due now, with no attempts. Returns how many these are.
    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64>;

    /// Removes deliveries that began before a moment, at most `limit`, oldest first. Returns how many
    /// (`old_deliveries_are_removed`).
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// Moves what is due later at a test store's endpoints nearer.
#[async_trait]
pub trait SubscriptionClock: Send + Sync {
    /// Moves due messages with the next attempts of the log, pauses and the beginning of failures of a store's
    /// own endpoints back by a number of seconds (`a_stores_own_endpoints_are_moved_nearer`).
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()>;
}

/// Learns at once that this process has stored a change of an endpoint, or that a caller wants events to be sent to it again.
/// What other processes store is found by [`SubscriptionRepository::with_pending_events`].
pub trait EndpointObserver: Send + Sync {
    /// Something can be due for this endpoint that was not before. It must not block.
    fn changed(&self, endpoint: EndpointId);
}

/// Opens the secrets of endpoints.
pub trait SecretOpener: Send + Sync {
    /// Returns a secret of an endpoint as text: `whsec_` and the key in base64.
    ///
    /// # Errors
    /// [`SealError`], which says whether the secret was sealed with another master key, or was changed or moved.
    fn open_secret(
        &self,
        endpoint: EndpointId,
        sealed: &[u8],
    ) -> std::result::Result<SecretKey, SealError>;
}
