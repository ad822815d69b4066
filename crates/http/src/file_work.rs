//! Runs work on operators' files on separate threads, so that it does not block calls.

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tracing::{Instrument as _, Span};

use crate::request_error::RequestError;

/// Files processed concurrently per listener. Rows take up to ten times a file's size in memory.
const CONCURRENT_FILES: usize = 2;

/// Runs work on operators' files, on up to two files at a time. Clones share this limit.
#[derive(Clone)]
pub struct FileWork {
    permits: Arc<Semaphore>,
}

impl Default for FileWork {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(CONCURRENT_FILES)),
        }
    }
}

impl FileWork {
    /// Waits until fewer than two files are in progress, and then runs `work` on a separate thread.
    /// Waiting calls get their turn in the order of arrival. Started work is completed even if the
    /// caller disconnects.
    ///
    /// # Errors
    /// `internal_error` if `work` panics.
    pub async fn run<T, F>(
        &self,
        work: impl FnOnce() -> F + Send + 'static,
    ) -> Result<T, RequestError>
    where
        T: Send + 'static,
        F: Future<Output = T>,
    {
        let failed = |reason: &str| RequestError::internal(reason);
        let permit = self
            .permits
            .clone()
            .acquire_owned()
            .await
            .map_err(|error| failed(&error.to_string()))?;
        // The other thread has neither the runtime nor the span of the call.
        let (runtime, span) = (Handle::current(), Span::current());
        spawn_blocking(move || {
            // Held until the work ends, even if the caller disconnects.
            let _permit = permit;
            runtime.block_on(work().instrument(span))
        })
        .await
        .map_err(|error| failed(&error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};

    use super::*;

    #[tokio::test]
    async fn two_files_are_worked_on_concurrently_and_calls_go_on() {
        let (files, open) = (
            FileWork::default(),
            Arc::new((Mutex::new(false), Condvar::new())),
        );
        let (begun, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let works: Vec<_> = (0..5)
            .map(|_| {
                let (files, open) = (files.clone(), open.clone());
                let (begun, done) = (begun.clone(), done.clone());
                tokio::spawn(async move {
                    let work = move || async move {
                        let running = begun.fetch_add(1, Ordering::SeqCst) + 1;
                        assert!(running - done.load(Ordering::SeqCst) <= CONCURRENT_FILES);
                        let (is_open, bell) = &*open;
                        let locked = is_open.lock().unwrap();
                        drop(bell.wait_while(locked, |is_open| !*is_open).unwrap());
                        done.fetch_add(1, Ordering::SeqCst);
                    };
                    files.run(work).await.unwrap();
                })
            })
            .collect();
        // This thread goes on while both files block theirs.
        while begun.load(Ordering::SeqCst) < CONCURRENT_FILES {
            tokio::task::yield_now().await;
        }
        *open.0.lock().unwrap() = true;
        open.1.notify_all();
        for work in works {
            work.await.unwrap();
        }
        assert_eq!(done.load(Ordering::SeqCst), 5);
    }
}
