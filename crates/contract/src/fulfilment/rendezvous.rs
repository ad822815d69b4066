//! Hooks of a repository that make two callers read the same version of an order before either of
//! them writes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::Semaphore;

use crate::{OrderCall, OrderHooks};

/// During a meeting, a call that has read an order waits for the other caller.
#[derive(Default)]
pub(super) struct Rendezvous {
    meeting: Mutex<Option<Arc<Meeting>>>,
}

pub(super) struct Meeting {
    arrived: AtomicUsize,
    open: Semaphore,
}

impl Meeting {
    /// Waits until both callers have arrived or the meeting has ended.
    async fn arrive(&self) {
        // The second caller has arrived.
        if self.arrived.fetch_add(1, Ordering::SeqCst) == 1 {
            self.end();
        }
        // The semaphore is never closed, so this cannot fail.
        drop(self.open.acquire().await);
    }

    /// Releases all waiting callers.
    pub(super) fn end(&self) {
        self.open.add_permits(1);
    }
}

impl Rendezvous {
    /// Starts a meeting of the next two callers.
    pub(super) fn meet(&self) -> Arc<Meeting> {
        let meeting = Arc::new(Meeting {
            arrived: AtomicUsize::new(0),
            open: Semaphore::new(0),
        });
        *self.lock() = Some(Arc::clone(&meeting));
        meeting
    }

    /// Stops the current meeting; further callers do not wait.
    pub(super) fn part(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Meeting>>> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl OrderHooks for Rendezvous {
    async fn after(&self, call: OrderCall) {
        if !matches!(call, OrderCall::Find(_) | OrderCall::Load(_)) {
            return;
        }
        let meeting = self.lock().clone();
        if let Some(meeting) = meeting {
            meeting.arrive().await;
        }
    }
}
