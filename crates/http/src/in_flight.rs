//! Limits how many calls of a store are served at the same time, and how many of them are
//! expensive.
//!
//! The rate limit counts calls; this one bounds what they cost together. A search for common words
//! or an order with a hundred items takes much longer than an ordinary create, so that within its
//! rate limit a store could use all processors and connections.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pressline_domain::id::StoreId;
use pressline_domain::limits;
use tokio::sync::oneshot;

use crate::error::Code;
use crate::request_error::RequestError;

/// How long a refused caller should wait: 1 s. Most calls take a few milliseconds, so that others
/// have ended by then.
const RETRY_AFTER: Option<NonZeroU32> = Some(NonZeroU32::MIN);

/// Maximum total size of the bodies of a store's waiting calls, in bytes. Four of the largest
/// bodies are a sixteenth of the budget that all bodies share.
const WAITING_BYTES: usize = 4 * limits::BODY;

/// Size of a body, in bytes, from which a call is a large one. An order with four items has about
/// 3 KB, one with a hundred items about 40 KB.
const LARGE_BODY: usize = 16 * 1024;

/// How many calls of a store are served at the same time.
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

impl Default for InFlightLimit {
    /// 64 calls, one of them a search and one of them large; 64 more wait up to 300 ms.
    fn default() -> Self {
        Self {
            calls: 64,
            searches: 1,
            large: 1,
            waiting: 64,
            wait: Duration::from_millis(300),
        }
    }
}

/// Counts the calls in flight. Clones share the counters.
#[derive(Clone)]
pub struct InFlight(Arc<Counters>);

struct Counters {
    limit: InFlightLimit,
    /// Stores with calls in flight, and no others.
    stores: Mutex<HashMap<StoreId, Usage>>,
}

/// The calls of one store.
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

