//! Subscription leased by this worker.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use pressline_backoffice::webhook::{
    Attempt, AttemptReport, DeliveryError, DeliveryResult, EndpointRecord, EndpointState,
    OpenMessage, Plan, RecordResult, SendReport, Subscription, SubscriptionKey, SubscriptionMode,
    SubscriptionOutcome, SubscriptionView, apply_results, plan,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{DeliveryId, OrderId, Timestamp};
use tokio::time::Instant;

use super::ahead::Ahead;
use super::shared::{RunError, Shared};
use crate::signature::SigningKey;
use crate::source::SourceEvent;

/// Attempts to record the results of a batch; each fails if the endpoint has changed meanwhile.
const CHANGES: u32 = 20;
/// Maximum age of the endpoint's data during a run. Older data are read again, because the
/// endpoint's owner may have changed it, or requested that events are sent again.
const CHECKS: Duration = Duration::from_secs(1);
/// Minimum and maximum pause between attempts to record results in an unavailable database.
const RETRIES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

pub(super) struct LeasedSubscription<'a> {
    shared: &'a Shared,
    subscription: Subscription,
    leased_until: Timestamp,
    record: EndpointRecord,
    keys: Vec<SigningKey>,
    ahead: Ahead,
    has_open: bool,
    /// Last read of the endpoint; `None` if the next [`plan`](Self::plan) must read it again.
    checked: Option<Instant>,
}

struct LoadedMessages {
    now: Timestamp,
    due: Vec<OpenMessage>,
    oldest: Option<OpenMessage>,
    blocked: BTreeSet<OrderId>,
}

impl<'a> LeasedSubscription<'a> {
    pub(super) async fn lease(
        shared: &'a Shared,
        key: SubscriptionKey,
    ) -> Result<Option<Self>, RunError> {
        let ports = &shared.ports;
        let now = ports.clock.now();
        let leased_until = after(now, shared.settings.lease());
        let leasing = ports.subscriptions.lease(key, now, leased_until);
        let Some(subscription) = shared.call(leasing).await? else {
            return Ok(None);
        };
        let Some(record) = shared.call(ports.endpoints.find(key.endpoint)).await? else {
            return Ok(None);
        };
        Ok(Some(Self {
            shared,
            subscription,
            leased_until,
            keys: ports.event_sender.keys(&record)?,
            record,
            ahead: Ahead::after(subscription.cursor),
            // Unknown until the first query for open messages.
            has_open: true,
            checked: Some(Instant::now()),
        }))
    }

    /// Returns `None` if the endpoint was removed.
    pub(super) async fn plan(&mut self) -> Result<Option<Plan>, RunError> {
        if !self.check().await? {
            return Ok(None);
        }
        let loaded = self.load().await?;
        let plan = plan(&SubscriptionView {
            subscription: self.subscription,
            record: &self.record,
            now: loaded.now,
            due: &loaded.due,
            oldest: loaded.oldest,
            events: &self.ahead.events(),
            read_to: self.ahead.read_to,
            is_end: self.ahead.is_end,
            blocked: &loaded.blocked,
        });
        Ok(Some(plan))
    }

    pub(super) fn may_send(&self) -> bool {
        let now = self.shared.ports.clock.now();
        SubscriptionMode::new(&self.record, self.subscription.key.store, now)
            != SubscriptionMode::Nothing
    }

    /// Reads an endpoint older than [`CHECKS`] again. Returns `false` if the endpoint was removed.
    async fn check(&mut self) -> Result<bool, RunError> {
        let is_recent = |checked: Instant| checked.elapsed() < CHECKS;
        if self.checked.is_some_and(is_recent) {
            return Ok(true);
        }
        self.checked = Some(Instant::now());
        // The owner may have created open messages.
        self.has_open = true;
        self.reload().await
    }

    async fn load(&mut self) -> Result<LoadedMessages, RunError> {
        let (shared, key) = (self.shared, self.subscription.key);
        let now = shared.ports.clock.now();
        let mut loaded = LoadedMessages {
            now,
            due: Vec::new(),
            oldest: None,
            blocked: BTreeSet::new(),
        };
        let mode = SubscriptionMode::new(&self.record, key.store, now);
        let SubscriptionMode::Send(limit) = mode else {
            if mode == SubscriptionMode::Probe {
                self.ahead.refill(shared, key, &self.record).await?;
                // The first probe is the oldest message (ADR 23).
                loaded.oldest = shared.call(shared.ports.subscriptions.oldest(key)).await?;
                loaded.blocked = self.blocked().await?;
            }
            return Ok(loaded);
        };
        // A subscription without open messages needs neither the query for due messages nor the
        // query for blocked orders.
        if self.has_open {
            let limit = u32::try_from(limit).unwrap_or(u32::MAX);
            loaded.due = shared
                .call(shared.ports.subscriptions.due(key, now, limit))
                .await?;
            self.has_open = !loaded.due.is_empty()
                || shared
                    .call(shared.ports.subscriptions.oldest(key))
                    .await?
                    .is_some();
        }
        // Due messages go first; new events fill the rest of the batch.
        if loaded.due.len() < limit {
            self.ahead.refill(shared, key, &self.record).await?;
        }
        if self.has_open {
            loaded.blocked = self.blocked().await?;
        }
        Ok(loaded)
    }

