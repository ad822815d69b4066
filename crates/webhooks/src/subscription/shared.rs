//! State shared by all delivery runs.

use std::sync::atomic::AtomicBool;

use pressline_domain::error::RepositoryError;
use pressline_domain::store::SealError;
use tokio::sync::{Semaphore, watch};

use crate::ports::Ports;
use crate::settings::Settings;
use crate::wake::Wake;

/// Maximum number of concurrent database calls of the worker, to leave capacity to requests.
const CALLS: usize = 4;

pub(crate) struct Shared {
    pub(crate) ports: Ports,
    pub(crate) settings: Settings,
    pub(crate) wake: Wake,
    pub(crate) crowded: AtomicBool,
    calls: Semaphore,
    stopping: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(ports: Ports, settings: Settings, wake: Wake) -> Self {
        Self {
            ports,
            settings,
            wake,
            crowded: AtomicBool::new(false),
            calls: Semaphore::new(CALLS),
            stopping: watch::Sender::new(false),
        }
    }

    pub(crate) async fn call<T>(&self, call: impl Future<Output = T>) -> T {
        // The semaphore is never closed; if it were, calls would proceed without a permit.
        let _permit = self.calls.acquire().await.ok();
        call.await
    }

    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    pub(crate) async fn stops(&self) {
        let mut stopping = self.stopping.subscribe();
        // An error means that nothing is left to stop.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("subscriptions and events cannot be read or written")]
    Repository(#[from] RepositoryError),
    #[error("the events of an endpoint cannot be signed")]
    Signing(#[from] SealError),
    #[error("an endpoint is changed too often")]
    Busy,
}

impl RunError {
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Repository(error) => error.is_transient(),
            Self::Signing(_) => false,
            Self::Busy => true,
        }
    }
}
