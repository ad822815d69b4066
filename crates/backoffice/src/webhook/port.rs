//! Ports for endpoints, subscriptions, the delivery log and test events.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::delivery::{Delivery, DeliveryStatus, SendReport, SubscriptionKey};
use super::endpoint::{EndpointOwner, EndpointPayload, EndpointRecord};
use super::subscription::{
    Lag, OpenMessage, RecordResult, Subscription, SubscriptionOutcome, SubscriptionStart,
};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::store::{SealError, SecretKey};
use pressline_domain::value::{DeliveryId, EndpointId, OrderId, StoreId, Timestamp};

type Result<T> = std::result::Result<T, RepositoryError>;

/// Stores endpoints. Each call is one transaction.
#[async_trait]
pub trait EndpointDirectory: Send + Sync {
    /// Adds the endpoint `record`. It receives events that happen from now on.
    ///
    /// The endpoint MUST be found as given (`an_added_endpoint_is_found_as_given`). Its
    /// subscription to each store in its scope MUST begin after the store's latest event
    /// (`an_endpoint_gets_events_from_now_on`). A subscription to a store that is created
    /// later MUST begin with the store's first event
    /// (`a_later_store_is_subscribed_from_its_first_event`).
    ///
    /// Returns `false`, and MUST change nothing, if the owner already has `most` endpoints, also if
    /// calls run concurrently (`an_owner_has_a_limited_number_of_endpoints`). A secret sealed with
    /// another master key than the current sealing key MUST be refused with
    /// [`RepositoryError::Stale`] (`a_secret_of_another_master_key_is_refused`).
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool>;

    /// Returns the endpoint `id`; `None` if it does not exist (`an_unknown_endpoint_is_none`).
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>>;

    /// Returns all endpoints of `owner`, and no others, oldest first
    /// (`endpoints_are_listed_by_owner_oldest_first`).
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>>;

    /// Returns up to `limit` endpoints of all owners with ids above `after`, by ascending id. If
    /// `after` is `None`, begins with the lowest id (`endpoints_of_all_owners_are_read_by_pages`).
    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>>;

    /// Replaces the stored endpoint by `record`, except its id, owner and creation time. Its
    /// version becomes `expected + 1`.
    ///
    /// MUST be refused with [`RepositoryError::Stale`] if the stored version is not `expected`
    /// (`a_stale_endpoint_change_is_refused`), and for a secret sealed with another master key than
    /// the current sealing key (`a_secret_of_another_master_key_is_refused`). A subscription to a
    /// store that is new in the scope MUST begin after the store's latest event. Open messages of
    /// stores that left the scope MUST be removed (`an_endpoint_can_hear_other_stores`).
    ///
    /// With `start`, every subscription of the endpoint MUST begin at this position, without open
    /// messages (`a_start_moves_the_cursors_and_drops_messages`). The lease of each subscription
    /// MUST end, so that a worker that holds the lease cannot record its outcome
    /// (`a_start_ends_the_leases`). If messages are removed, [`Delivery::next_attempt_at`] of the
    /// subscription's attempts MUST become `None` (`dropped_messages_have_no_next_attempt`).
    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<SubscriptionStart>,
    ) -> Result<()>;

    /// Removes the endpoint `id` with its subscriptions and open messages. Neither the endpoint nor
    /// its deliveries are found any more (`a_removed_endpoint_leaves_nothing`). Returns `false` if
    /// it does not exist.
    async fn remove(&self, id: EndpointId) -> Result<bool>;

    /// Returns the backlog of the endpoint `id` (`the_lag_counts_events_and_open_messages`): its
    /// open messages, and the events after the cursors of its subscriptions. Events of types that
    /// the endpoint does not receive are counted, too.
    async fn lag(&self, id: EndpointId) -> Result<Lag>;
}

/// Stores subscriptions. Each call is one transaction.
#[async_trait]
pub trait SubscriptionRepository: Send + Sync {
    /// Returns up to `limit` subscriptions with pending events and without a lease at `now`.
    ///
    /// A subscription MUST be returned if its store has an event after the cursor, or if a message
    /// is due (`a_subscription_with_news_is_found`). It MUST NOT be returned if its endpoint is
    /// disabled or paused, or another subscription probes the endpoint
    /// (`a_subscription_that_pauses_is_not_found`), or a lease has not ended
    /// (`a_leased_subscription_is_not_found`). A subscription that probes its endpoint MUST be
    /// returned when the pause has ended, whether or not anything is due
    /// (`a_subscription_that_probes_is_found`).
    async fn with_pending_events(&self, now: Timestamp, limit: u32)
    -> Result<Vec<SubscriptionKey>>;