/// The right to be served. Dropping it lets the store's next call in.
pub struct Permit {
    counters: Arc<Counters>,
    store: StoreId,
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
            stores: Mutex::default(),
        }))
    }

    /// Returns a permit to serve a call of this store with a body of this many bytes. Waits for one
    /// if necessary.
    ///
    /// # Errors
    /// `rate_limited` if too many calls wait already, or if the wait was too long.
    pub async fn enter(
        &self,
        store: StoreId,
        kind: CallKind,
        bytes: usize,
    ) -> Result<Permit, RequestError> {
        let kind = match (kind, bytes) {
            (CallKind::Ordinary, LARGE_BODY..) => CallKind::Large,
            _ => kind,
        };
        let handed_over = match self.0.enter(store, kind, bytes) {
            Entrance::Free(permit) => return Ok(permit),
            Entrance::Full => return Err(busy(kind)),
            Entrance::Wait(handed_over) => handed_over,
        };
        match tokio::time::timeout(self.0.limit.wait, handed_over).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(busy(kind)),
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
    fn enter(self: &Arc<Self>, store: StoreId, kind: CallKind, bytes: usize) -> Entrance {
        let mut stores = self.lock();
        let usage = stores.entry(store).or_default();
        if usage.has_room(&self.limit, kind) {
            usage.add(kind);
            return Entrance::Free(self.permit(store, kind));
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
    fn leave(&self, store: StoreId, kind: CallKind) -> Option<Waiter> {
        let mut stores = self.lock();
        let usage = stores.get_mut(&store)?;
        usage.remove(kind);
        let next = usage.next(&self.limit);
        if usage.calls == 0 {
            stores.remove(&store);
        }
        next
    }

    fn permit(self: &Arc<Self>, store: StoreId, kind: CallKind) -> Permit {
        Permit {
            counters: Arc::clone(self),
            store,
            kind,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<StoreId, Usage>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
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
        let Some(next) = self.counters.leave(self.store, self.kind) else {
            return;
        };
        // If the caller has just stopped waiting, the permit is returned here and dropped as well.
        drop(
            next.hand_over
                .send(self.counters.permit(self.store, next.kind)),
        );
    }
}

fn busy(kind: CallKind) -> RequestError {
    let calls = match kind {
        CallKind::Ordinary => "calls",
        CallKind::Search => "searches",
        CallKind::Large => "calls with large bodies",
    };
    let message = format!(
        "too many {calls} of this store are being served at the same time; try again in 1 s"
    );
    RequestError {
        retry_after: RETRY_AFTER,
        ..RequestError::new(Code::RateLimited, message)
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use uuid::Uuid;

    use super::*;

    const CREATE: CallKind = CallKind::Ordinary;
    const SEARCH: CallKind = CallKind::Search;
    const LIMIT: InFlightLimit = InFlightLimit {
        calls: 3,
        searches: 1,
        large: 2,
        waiting: 2,
        wait: Duration::from_secs(60),
    };

    fn store(number: u128) -> StoreId {
        StoreId::new(Uuid::from_u128(number))
    }

    /// Returns a permit that is free at once.
    fn entered(in_flight: &InFlight, store: StoreId, kind: CallKind) -> Permit {
        match pin!(in_flight.enter(store, kind, 1)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(permit)) => permit,
            Poll::Ready(Err(error)) => panic!("{error}"),
            Poll::Pending => panic!("no permit is free"),
        }
    }

    #[actix_web::test]
    async fn calls_over_the_bound_wait_in_their_order_and_too_many_are_refused() {
        let in_flight = InFlight::new(LIMIT);
        let permits: Vec<Permit> = (0..3)
            .map(|_| entered(&in_flight, store(1), CREATE))
            .collect();
        let [mut first, mut second] =
            [(); 2].map(|()| Box::pin(in_flight.enter(store(1), CREATE, 1)));
        let mut context = Context::from_waker(Waker::noop());
        assert!(first.as_mut().poll(&mut context).is_pending());
        assert!(second.as_mut().poll(&mut context).is_pending());
        let refused = in_flight.enter(store(1), CREATE, 1).await.err().unwrap();
        assert_eq!(
            (refused.code, refused.retry_after),
            (Code::RateLimited, NonZeroU32::new(1))
        );
        // Another store is not affected.
        entered(&in_flight, store(2), CREATE);
        drop(permits);
        drop(first.await.unwrap());
        drop(second.await.unwrap());
        assert_eq!(in_flight.0.lock().len(), 0);
    }

    #[actix_web::test]
    async fn a_search_waits_for_a_search_and_other_calls_do_not() {
        let in_flight = InFlight::new(LIMIT);
        let search = entered(&in_flight, store(1), SEARCH);
        let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, 1));
        let mut context = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        drop(entered(&in_flight, store(1), CREATE));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        drop(search);
        drop(waiting.await.unwrap());
        assert_eq!(in_flight.0.lock().len(), 0);
    }

    #[actix_web::test]
    async fn a_call_with_a_large_body_waits_for_others_and_small_ones_do_not() {
        let in_flight = InFlight::new(LIMIT);
        let enter = |bytes| Box::pin(in_flight.enter(store(1), CREATE, bytes));
        let (first, second) = (
            enter(LARGE_BODY).await.unwrap(),
            enter(LARGE_BODY).await.unwrap(),
        );
        let mut third = enter(LARGE_BODY);
        let mut context = Context::from_waker(Waker::noop());
        assert!(third.as_mut().poll(&mut context).is_pending());
        drop(enter(LARGE_BODY - 1).await.unwrap());
        assert!(third.as_mut().poll(&mut context).is_pending());
        drop(first);
        drop((second, third.await.unwrap()));
        assert_eq!(in_flight.0.lock().len(), 0);
    }

    #[actix_web::test]
    async fn large_bodies_do_not_wait_together() {
        let in_flight = InFlight::new(LIMIT);
        let search = entered(&in_flight, store(1), SEARCH);
        let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, WAITING_BYTES - 1));
        assert!(
            waiting
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        let refused = in_flight.enter(store(1), SEARCH, 2).await.err().unwrap();
        assert_eq!(refused.code, Code::RateLimited);
        drop(search);
        drop(waiting.await.unwrap());
    }

    #[actix_web::test]
    async fn a_call_that_stopped_waiting_takes_no_permit() {
        let in_flight = InFlight::new(InFlightLimit {
            wait: Duration::ZERO,
            ..LIMIT
        });
        let search = entered(&in_flight, store(1), SEARCH);
        for _ in 0..5 {
            let refused = in_flight.enter(store(1), SEARCH, 1).await.err().unwrap();
            assert_eq!(refused.code, Code::RateLimited);
        }
        drop(search);
        drop(entered(&in_flight, store(1), SEARCH));
        assert_eq!(in_flight.0.lock().len(), 0);
    }
}
