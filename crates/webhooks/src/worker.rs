//! The worker: finds lanes with news and lets them run.

use std::collections::HashMap;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::LaneKey;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use crate::lane::{Shared, TurnEnd, TurnError, turn};
use crate::places::Places;
use crate::ports::Ports;
use crate::prune::prune;
use crate::settings::Settings;
use crate::wake::Wake;

/// How often the worker looks for lanes with news, as long as a look is quick.
const LOOK: Duration = Duration::from_secs(1);
/// How much longer than a look the time until the next one is at least, so that looking takes at most a tenth of the time.
const LOOK_SHARE: u32 = 10;
/// Maximum number of lanes that a look returns.
const FOUND: u32 = 256;
/// Longest time until the next look after the database refused one.
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
/// Least time between two warnings of the same kind.
const WARNINGS: Duration = Duration::from_secs(10);

/// Delivers events. Any number of servers may run one.
pub struct Worker {
    shared: Arc<Shared>,
    places: Places,
    turns: JoinSet<Result<TurnEnd, TurnError>>,
    keys: HashMap<Id, LaneKey>,
    failed_looks: u32,
    earliest_look: Instant,
    warned: Option<Instant>,
}

impl Worker {
    /// Returns a worker, which begins with [`Worker::run`].
    pub fn new(ports: Ports, settings: Settings, wake: Wake) -> Self {
        Self {
            shared: Arc::new(Shared::new(ports, settings, wake)),
            places: Places::default(),
            turns: JoinSet::new(),
            keys: HashMap::new(),
            failed_looks: 0,
            earliest_look: Instant::now(),
            warned: None,
        }
    }

    /// Delivers until `stop` is ready. Then nothing is sent any more; what is being sent is recorded if it ends soon, and is
    /// sent again by another worker otherwise.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let ports = &self.shared.ports;
        let (log, clock) = (ports.deliveries.clone(), ports.clock.clone());
        let mut pruning = pin!(prune(log, clock, self.shared.settings.log_days));
        let mut stop = pin!(stop);
        let mut next_look = Instant::now();
        let wake = self.shared.wake.clone();
        loop {
            self.start_turns();
            tokio::select! {
                () = &mut stop => break,
                () = &mut pruning => {}
                () = tokio::time::sleep_until(next_look) => next_look = self.look().await,
                () = wake.changes() => next_look = next_look.min(self.earliest_look),
                lanes = wake.news() => lanes.into_iter().for_each(|key| self.places.offer(key)),
                Some(ended) = self.turns.join_next_with_id() => self.ended(ended),
            }
        }
        self.stop().await;
    }

    fn start_turns(&mut self) {
        while let Some(key) = self.places.next() {
            let bell = self.shared.wake.begin(key);
            let shared = self.shared.clone();
            let running = async move { turn(&shared, key, &bell).await };
            let handle = self.turns.spawn(running);
            self.keys.insert(handle.id(), key);
        }
        let is_crowded = self.places.waiting() > 0;
        self.shared.crowded.store(is_crowded, Ordering::Relaxed);
    }

    /// Looks for lanes with news. Returns when to look next.
    async fn look(&mut self) -> Instant {
        let begin = Instant::now();
        let now = self.shared.ports.clock.now();
        let found = self.shared.ports.lanes.with_news(now, FOUND).await;
        let least = begin.elapsed() * LOOK_SHARE;
        self.earliest_look = Instant::now() + least;
        match found {
            Ok(found) => {
                self.failed_looks = 0;
                let is_full = found.len() >= usize::try_from(FOUND).unwrap_or(usize::MAX);
                found.into_iter().for_each(|key| self.places.offer(key));
                // A full look means that there is more, which need not wait.
                let usual = if is_full { LOOK / LOOK_SHARE } else { LOOK };
                Instant::now() + least.max(usual)
            }
            Err(error) => {
                self.warn(
                    &error,
                    "looking for lanes with news failed; the next attempt follows",
                );
                let backoff = LOOK * 2_u32.saturating_pow(self.failed_looks.min(10));
                self.failed_looks = self.failed_looks.saturating_add(1);
                // Changes of endpoints do not shorten a backoff.
                self.earliest_look = Instant::now() + backoff.min(LONGEST_BACKOFF);
                self.earliest_look
            }
        }
    }

    fn ended(&mut self, ended: Result<(Id, Result<TurnEnd, TurnError>), JoinError>) {
        let id = match &ended {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        let Some(key) = self.keys.remove(&id) else {
            return;
        };
        let has_news = self.shared.wake.end(key);
        let was_slow = match &ended {
            Ok((_, Ok(TurnEnd::Done(done)))) => Some(done.was_slow),
            _ => None,
        };
        self.places.end(key, was_slow);
        match ended {
            Ok((_, Ok(TurnEnd::Done(done)))) => {
                if has_news || done.has_more {
                    self.places.offer(key);
                }
            }
            Ok((_, Ok(TurnEnd::Nothing))) => self.shared.wake.forget(key),
            Ok((_, Err(error))) => {
                self.warn(
                    &error,
                    "a lane of webhooks failed; the next attempt follows",
                );
            }
            // Its lease ends by itself.
            Err(error) => self.warn(&error, "a lane of webhooks has ended by a defect"),
        }
    }

    async fn stop(mut self) {
        self.shared.stop();
        let within = self.shared.settings.stop_within;
        let all = async { while self.turns.join_next().await.is_some() {} };
        if tokio::time::timeout(within, all).await.is_err() {
            let lanes = self.turns.len();
            tracing::info!(
                lanes,
                "webhooks that are being sent are given up; they will be sent again"
            );
            self.turns.shutdown().await;
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
