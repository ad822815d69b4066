//! Worker that finds subscriptions with pending events and runs them.

use std::collections::HashMap;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::SubscriptionKey;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use crate::ports::Ports;
use crate::prune::prune;
use crate::settings::Settings;
use crate::slots::RunSlots;
use crate::subscription::{RunEnd, RunError, Shared, deliver};
use crate::wake::Wake;

/// Usual pause between two queries for subscriptions with pending events. The pause is longer if
/// [`LOOK_SHARE`] requires it, and shorter after a query that returned [`QUERY_SIZE`] subscriptions.
const LOOK: Duration = Duration::from_secs(1);
/// Minimum ratio of pause to query duration: queries take at most a tenth of the time.
const LOOK_SHARE: u32 = 10;
/// Maximum number of subscriptions that a query for pending events returns.
const QUERY_SIZE: u32 = 256;
/// Maximum pause after a failed query for pending events. The pause grows with each failure.
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
/// Minimum time between two log entries of the level `WARN`.
const WARNINGS: Duration = Duration::from_secs(10);

/// Delivers events to webhook endpoints. Several servers can each run a worker on the same
/// database.
pub struct Worker {
    shared: Arc<Shared>,
    slots: RunSlots,
    runs: JoinSet<Result<RunEnd, RunError>>,
    keys: HashMap<Id, SubscriptionKey>,
    failed_looks: u32,
    earliest_look: Instant,
    warned: Option<Instant>,
}

impl Worker {
    /// Creates a worker. [`Worker::run`] starts it.
    pub fn new(ports: Ports, settings: Settings, wake: Wake) -> Self {
        Self {
            shared: Arc::new(Shared::new(ports, settings, wake)),
            slots: RunSlots::default(),
            runs: JoinSet::new(),
            keys: HashMap::new(),
            failed_looks: 0,
            earliest_look: Instant::now(),
            warned: None,
        }
    }

    /// Delivers events until `stop` is ready. Then starts no more requests, and waits up to
    /// [`Settings::stop_within`] for running requests. If a request takes longer, a worker sends
    /// its event again later.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let ports = &self.shared.ports;
        let (log, clock) = (ports.deliveries.clone(), ports.clock.clone());
        let mut pruning = pin!(prune(log, clock, self.shared.settings.log_days));
        let mut stop = pin!(stop);
        let mut next_look = Instant::now();
        let wake = self.shared.wake.clone();
        loop {
            self.start_runs();
            tokio::select! {
                () = &mut stop => break,
                // `prune` never returns.
                () = &mut pruning => {}
                () = tokio::time::sleep_until(next_look) => next_look = self.look().await,
                // Frequent changes must not cause frequent queries.
                () = wake.changes() => next_look = next_look.min(self.earliest_look),
                subscriptions = wake.pending() => subscriptions.into_iter().for_each(|key| self.slots.offer(key)),
                Some(ended) = self.runs.join_next_with_id() => self.ended(ended),
            }
        }
        self.stop().await;
    }

    fn start_runs(&mut self) {
        // The subscriptions stay in line. The next query for pending events calls this again.
        if !(self.shared.ports.permits)() {
            return;
        }
        while let Some(key) = self.slots.next() {
            let wake_handle = self.shared.wake.begin(key);
            let shared = self.shared.clone();
            let running = async move { deliver(&shared, key, &wake_handle).await };
            let handle = self.runs.spawn(running);
            self.keys.insert(handle.id(), key);
        }
        // While subscriptions wait for a slot, runs end after a second.
        let is_crowded = self.slots.waiting() > 0;
        self.shared.crowded.store(is_crowded, Ordering::Relaxed);
    }

    /// Queues subscriptions with pending events for slots. Returns the time of the next query.
    async fn look(&mut self) -> Instant {
        let begin = Instant::now();
        let now = self.shared.ports.clock.now();
        let result = self
            .shared
            .ports
            .subscriptions
            .with_pending_events(now, QUERY_SIZE)
            .await;
        let least = begin.elapsed() * LOOK_SHARE;
        self.earliest_look = Instant::now() + least;
        match result {
            Ok(keys) => {
                self.failed_looks = 0;
                let is_full = keys.len() >= usize::try_from(QUERY_SIZE).unwrap_or(usize::MAX);
                keys.into_iter().for_each(|key| self.slots.offer(key));
                // A full result means that more subscriptions are pending.
                let usual = if is_full { LOOK / LOOK_SHARE } else { LOOK };
                Instant::now() + least.max(usual)
            }
            Err(error) => {
                self.warn(
                    &error,
                    "looking for subscriptions with pending events failed; the next attempt follows",
                );
                let backoff = LOOK * 2_u32.saturating_pow(self.failed_looks.min(10));
                self.failed_looks = self.failed_looks.saturating_add(1);
                // Changes of endpoints do not shorten a backoff.
                self.earliest_look = Instant::now() + backoff.min(LONGEST_BACKOFF);
                self.earliest_look
            }
        }
    }

    fn ended(&mut self, ended: Result<(Id, Result<RunEnd, RunError>), JoinError>) {
        let id = match &ended {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        let Some(key) = self.keys.remove(&id) else {
            return;
        };
        let has_pending_events = self.shared.wake.end(key);
        let was_slow = match &ended {
            Ok((_, Ok(RunEnd::Done(summary)))) => Some(summary.was_slow),
            _ => None,
        };
        self.slots.end(key, was_slow);
        match ended {
            Ok((_, Ok(RunEnd::Done(summary)))) => {
                // Queued behind the other subscriptions, so that a busy store does not keep its
                // slot.
                if has_pending_events || summary.has_more {
                    self.slots.offer(key);
                }
            }
            // New events need not wake a subscription to which nothing may be sent.
            Ok((_, Ok(RunEnd::Nothing))) => self.shared.wake.forget(key),
            Ok((_, Err(error))) => {
                self.warn(
                    &error,
                    "a webhook subscription failed; the next attempt follows",
                );
            }
            // The lease of the subscription expires.
            Err(error) => self.warn(&error, "a webhook subscription ended unexpectedly"),
        }
    }

    async fn stop(mut self) {
        self.shared.stop();
        let within = self.shared.settings.stop_within;
        let all = async { while self.runs.join_next().await.is_some() {} };
        if tokio::time::timeout(within, all).await.is_err() {
            let subscriptions = self.runs.len();
            tracing::info!(
                subscriptions,
                "webhooks that are being sent are given up; they will be sent again"
            );
            // Their leases expire, and another worker sends the events again.
            self.runs.shutdown().await;
        }
    }

    fn warn(&mut self, error: &(dyn Error + 'static), message: &'static str) {
        let is_recent = |warned: Instant| warned.elapsed() < WARNINGS;
        if self.warned.is_some_and(is_recent) {
            tracing::debug!(error, "{message}");
        } else {
            self.warned = Some(Instant::now());
            tracing::warn!(error, "{message}");
        }
    }
}
