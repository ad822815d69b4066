//! The memory budget of all request bodies in progress.
//!
//! A body is read before its signature can be checked, so any client can make the server hold a
//! body. The budget bounds this memory.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use pressline_kit::lock;
use tokio::sync::oneshot;

/// Limit on the memory of all request bodies in progress.
///
/// A body that has been arriving for some time can be registered as slow. If the budget is
/// exhausted, the largest slow body loses its share to a body that needs bytes. A few stalled
/// clients therefore cannot block other clients until their deadline.
#[derive(Debug)]
pub struct BodyBudget {
    limit: usize,
    taken: AtomicUsize,
    slow: Mutex<SlowBodies>,
}

#[derive(Debug, Default)]
struct SlowBodies {
    next: u64,
    bodies: BTreeMap<u64, SlowBody>,
}

#[derive(Debug)]
struct SlowBody {
    bytes: Arc<AtomicUsize>,
    /// Its drop, when the body loses its share, completes `lost` of [`ShareKind::Slow`].
    _keeps: oneshot::Sender<()>,
}

/// The bytes that a body has taken from a [`BodyBudget`]. Dropping the share returns them.
#[derive(Debug)]
pub struct Share {
    budget: Arc<BodyBudget>,
    held: ShareKind,
}

#[derive(Debug)]
enum ShareKind {
    /// Share of a body that is not slow, in bytes. Other bodies cannot take it.
    Kept(usize),
    /// Share of a slow body. Other bodies can take its bytes.
    Slow {
        key: u64,
        bytes: Arc<AtomicUsize>,
        lost: oneshot::Receiver<()>,
    },
}

impl BodyBudget {
    /// Creates a budget of `limit` bytes.
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            taken: AtomicUsize::new(0),
            slow: Mutex::default(),
        })
    }

    /// Returns a [`Share`] of 0 bytes for a new body.
    pub fn share(self: &Arc<Self>) -> Share {
        Share {
            budget: Arc::clone(self),
            held: ShareKind::Kept(0),
        }
    }

    /// Returns whether `bytes` bytes were taken. If necessary, slow bodies lose their shares, the
    /// largest first. `asking` is the key of the body that needs the bytes, if it is slow.
    fn take(&self, bytes: usize, asking: Option<u64>) -> bool {
        let within = |taken: usize| {
            taken
                .checked_add(bytes)
                .filter(|taken| *taken <= self.limit)
        };
        // The counter guards no other data, so the weakest ordering is enough.
        while self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, within)
            .is_err()
        {
            // One slow body may not have enough bytes.
            if !self.displace_largest(asking) {
                return false;
            }
        }
        true
    }

    fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns `false` without a slow body, or if the largest slow body has the key `asking`.
    fn displace_largest(&self, asking: Option<u64>) -> bool {
        let mut slow = lock(&self.slow);
        let size = |body: &SlowBody| body.bytes.load(Ordering::Relaxed);
        let largest = slow
            .bodies
            .iter()
            .max_by_key(|(_, body)| size(body))
            .map(|(key, _)| *key);
        let Some(largest) = largest.filter(|key| Some(*key) != asking) else {
            return false;
        };
        let Some(body) = slow.bodies.remove(&largest) else {
            return false;
        };
        drop(slow);
        // The share sees 0 bytes from now on, so it does not return them a second time.
        self.give_back(body.bytes.swap(0, Ordering::Relaxed));
        true
    }
}

