//! Limits how many calls of a caller are served at the same time, and how many of them are
//! expensive.
//!
//! The rate limit counts calls; this one bounds what they cost together. A search for common words
//! or an order with a hundred items takes much longer than an ordinary create, so that within its
//! rate limit a caller could use all processors and connections.
//!
//! Even one such call at a time would keep a processor busy without a break. While others call
//! as well, an expensive call is therefore followed by a pause before the caller's next one.

mod callers;

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_domain::limits;
use tokio::sync::oneshot;

use crate::caller::Caller;
use crate::error::Code;
use crate::request_error::RequestError;
use callers::Callers;

/// How long a refused caller should wait: 1 s. Most calls take a few milliseconds, so that others
/// have ended by then.
const RETRY_AFTER: Option<NonZeroU32> = Some(NonZeroU32::MIN);

/// Maximum total size of the bodies of a caller's waiting calls, in bytes. Four of the largest
/// bodies are a sixteenth of the budget that all bodies share.
const WAITING_BYTES: usize = 4 * limits::BODY;

/// Size of a body, in bytes, from which a call is a large one. An order with four items has about
/// 3 KB, one with a hundred items about 40 KB.
const LARGE_BODY: usize = 16 * 1024;

/// A search that took less is followed by no pause: a page of the newest orders takes 2 ms.
const LONG_SEARCH: Duration = Duration::from_millis(10);

/// Minimum pause after an expensive call: the resolution of the runtime's timers.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// How many calls of a caller are served at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFlightLimit {
    /// Calls of any kind, at least 1.
    pub calls: usize,
    /// Searches among them, at least 1.
    pub searches: usize,
    /// Calls with a body of 16 KiB or more among them, at least 1.
    pub large: usize,
    /// Calls that may wait for a permit; one more is refused at once.
    pub waiting: usize,
    /// How long a call waits before it is refused.
    pub wait: Duration,
}

impl InFlightLimit {
    /// Any number of calls of any kind, of which none waits: for measurements.
    pub const NONE: Self = Self {
        calls: usize::MAX,
        searches: usize::MAX,
        large: usize::MAX,
        waiting: 0,
        wait: Duration::ZERO,
    };
}

impl Default for InFlightLimit {
    /// 64 calls, one of them a search and one of them large; 64 more wait up to 300 ms.
    fn default() -> Self {
        Self {
            calls: 64,
            // A search keeps one processor busy. On a machine of two, the other stores have the second one.
            searches: 1,
            // Without it, creates of 100 items on 64 connections raise another store's p99 from 17 to 86 ms.
            large: 1,
            waiting: 64,
            // Twice the longest pause after an expensive call.
            wait: Duration::from_millis(300),
        }
    }
}

/// Counts the calls in flight. Clones share the counters.
#[derive(Clone)]
pub struct InFlight(Arc<Counters>);

struct Counters {
    limit: InFlightLimit,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Callers with calls in flight, and no others.
    by_caller: HashMap<Caller, Usage>,
    callers: Callers,
}

#[derive(Default)]
struct Usage {
    calls: usize,
    searches: usize,
    large: usize,
    /// In the order of their arrival. None of them could be served now.
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    kind: CallKind,
    /// Size of the call's body.
    bytes: usize,
    hand_over: oneshot::Sender<Permit>,
}

/// What a call counts as, besides counting as a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// Nothing else.
    Ordinary,
    /// A search.
    Search,
    /// A call with a body of 16 KiB or more that is not a search.
    Large,
}

/// The right to be served. Dropping it lets the caller's next call in, maybe after a pause.
pub struct Permit {
    /// Nothing once it is dropped.
    guard: Option<InFlightGuard>,
    since: Instant,
}

/// A call that is counted as in flight. Dropping it lets the caller's next call in.
struct InFlightGuard {
    counters: Arc<Counters>,
    caller: Caller,
    kind: CallKind,
}

impl InFlight {
    /// Returns counters of no call.
    pub fn new(limit: InFlightLimit) -> Self {
        let limit = InFlightLimit {
            calls: limit.calls.max(1),
            searches: limit.searches.max(1),
            large: limit.large.max(1),
            ..limit
        };
        Self(Arc::new(Counters {
            limit,
            state: Mutex::default(),
        }))
    }

    /// Returns a permit to serve a call of this caller with a body of this many bytes. Waits for one
    /// if necessary.
    ///
    /// # Errors
    /// `rate_limited` if too many calls wait already, or if the wait was too long.
    pub async fn enter(
        &self,
        caller: Caller,
        kind: CallKind,
        bytes: usize,
    ) -> Result<Permit, RequestError> {
        let kind = match (kind, bytes) {
            (CallKind::Ordinary, LARGE_BODY..) => CallKind::Large,
            _ => kind,
        };
        let handed_over = match self.0.enter(caller, kind, bytes) {
            Entrance::Free(permit) => return Ok(permit),
            Entrance::Full => return Err(busy(caller, kind)),
            Entrance::Wait(handed_over) => handed_over,
        };
        match tokio::time::timeout(self.0.limit.wait, handed_over).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(busy(caller, kind)),
        }
    }
}

