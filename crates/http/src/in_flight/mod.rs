//! Limits the concurrent calls of a caller, and the expensive calls among them.
//!
//! The rate limit counts calls; this limit bounds their total cost. A search for common words or an
//! order with a hundred items takes much longer than an ordinary create, so within its rate limit a
//! caller could use all processors and connections.
//!
//! Even one such call at a time would keep a processor busy without a break. While others call as
//! well, an expensive call is therefore followed by a pause before the caller's next expensive
//! call.

mod callers;

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_backoffice::limits;
use tokio::sync::oneshot;

use crate::caller::Caller;
use crate::error::Code;
use crate::request_error::RequestError;
use callers::Callers;

/// `Retry-After` of a refused call: 1 s. Most calls take a few milliseconds, so other calls have
/// ended by then.
const RETRY_AFTER: Option<NonZeroU32> = Some(NonZeroU32::MIN);

/// Maximum total size of the bodies of a caller's waiting calls, in bytes. Four bodies of the
/// maximum size are a sixteenth of the default body budget.
const WAITING_BYTES: usize = 4 * limits::BODY;

/// Minimum size of a body, in bytes, that makes a call large. An order with four items has about 3
/// KB, an order with a hundred items about 40 KB.
const LARGE_BODY: usize = 16 * 1024;

/// Searches of at least this duration are followed by a pause. A page of the newest orders takes 2
/// ms.
const LONG_SEARCH: Duration = Duration::from_millis(10);

/// Minimum pause after an expensive call: the resolution of the runtime's timers.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// Limit on the concurrent calls of a caller; `rate_limited` beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFlightLimit {
    /// Maximum number of calls of any kind, at least 1.
    pub calls: usize,
    /// Maximum number of searches among the calls, at least 1.
    pub searches: usize,
    /// Maximum number of calls with a body of 16 KiB or more among the calls, at least 1.
    pub large: usize,
    /// Maximum number of calls that wait for a permit. Further calls are refused immediately.
    pub waiting: usize,
    /// Maximum time that a call waits before it is refused.
    pub wait: Duration,
}

impl InFlightLimit {
    /// No limits, and no waiting calls: for measurements.
    pub const NONE: Self = Self {
        calls: usize::MAX,
        searches: usize::MAX,
        large: usize::MAX,
        waiting: 0,
        wait: Duration::ZERO,
    };
}

impl Default for InFlightLimit {
    /// Returns 64 `calls`, with one search and one large call among them; 64 further calls wait up
    /// to 300 ms.
    fn default() -> Self {
        Self {
            calls: 64,
            // A search keeps a processor busy. On a machine with two, the second remains for other
            // stores.
            searches: 1,
            // Otherwise, creates of 100 items on 64 connections raise another store's p99 from 17
            // to 86 ms.
            large: 1,
            waiting: 64,
            // Twice the longest pause after an expensive call.
            wait: Duration::from_millis(300),
        }
    }
}

/// Counts the calls in flight by caller. Clones share the counters.
#[derive(Clone)]
pub struct InFlight(Arc<Counters>);

struct Counters {
    limit: InFlightLimit,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Only callers with calls in flight have an entry.
    by_caller: HashMap<Caller, Usage>,
    callers: Callers,
}

#[derive(Default)]
struct Usage {
    calls: usize,
    searches: usize,
    large: usize,
    /// Waiting calls in the order of their arrival. None of them can be served now.
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    kind: CallKind,
    /// Size of the call's body, in bytes.
    bytes: usize,
    hand_over: oneshot::Sender<Permit>,
}

/// Kind of a call, with its own limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// A call that only counts towards `calls`.
    Ordinary,
    /// A call that also counts towards `searches`.
    Search,
    /// A call that also counts towards `large`: its body has 16 KiB or more, and it is not a
    /// search.
    Large,
}

/// Permit to serve a call. Dropping it admits the caller's next call, possibly after a pause.
pub struct Permit {
    /// `None` after the drop.
    guard: Option<InFlightGuard>,
    since: Instant,
}

/// A call that counts as in flight. Dropping it admits the caller's next call.
struct InFlightGuard {
    counters: Arc<Counters>,
    caller: Caller,
    kind: CallKind,
}

impl InFlight {
    /// Creates counters for `limit`, which allows at least one call of each kind.
    pub fn new(limit: InFlightLimit) -> Self {
        // A limit of 0 would refuse every call of its kind.
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

    /// Returns a permit to serve a call of `caller` with a body of `bytes` bytes. Waits for a
    /// permit if necessary.
    ///
    /// # Errors
    /// `rate_limited` if too many calls already wait, or if no permit was free in time.
    pub async fn enter(
        &self,
        caller: Caller,
        kind: CallKind,
        bytes: usize,
    ) -> Result<Permit, RequestError> {
        let kind = match (kind, bytes) {
            // A search with a large body counts only as a search.
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

/// Admission of an arriving call.
enum Entrance {
    Free(Permit),
    Wait(oneshot::Receiver<Permit>),
    /// The limit `waiting` is reached.
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
        // Callers that have stopped waiting must not take a slot.
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

    /// Takes a permit back. Returns the waiting call that gets the next permit; `None` if no call
    /// can be served.
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

    /// Returns the pause before the caller's next call of this `kind`: the time that the last call
    /// `took`, so that a caller's expensive calls take at most half of the time. Zero if no pause
    /// is needed.
    fn pause_after(&self, caller: Caller, kind: CallKind, took: Duration) -> Duration {
        let is_expensive = match kind {
            CallKind::Ordinary => false,
            CallKind::Search => took >= LONG_SEARCH,
            CallKind::Large => true,
        };
        // Shorter than calls wait: a caller that sends its calls in sequence is never refused.
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

    /// Removes the first waiting call that fits into `limit` now, and counts it. A call that ends
    /// makes room for at most one other call.
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
        // Without a runtime, the program is ending, and nothing waits.
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
        // If the receiver has just stopped waiting, `send` returns the permit, which is dropped
        // here.
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