    async fn blocked(&self) -> Result<BTreeSet<OrderId>, RunError> {
        let orders: BTreeSet<OrderId> = self
            .ahead
            .events()
            .iter()
            .filter_map(|event| event.order)
            .collect();
        if orders.is_empty() {
            return Ok(orders);
        }
        let blocked = self
            .shared
            .ports
            .subscriptions
            .blocked(self.subscription.key, &orders);
        Ok(self.shared.call(blocked).await?)
    }

    /// Forces the next [`plan`](Self::plan) to read the endpoint and new events.
    pub(super) fn look_again(&mut self) {
        // An event that woke the subscription must be sent with the endpoint's settings at that
        // time.
        self.checked = None;
        self.ahead.is_end = false;
    }

    pub(super) fn has_more(&self) -> bool {
        !self.ahead.is_empty() || !self.ahead.is_end
    }

    /// Makes all attempts of `plan` concurrently. Returns a report of each attempt, or `None` if
    /// the event of the attempt does not exist any more. Sends nothing if an event cannot be read.
    pub(super) async fn send(
        &mut self,
        plan: &Plan,
    ) -> Result<Vec<Option<AttemptReport>>, RunError> {
        self.renew().await?;
        let mut bodies = Vec::with_capacity(plan.attempts.len());
        // All bodies are read first, because a failed read after sending would repeat the sent
        // events.
        for attempt in &plan.attempts {
            bodies.push(self.body(attempt).await?);
        }
        let attempts = plan.attempts.iter().zip(bodies);
        let sent = attempts.map(|(attempt, body)| self.attempt(attempt, body));
        Ok(join_all(sent).await)
    }

    async fn body(&self, attempt: &Attempt) -> Result<Option<SourceEvent>, RunError> {
        if let Some(event) = self.ahead.find(attempt.sequence) {
            return Ok(Some(event.clone()));
        }
        let payload = self.record.endpoint.payload.into();
        let events = &self.shared.ports.events;
        let event = self
            .shared
            .call(events.find(self.subscription.key.store, attempt.sequence, payload))
            .await?;
        Ok(event.map(SourceEvent::from))
    }