    /// Leases `subscription` until `until`. Returns `None` if another worker holds the lease, the
    /// endpoint does not exist, or the store is not in the endpoint's scope.
    ///
    /// If several workers call concurrently, a single worker MUST get the lease
    /// (`of_concurrent_leases_one_wins`). Each lease MUST have a higher number than the lease
    /// before it (`leases_are_numbered`). A lease that has ended MUST NOT prevent a new lease
    /// (`a_lease_ends`).
    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>>;

    /// Returns up to `limit` due messages of `subscription`, earliest due first, then by sequence.
    /// For each order, only the due message with the lowest sequence MUST be returned
    /// (`due_messages_are_of_different_orders`).
    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>>;

    /// Returns the open message of `subscription` with the lowest sequence, whether or not it is
    /// due; `None` if there are no open messages (`the_oldest_message_is_found`).
    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>>;

    /// Returns the subset of `orders` that have open messages in `subscription`
    /// (`orders_with_open_messages_are_found`).
    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>>;

    /// Stores the outcome of a worker's delivery run for a subscription: all of it or nothing.
    ///
    /// - MUST store nothing if the lease is not the latest lease of the subscription
    ///   (`an_outcome_needs_the_latest_lease`), or if the endpoint's version is not the expected
    ///   version (`an_outcome_needs_the_endpoint_as_it_was`). An outcome that does not change the
    ///   state of the endpoint does not depend on its version.
    /// - Messages, cursor, lease and attempts MUST be read back unchanged
    ///   (`an_outcome_is_read_back_as_it_was_stored`). For earlier attempts of the same event at
    ///   the endpoint, [`Delivery::next_attempt_at`] MUST become `None`
    ///   (`a_later_attempt_supersedes_earlier_ones`).
    /// - For each released order: if its open message with the lowest sequence waits, the message
    ///   MUST stop waiting and become due at the time of the outcome
    ///   (`a_settled_message_releases_the_next_of_its_order`). If it does not wait, an earlier
    ///   message of the order is still being retried, and nothing is released.
    /// - The announced disabling of an endpoint MUST add an event of type `webhook.disabled` to the
    ///   store's events in the same transaction (`a_disabled_endpoint_is_announced`). The
    ///   transaction locks the store's event counter last.
    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult>;

    /// Ends the leases left by an earlier process. A server calls it at its start if no other
    /// server uses the database.
    ///
    /// Each lease MUST end after a pause: the next value in [`RESTART_PAUSES`]
    /// (`all_leases_can_be_ended`). The pause becomes longer with each start until a cursor is
    /// stored or a lease is given back: otherwise a server that crashes repeatedly would send the
    /// same events at each start (`each_restart_without_progress_pauses_a_subscription_longer`).
    async fn end_leases(&self, now: Timestamp) -> Result<()>;
}

/// Pauses after the first, second, third and each later restart, in milliseconds. A subscription
/// that an earlier process left leased cannot be leased before the pause has ended.
pub const RESTART_PAUSES: [i64; 4] = [1000, 2000, 4000, 8000];

/// Returns the latest end of a restart pause that begins at `now`. A lease that ends later belongs
/// to a running process.
pub fn longest_restart_pause(now: Timestamp) -> Timestamp {
    now.plus_millis(RESTART_PAUSES.into_iter().max().unwrap_or_default())
}

/// Filter of a search for deliveries. A field that is `None` does not restrict the search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Id of the endpoint that the event was sent to.
    pub endpoint: Option<EndpointId>,
    /// Id of the order that the event concerns.
    pub order: Option<OrderId>,
    /// Sequence of the delivered event in its store.
    pub sequence: Option<u64>,
    /// Success or failure of the delivery.
    pub status: Option<DeliveryStatus>,
    /// Earliest `started_at` of the delivery, inclusive.
    pub from: Option<Timestamp>,
    /// Latest `started_at` of the delivery, inclusive.
    pub to: Option<Timestamp>,
}

impl DeliveryFilter {
    /// Returns whether `delivery` meets all conditions of the filter.
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

/// Position from which [`DeliveryLog::recover`] sends events again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoverFrom {
    /// Events after this sequence.
    After(u64),
    /// Events that happened at this time or later.
    Since(Timestamp),
}

