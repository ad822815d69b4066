//! Limits the concurrent calls of a caller, and the expensive calls among them.
//!
//! The rate limit counts calls; this limit bounds their total cost. A search for common words or an
//! order with a hundred items takes much longer than an ordinary create. Within its rate limit, a
//! caller could therefore use all processors and connections.
//!
//! Even one expensive call at a time would keep a processor busy without a break. While other
//! callers are active, an expensive call is therefore followed by a pause before the caller's next
//! expensive call.

mod callers;

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pressline_backoffice::limits;
use pressline_kit::lock;
use tokio::sync::oneshot;

use crate::caller::Caller;
use crate::error::Code;
use crate::request_error::RequestError;
use callers::Callers;

/// 1 s. Most calls take a few milliseconds, so other calls have ended by then.
const RETRY_AFTER: Option<NonZeroU32> = Some(NonZeroU32::MIN);

/// Maximum total size of the bodies of a caller's waiting calls, in bytes. Four bodies of the
/// maximum size are a sixteenth of the default body budget.
const WAITING_BYTES: usize = 4 * limits::BODY;

/// Minimum size of a body, in bytes, that makes a call large. An order with four items has about 3
/// KB, an order with a hundred items about 40 KB.
const LARGE_BODY: usize = 16 * 1024;

/// A search of at least this duration is followed by a pause. A page of new orders takes 2 ms.
const LONG_SEARCH: Duration = Duration::from_millis(10);

/// Shorter pauses are omitted: the runtime's timers have this resolution.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// Limits on a caller's concurrent calls. A call beyond them waits, or gets `rate_limited`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFlightLimit {
    /// Maximum number of concurrent calls of all kinds together, at least 1.
    pub calls: usize,
    /// Maximum number of concurrent searches, at least 1. Searches count towards `calls` too.
    pub searches: usize,
    /// Maximum number of concurrent calls with a body of 16 KiB or more, at least 1. They count
    /// towards `calls` too.
    pub large: usize,
    /// Maximum number of a caller's calls that wait for a permit. If it is reached, a call that
    /// would have to wait is refused immediately.
    pub waiting: usize,
    /// Maximum time that a call waits before it is refused.
    pub wait: Duration,
}

impl Default for InFlightLimit {
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

/// Counts the calls in flight of each caller. Clones share the counters.
#[derive(Clone)]
pub struct InFlight(Arc<Counters>);

struct Counters {
    limit: InFlightLimit,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// A caller without calls in flight has no entry.
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
    bytes: usize,
    hand_over: oneshot::Sender<Permit>,
}

/// Kind of a call. It determines the limits of [`InFlightLimit`] that apply to the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// A call that only counts towards [`InFlightLimit::calls`].
    Ordinary,
    /// A call that also counts towards [`InFlightLimit::searches`].
    Search,
    /// A call that also counts towards [`InFlightLimit::large`]: its body has 16 KiB or more, and
    /// it is not a search.
    Large,
}

/// Permit to serve a call. Dropping the permit admits a waiting call of the caller, possibly after
/// a pause.
pub struct Permit {
    /// `None` only during the drop of the permit.
    guard: Option<InFlightGuard>,
    since: Instant,
}

/// Counts a call as in flight. Its drop admits a waiting call of the caller without a pause.
struct InFlightGuard {
    counters: Arc<Counters>,
    caller: Caller,
    kind: CallKind,
}

impl InFlight {
    /// Creates counters for `limit`. If `calls`, `searches` or `large` is 0, 1 is used.
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
    /// permit if necessary. An `Ordinary` call with a body of 16 KiB or more counts as `Large`.
    ///
    /// # Errors
    /// `rate_limited` if too many calls, or too many bytes, of the caller already wait, or if no
    /// permit is free within [`InFlightLimit::wait`].
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

enum Entrance {
    Free(Permit),
    Wait(oneshot::Receiver<Permit>),
    /// The maximum number of waiting calls, or of their bytes, is reached.
    Full,
}

impl Counters {
    fn enter(self: &Arc<Self>, caller: Caller, kind: CallKind, bytes: usize) -> Entrance {
        let mut state = lock(&self.state);
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

    /// Ends a call of `caller` in the counters. Returns the waiting call that gets the next permit,
    /// already counted as in flight; `None` if no waiting call can be served.
    fn leave(&self, caller: Caller, kind: CallKind) -> Option<Waiter> {
        let by_caller = &mut lock(&self.state).by_caller;
        let usage = by_caller.get_mut(&caller)?;
        usage.remove(kind);
        let next = usage.next(&self.limit);
        if usage.calls == 0 {
            by_caller.remove(&caller);
        }
        next
    }

    /// Returns `took`, but at most half of [`InFlightLimit::wait`]. Zero below [`SHORTEST_PAUSE`],
    /// without another active caller, and unless the call is large or a long search.
    fn pause_after(&self, caller: Caller, kind: CallKind, took: Duration) -> Duration {
        let is_expensive = match kind {
            CallKind::Ordinary => false,
            CallKind::Search => took >= LONG_SEARCH,
            CallKind::Large => true,
        };
        // Half of the wait: a caller that sends its calls in sequence is never refused.
        let pause = took.min(self.limit.wait / 2);
        if is_expensive
            && pause >= SHORTEST_PAUSE
            && lock(&self.state)
                .callers
                .has_another_than(caller, Instant::now())
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

    /// Takes the first waiting call that fits into `limit`, and counts it as in flight; `None` if
    /// no call fits. A single call is taken, because an ended call makes room for only one.
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
