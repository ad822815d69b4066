//! Runs blocking work of async calls on a separate thread.

use pressline_domain::error::RepositoryError;
use tokio::task::JoinHandle;

/// Runs `work` on a thread that may block. If the returned future is dropped before `work` has
/// begun, `work` never runs.
///
/// # Errors
/// [`RepositoryError::Refused`] if `work` panicked or the runtime is shutting down.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RepositoryError> + Send + 'static,
) -> Result<T, RepositoryError> {
    let mut hop = Hop(tokio::task::spawn_blocking(work));
    match (&mut hop.0).await {
        Ok(result) => result,
        Err(error) => Err(RepositoryError::Refused(error.into())),
    }
}

/// Task on a thread that may block. Dropping `Hop` aborts the task, unless the task has begun.
struct Hop<T>(JoinHandle<T>);

impl<T> Drop for Hop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_whose_caller_has_given_up_is_not_started() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let (release, held) = channel::<()>();
        let (begins, begun) = channel();
        let (starts, started) = channel::<()>();
        runtime.block_on(async {
            let busy = tokio::task::spawn(blocking(move || {
                let _ = begins.send(());
                // Ends with an error once the test drops the other end.
                let _ = held.recv();
                Ok(())
            }));
            while begun.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
            // The only thread is busy, so this work waits in the runtime's queue until it is
            // dropped.
            let gone = blocking(move || {
                let _ = starts.send(());
                Ok(())
            });
            drop(tokio::time::timeout(Duration::from_millis(1), gone).await);
            drop(release);
            busy.await.unwrap().unwrap();
            blocking(|| Ok(())).await.unwrap();
        });
        assert!(started.try_recv().is_err());
    }
}