/// Stores the attempts to deliver events.
///
/// Everything is scoped to an owner: deliveries of other owners' endpoints MUST NOT be found, nor
/// be sent again (`deliveries_of_other_owners_are_not_found`).
#[async_trait]
pub trait DeliveryLog: Send + Sync {
    /// Adds `delivery`, an attempt to send a test event. It belongs to no subscription
    /// (`an_added_delivery_is_found_as_given`).
    async fn add(&self, delivery: &Delivery) -> Result<()>;

    /// Returns up to `limit` deliveries that match `filter`, newest first; if `before` is given,
    /// only deliveries with lower ids (`deliveries_are_found_newest_first`,
    /// `deliveries_are_filtered`).
    async fn search(
        &self,
        owner: EndpointOwner,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>>;

    /// Returns the delivery `id` of an endpoint of `owner`; `None` if it does not exist.
    async fn find(&self, owner: EndpointOwner, id: DeliveryId) -> Result<Option<Delivery>>;

    /// Opens a message, due at `now` with 0 attempts, for the event `sequence` of `subscription`
    /// (`a_resent_event_is_due_now`). The new message replaces an open message of the event. An
    /// event after the cursor gets no message, because it will be sent anyway. Returns `false` if
    /// the event or the subscription does not exist.
    async fn resend(
        &self,
        subscription: SubscriptionKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool>;

    /// Opens a message, due at `now` with 0 attempts, for each event that `endpoint` receives and
    /// that matches `from`. Left out are events after the cursor of their subscription, and
    /// delivered events (`what_was_not_taken_is_recovered`). Events before `oldest` are left out as
    /// well, because the log has no deliveries of that time. An existing message of an event
    /// becomes due at `now` with 0 attempts. Returns the number of messages.
    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64>;

    /// Removes up to `limit` deliveries that began before `before`, oldest first. Returns their
    /// number (`old_deliveries_are_removed`).
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// Fast-forwards the due times of a test store's endpoints.
#[async_trait]
pub trait SubscriptionClock: Send + Sync {
    /// Moves times of the endpoints owned by `store` back by `seconds`: the due times of messages,
    /// the next attempts in the log, the ends of pauses and the starts of failures
    /// (`a_stores_own_endpoints_are_moved_nearer`).
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()>;
}

/// Listener for endpoints with something new to send. It is notified immediately if this process
/// stores a change of an endpoint, or if a caller wants events to be sent to an endpoint again.
/// Changes by other processes are found by [`SubscriptionRepository::with_pending_events`].
pub trait EndpointObserver: Send + Sync {
    /// Notifies the observer that events may have become due for `endpoint`. It must not block.
    fn changed(&self, endpoint: EndpointId);
}

/// Decrypts the secrets of endpoints, to sign events.
pub trait SecretOpener: Send + Sync {
    /// Returns the decrypted secret `sealed` of `endpoint`. The string form of a secret is `whsec_`
    /// and the key in base64.
    ///
    /// # Errors
    /// [`SealError`] if the secret was sealed with an unconfigured master key, was changed, or was
    /// sealed for another endpoint.
    fn open_secret(
        &self,
        endpoint: EndpointId,
        sealed: &[u8],
    ) -> std::result::Result<SecretKey, SealError>;
}

/// Event sent to test an endpoint. The stores' event feeds do not contain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestEvent {
    /// Id of the event, in the form `evt_<store>_test_<number>`.
    pub id: String,
    /// Store that owns the endpoint; the nil UUID for an endpoint of the print shop.
    pub store: StoreId,
    /// Id of the tested endpoint.
    pub endpoint: EndpointId,
    /// Time at which the event was created.
    pub at: Timestamp,
    /// Payload setting of the endpoint: `Full` or `Thin`.
    pub payload: EndpointPayload,
}

/// Serializes test events for receivers.
pub trait TestBodies: Send + Sync {
    /// Returns `event` as a JSON object.
    ///
    /// # Errors
    /// Returns an error if a value cannot be serialized, which is a defect.
    fn write(&self, event: &TestEvent) -> std::result::Result<Vec<u8>, Source>;
}

/// Sends test events to receivers.
#[async_trait]
pub trait TestSender: Send + Sync {
    /// Sends the event `json` with the id `event_id` to the endpoint, signed like any other event.
    /// The endpoint's state and sandbox action have no effect, and nothing is stored.
    ///
    /// # Errors
    /// [`SealError`] if the endpoint's secrets cannot be opened.
    async fn send(
        &self,
        record: &EndpointRecord,
        event_id: &str,
        json: Vec<u8>,
    ) -> std::result::Result<SendReport, SealError>;
}