    #[tracing::instrument(
        name = "webhooks.send",
        level = "debug",
        skip_all,
        fields(endpoint = %self.subscription.key.endpoint, store = %self.subscription.key.store, sequence = attempt.sequence)
    )]
    async fn attempt(&self, attempt: &Attempt, body: Option<SourceEvent>) -> Option<AttemptReport> {
        let ports = &self.shared.ports;
        let body = body?;
        let now = ports.clock.now();
        let mut report = AttemptReport {
            id: DeliveryId::new(ports.ids.next(now)),
            event: body.sent,
            sent: SendReport {
                result: DeliveryResult {
                    error: Some(DeliveryError::SandboxDrop),
                    ..DeliveryResult::default()
                },
                retry_after: None,
                started_at: now,
                duration_ms: 0,
            },
            // Chosen here, because `apply_results` is a pure function.
            jitter: fastrand::u32(..),
        };
        // The sandbox simulates a lost delivery: nothing is sent.
        if attempt.is_dropped {
            return Some(report);
        }
        let (event_sender, id) = (&ports.event_sender, &report.event.id);
        let sending = event_sender.deliver(&self.record, &self.keys, id, body.json);
        let sent = sending.await;
        tracing::debug!(
            status = sent.result.http_status,
            milliseconds = sent.duration_ms
        );
        report.sent = sent;
        Some(report)
    }

    /// Stores `reports`, and renews the lease or, if `is_end` is `true`, gives it back. Returns
    /// `false`, and stores nothing, if another worker has the lease, the owner moved the cursor, or
    /// the endpoint was removed.
    pub(super) async fn record(
        &mut self,
        plan: &Plan,
        reports: &[Option<AttemptReport>],
        is_end: bool,
    ) -> Result<bool, RunError> {
        for _ in 0..CHANGES {
            let now = self.shared.ports.clock.now();
            let lease_end = after(now, self.shared.settings.lease());
            let until = (!is_end).then_some(lease_end);
            let outcome = apply_results(plan, &self.record, reports, now, until);
            match self.store(&outcome).await? {
                RecordResult::Done => {
                    self.apply(&outcome);
                    return Ok(true);
                }
                RecordResult::LeaseLost => return Ok(false),
                RecordResult::EndpointChanged if !self.reload().await? => return Ok(false),
                // Another subscription changed the endpoint: the outcome is computed again.
                RecordResult::EndpointChanged => {}
            }
        }
        Err(RunError::Busy)
    }

    /// Retries until the lease ends, because an event without a recorded result is sent again.
    async fn store(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult, RunError> {
        let (mut pause, longest) = RETRIES;
        loop {
            let storing = self.shared.ports.subscriptions.record(outcome);
            let stored = self.shared.call(storing).await;
            let later = after(self.shared.ports.clock.now(), pause);
            match stored {
                // After the lease, another worker may already send the same events.
                Err(error) if error.is_transient() && later < self.leased_until => {
                    log_retry(&error);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(longest);
                }
                stored => return Ok(stored?),
            }
        }
    }

    fn apply(&mut self, outcome: &SubscriptionOutcome) {
        self.subscription.cursor = outcome.subscription.cursor;
        self.ahead.pass(outcome.subscription.cursor);
        self.leased_until = outcome.leased_until.unwrap_or(outcome.at);
        self.has_open |= !outcome.open.is_empty();
        if let Some(change) = outcome.endpoint {
            log_change(&self.record, &change.state);
            if change.announced.is_some() {
                // The store's other endpoints receive an event about the change.
                self.shared.wake.wake(self.subscription.key.store);
            }
            self.record.state = change.state;
            self.record.version = change.expected + 1;
        }
    }

    /// Returns `false` if the endpoint was removed.
    async fn reload(&mut self) -> Result<bool, RunError> {
        let id = self.subscription.key.endpoint;
        let finding = self.shared.ports.endpoints.find(id);
        let Some(record) = self.shared.call(finding).await? else {
            return Ok(false);
        };
        self.keys = self.shared.ports.event_sender.keys(&record)?;
        let (old, new) = (&self.record.endpoint, &record.endpoint);
        // Events were read with the filter and payload of the old settings.
        if (&old.types, old.payload) != (&new.types, new.payload) {
            self.ahead = Ahead::after(self.subscription.cursor);
        }
        self.record = record;
        Ok(true)
    }

    /// Does nothing while [`Settings::needed`](crate::Settings::needed) or more remains.
    async fn renew(&mut self) -> Result<(), RunError> {
        let now = self.shared.ports.clock.now();
        if after(now, self.shared.settings.needed()) < self.leased_until {
            return Ok(());
        }
        let until = after(now, self.shared.settings.lease());
        let renewal = SubscriptionOutcome::unchanged(self.subscription, now, Some(until));
        match self.store(&renewal).await? {
            RecordResult::Done => {
                self.leased_until = until;
                Ok(())
            }
            RecordResult::LeaseLost | RecordResult::EndpointChanged => Err(RunError::Busy),
        }
    }

    pub(super) async fn give_back(&mut self) -> Result<(), RunError> {
        let now = self.shared.ports.clock.now();
        let outcome = SubscriptionOutcome::unchanged(self.subscription, now, None);
        let storing = self.shared.ports.subscriptions.record(&outcome);
        self.shared.call(storing).await?;
        Ok(())
    }
}

fn after(now: Timestamp, time: Duration) -> Timestamp {
    now.plus_millis(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

fn log_change(record: &EndpointRecord, state: &EndpointState) {
    let (endpoint, old) = (record.endpoint.id, &record.state);
    if let Some(disabled) = state.disabled {
        let reason = disabled.reason.as_str();
        tracing::warn!(%endpoint, reason, "a webhook endpoint is disabled");
    } else if old.pause.is_none() && state.pause.is_some() {
        tracing::info!(%endpoint, "a webhook endpoint pauses");
    } else if old.pause.is_some() && state.pause.is_none() {
        tracing::info!(%endpoint, "a webhook endpoint works again");
    }
}

fn log_retry(error: &RepositoryError) {
    let error: &dyn std::error::Error = error;
    tracing::debug!(
        error,
        "an outcome was not recorded; the next attempt follows"
    );
}