/// What happens to a call when it arrives.
enum Entrance {
    Free(Permit),
    Wait(oneshot::Receiver<Permit>),
    /// Too many calls wait already.
    Full,
}

impl Counters {
    fn enter(self: &Arc<Self>, caller: Caller, kind: CallKind, bytes: usize) -> Entrance {
        let mut state = self.lock();
        state.callers.called(caller, Instant::now());
        let usage = state.by_caller.entry(caller).or_default();
        if usage.has_room(&self.limit, kind) {
            usage.add(kind);
            return Entrance::Free(self.permit(caller, kind));
        }
        usage.waiting.retain(|waiter| !waiter.hand_over.is_closed());
        let waiting_bytes: usize = usage.waiting.iter().map(|waiter| waiter.bytes).sum();
        if usage.waiting.len() >= self.limit.waiting
            || waiting_bytes.saturating_add(bytes) > WAITING_BYTES
        {
            return Entrance::Full;
        }
        let (hand_over, handed_over) = oneshot::channel();
        usage.waiting.push_back(Waiter {
            kind,
            bytes,
            hand_over,
        });
        Entrance::Wait(handed_over)
    }

    /// Takes a permit back. Returns the waiting call that gets the next one.
    fn leave(&self, caller: Caller, kind: CallKind) -> Option<Waiter> {
        let by_caller = &mut self.lock().by_caller;
        let usage = by_caller.get_mut(&caller)?;
        usage.remove(kind);
        let next = usage.next(&self.limit);
        if usage.calls == 0 {
            by_caller.remove(&caller);
        }
        next
    }

    /// Returns how long the caller's next call of this kind has to wait after one that took so long:
    /// just as long, so that expensive calls of one caller take at most half of the time.
    fn pause_after(&self, caller: Caller, kind: CallKind, took: Duration) -> Duration {
        let is_expensive = match kind {
            CallKind::Ordinary => false,
            CallKind::Search => took >= LONG_SEARCH,
            CallKind::Large => true,
        };
        // Shorter than a call waits: a caller that sends one call after the other is never refused.
        let pause = took.min(self.limit.wait / 2);
        if is_expensive
            && pause >= SHORTEST_PAUSE
            && self.lock().callers.has_another_than(caller, Instant::now())
        {
            pause
        } else {
            Duration::ZERO
        }
    }

    fn permit(self: &Arc<Self>, caller: Caller, kind: CallKind) -> Permit {
        let counters = Arc::clone(self);
        Permit {
            guard: Some(InFlightGuard {
                counters,
                caller,
                kind,
            }),
            since: Instant::now(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Usage {
    fn has_room(&self, limit: &InFlightLimit, kind: CallKind) -> bool {
        let is_within_its_kind = match kind {
            CallKind::Ordinary => true,
            CallKind::Search => self.searches < limit.searches,
            CallKind::Large => self.large < limit.large,
        };
        self.calls < limit.calls && is_within_its_kind
    }

    fn add(&mut self, kind: CallKind) {
        self.calls += 1;
        self.searches += usize::from(kind == CallKind::Search);
        self.large += usize::from(kind == CallKind::Large);
    }

    fn remove(&mut self, kind: CallKind) {
        self.large = self
            .large
            .saturating_sub(usize::from(kind == CallKind::Large));
        self.calls = self.calls.saturating_sub(1);
        self.searches = self
            .searches
            .saturating_sub(usize::from(kind == CallKind::Search));
    }

    /// Removes the first waiting call that can be served now, and counts it. A call that ends makes
    /// room for at most one other.
    fn next(&mut self, limit: &InFlightLimit) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.hand_over.is_closed());
        let at = self
            .waiting
            .iter()
            .position(|waiter| self.has_room(limit, waiter.kind))?;
        let next = self.waiting.remove(at)?;
        self.add(next.kind);
        Some(next)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(guard) = self.guard.take() else {
            return;
        };
        let pause = guard
            .counters
            .pause_after(guard.caller, guard.kind, self.since.elapsed());
        // Without a runtime the program is ending.
        if !pause.is_zero()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move {
                tokio::time::sleep(pause).await;
                drop(guard);
            });
        }
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let Some(next) = self.counters.leave(self.caller, self.kind) else {
            return;
        };
        // If the caller has just stopped waiting, the permit is returned here and dropped as well.
        drop(
            next.hand_over
                .send(self.counters.permit(self.caller, next.kind)),
        );
    }
}

fn busy(caller: Caller, kind: CallKind) -> RequestError {
    let calls = match kind {
        CallKind::Ordinary => "calls",
        CallKind::Search => "searches",
        CallKind::Large => "calls with large bodies",
    };
    let message = format!(
        "too many {calls} of this {} are being served at the same time; try again in 1 s",
        caller.noun()
    );
    RequestError {
        retry_after: RETRY_AFTER,
        ..RequestError::new(Code::RateLimited, message)
    }
}

#[cfg(test)]
mod tests;
