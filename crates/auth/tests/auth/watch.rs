//! An observer of a directory's reads, which fail or wait on request.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use pressline_domain::error::RepositoryError;
use tokio::sync::Semaphore;

#[derive(Default)]
pub(crate) struct Watch {
    reads: AtomicUsize,
    away: AtomicBool,
    gate: Mutex<Option<Arc<Semaphore>>>,
}

impl Watch {
    /// Number of reads so far, including reads that failed or still wait.
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(SeqCst)
    }

    /// Sets whether each read fails.
    pub(crate) fn set_away(&self, away: bool) {
        self.away.store(away, SeqCst);
    }

    /// Makes each later read wait for a permit of the returned semaphore.
    pub(crate) fn close(&self) -> Arc<Semaphore> {
        let gate = Arc::new(Semaphore::new(0));
        *self.gate.lock().unwrap() = Some(Arc::clone(&gate));
        gate
    }

    /// Begins a read.
    pub(crate) async fn read(&self) -> Result<(), RepositoryError> {
        self.reads.fetch_add(1, SeqCst);
        let gate = self.gate.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate.acquire().await.unwrap().forget();
        }
        if self.away.load(SeqCst) {
            return Err(RepositoryError::Unavailable("connection refused".into()));
        }
        Ok(())
    }
}
