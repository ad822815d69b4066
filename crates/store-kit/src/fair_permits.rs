//! A bounded number of permits, handed to waiting stores round-robin.

use std::sync::{Arc, Mutex};

use pressline_kit::lock;
use tokio::sync::oneshot;

use crate::fair_queue::FairQueue;

/// Fixed number of permits. While two stores wait, neither gets two permits in a row.
#[derive(Debug)]
pub(crate) struct FairPermits {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    waiting: FairQueue<String, oneshot::Sender<FairPermit>>,
}

/// Permit from [`FairPermits`]. Dropping the permit hands it to the next waiting store, if any.
#[derive(Debug)]
pub(crate) struct FairPermit {
    permits: Arc<FairPermits>,
}

impl FairPermits {
    pub(crate) fn new(count: usize) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                free: count,
                waiting: FairQueue::new(),
            }),
        })
    }

    pub(crate) async fn acquire(self: &Arc<Self>, store: &str) -> FairPermit {
        loop {
            let handed_over = {
                let mut state = lock(&self.state);
                if state.free > 0 {
                    state.free -= 1;
                    return self.permit();
                }
                let (hand_over, handed_over) = oneshot::channel();
                state.waiting.push(store.to_owned(), hand_over);
                handed_over
            };
            // Queue again if the sender was dropped without a permit.
            if let Ok(permit) = handed_over.await {
                return permit;
            }
        }
    }

    fn permit(self: &Arc<Self>) -> FairPermit {
        FairPermit {
            permits: Arc::clone(self),
        }
    }

    /// Takes the next caller that still waits. If no caller waits, counts the permit as free.
    fn next(&self) -> Option<oneshot::Sender<FairPermit>> {
        let mut state = lock(&self.state);
        while let Some(caller) = state.waiting.pop() {
            if !caller.is_closed() {
                return Some(caller);
            }
        }
        state.free += 1;
        None
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        if let Some(caller) = self.permits.next() {
            // If the caller has just given up, `send` returns the permit. Dropping it runs this
            // code again for the next caller.
            drop(caller.send(self.permits.permit()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Waiting<'a> = Pin<&'a mut dyn Future<Output = FairPermit>>;

    fn poll(waiting: &mut Waiting<'_>) -> Option<FairPermit> {
        match waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_store_with_many_waiting_gets_one_permit_for_each_of_another_store() {
        let permits = FairPermits::new(1);
        let mut first: Waiting<'_> = pin!(permits.acquire("a"));
        let held = poll(&mut first).unwrap();
        let (mut a1, mut a2, mut b): (Waiting<'_>, Waiting<'_>, Waiting<'_>) = (
            pin!(permits.acquire("a")),
            pin!(permits.acquire("a")),
            pin!(permits.acquire("b")),
        );
        assert!(poll(&mut a1).is_none() && poll(&mut a2).is_none() && poll(&mut b).is_none());
        drop(held);
        let held = poll(&mut a1).unwrap();
        assert!(poll(&mut b).is_none());
        drop(held);
        assert!(poll(&mut a2).is_none());
        let held = poll(&mut b).unwrap();
        drop(held);
        assert!(poll(&mut a2).is_some());
    }

    #[test]
    fn a_permit_that_was_handed_to_a_caller_that_gave_up_is_free_again() {
        let permits = FairPermits::new(1);
        let held = poll(&mut (pin!(permits.acquire("a")) as Waiting<'_>)).unwrap();
        {
            let mut gives_up_waiting: Waiting<'_> = pin!(permits.acquire("b"));
            assert!(poll(&mut gives_up_waiting).is_none());
        }
        {
            let mut gives_up_served: Waiting<'_> = pin!(permits.acquire("c"));
            assert!(poll(&mut gives_up_served).is_none());
            drop(held);
        }
        let state = lock(&permits.state);
        assert_eq!((state.free, state.waiting.len()), (1, 0));
    }
}