impl Share {
    /// Takes `bytes` more bytes. Returns `false`, and takes none, if the budget is exhausted.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let asking = match &self.held {
            ShareKind::Kept(_) => None,
            ShareKind::Slow { key, .. } => Some(*key),
        };
        if !self.budget.take(bytes, asking) {
            return false;
        }
        match &mut self.held {
            ShareKind::Kept(kept_bytes) => *kept_bytes += bytes,
            ShareKind::Slow { bytes: held, .. } => {
                held.fetch_add(bytes, Ordering::Relaxed);
            }
        }
        true
    }

    /// Registers the body as slow. Until [`keep`](Self::keep) is called, the body can lose its
    /// share to other bodies.
    pub fn register_slow(&mut self) {
        let ShareKind::Kept(kept_bytes) = self.held else {
            return;
        };
        let (keeps, lost) = oneshot::channel();
        let bytes = Arc::new(AtomicUsize::new(kept_bytes));
        let mut slow = lock(&self.budget.slow);
        let key = slow.next;
        slow.next += 1;
        slow.bodies.insert(
            key,
            SlowBody {
                bytes: Arc::clone(&bytes),
                _keeps: keeps,
            },
        );
        drop(slow);
        self.held = ShareKind::Slow { key, bytes, lost };
    }

    /// Returns `Ready` if the body was registered as slow and has lost its share. Otherwise returns
    /// `Pending`; a later loss wakes the task of `context`.
    pub fn poll_lost(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match &mut self.held {
            ShareKind::Kept(_) => Poll::Pending,
            ShareKind::Slow { lost, .. } => Pin::new(lost).poll(context).map(|_dropped| ()),
        }
    }

    /// Protects the share of a complete body: other bodies can no longer take its bytes.
    pub fn keep(&mut self) {
        if let ShareKind::Slow { key, bytes, .. } = &self.held {
            lock(&self.budget.slow).bodies.remove(key);
            // The counter is 0 if the share was lost just before this.
            let kept_bytes = bytes.swap(0, Ordering::Relaxed);
            self.held = ShareKind::Kept(kept_bytes);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        // A slow body must be unregistered before it returns its bytes.
        self.keep();
        if let ShareKind::Kept(kept_bytes) = self.held {
            self.budget.give_back(kept_bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Wake, Waker};

    use super::*;

    fn is_lost(share: &mut Share) -> bool {
        share
            .poll_lost(&mut Context::from_waker(Waker::noop()))
            .is_ready()
    }

    #[test]
    fn shares_are_taken_up_to_the_limit_and_given_back() {
        let budget = BodyBudget::new(10);
        let (mut first, mut second) = (budget.share(), budget.share());
        assert!(first.grow(6) && second.grow(4));
        assert!(!second.grow(1) && !first.grow(usize::MAX));
        drop(first);
        assert!(second.grow(6) && !second.grow(1));
        drop(second);
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_largest_slow_body_loses_its_share() {
        let budget = BodyBudget::new(10);
        let mut shares = [5, 3, 2].map(|bytes| {
            let mut share = budget.share();
            assert!(share.grow(bytes));
            share
        });
        // A body that is not slow keeps its share, however large it is.
        shares[1].register_slow();
        shares[2].register_slow();
        let mut asking = budget.share();
        assert!(asking.grow(1));
        assert_eq!(shares.each_mut().map(is_lost), [false, true, false]);
        assert!(asking.grow(2), "3 bytes were given back");
        shares[1].keep();
        drop((shares, asking));
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_largest_slow_body_displaces_no_other() {
        let budget = BodyBudget::new(10);
        let (mut large, mut small) = (budget.share(), budget.share());
        assert!(large.grow(7) && small.grow(3));
        large.register_slow();
        small.register_slow();
        assert!(!large.grow(1), "the largest slow body is the caller's own");
        assert!(small.grow(1));
        assert!(is_lost(&mut large) && !is_lost(&mut small));
    }

    #[test]
    fn a_complete_body_can_no_longer_lose_its_share() {
        let budget = BodyBudget::new(10);
        let mut share = budget.share();
        assert!(share.grow(10));
        share.register_slow();
        share.keep();
        assert!(!budget.share().grow(1) && !is_lost(&mut share));
        drop(share);
        assert!(budget.share().grow(10));
    }

    #[test]
    fn as_many_slow_bodies_are_displaced_as_are_needed() {
        let budget = BodyBudget::new(10);
        let mut shares = [5, 3, 2].map(|bytes| {
            let mut share = budget.share();
            assert!(share.grow(bytes));
            share.register_slow();
            share
        });
        assert!(budget.share().grow(8));
        assert_eq!(shares.each_mut().map(is_lost), [true, true, false]);
    }

    #[test]
    fn a_body_that_loses_its_share_wakes_the_task_that_reads_it() {
        struct Woken(AtomicUsize);
        impl Wake for Woken {
            fn wake(self: Arc<Self>) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let woken = Arc::new(Woken(AtomicUsize::new(0)));
        let budget = BodyBudget::new(10);
        let mut slow = budget.share();
        assert!(slow.grow(10));
        slow.register_slow();
        let waker = Waker::from(Arc::clone(&woken));
        assert!(
            slow.poll_lost(&mut Context::from_waker(&waker))
                .is_pending()
        );
        assert_eq!(woken.0.load(Ordering::Relaxed), 0);
        assert!(budget.share().grow(1));
        assert_eq!(woken.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_slow_body_that_ends_leaves_nothing_behind() {
        let budget = BodyBudget::new(10);
        let mut slow = budget.share();
        assert!(slow.grow(4));
        slow.register_slow();
        slow.register_slow();
        assert!(slow.grow(2));
        assert_eq!(lock(&budget.slow).bodies.len(), 1);
        drop(slow);
        assert!(lock(&budget.slow).bodies.is_empty());
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }
}
