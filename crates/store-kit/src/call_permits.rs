//! Permits for calls that use a connection pool.

use std::sync::Arc;
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::blocking::blocking;
use crate::fair_permits::{FairPermit, FairPermits};

/// Permits for calls that use a connection pool, one permit per connection. A call acquires a
/// permit before it takes a thread: there are never more blocked threads than connections, and a
/// waiting call costs no thread.
///
/// A search also needs a search permit. With fewer search permits than connections, searches always
/// leave connections for authentication, pricing and replays.
#[derive(Debug)]
pub struct CallPermits {
    connections: Arc<Semaphore>,
    searches: Arc<FairPermits>,
    wait: Duration,
}

/// Permission for one call to use one connection. Dropping `CallPermit` returns the permission.
#[derive(Debug)]
pub struct CallPermit {
    deadline: Instant,
    _connection: OwnedSemaphorePermit,
    _search: Option<FairPermit>,
}

impl CallPermits {
    /// Creates permits for `connections` connections, and for `searches` searches at a time. A call
    /// waits for its permits up to `wait`.
    pub fn new(connections: usize, searches: usize, wait: Duration) -> Self {
        Self {
            // `Semaphore::new` panics above its maximum.
            connections: Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS))),
            searches: FairPermits::new(searches),
            wait,
        }
    }

    /// Waits for a connection permit, and returns it.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if no connection becomes free in time.
    pub async fn acquire(&self) -> Result<CallPermit, RepositoryError> {
        self.connection(Instant::now() + self.wait, None).await
    }

    /// Waits for a search permit and a connection. Searches are served round-robin by `store`.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if no search permit or no connection becomes free in time.
    pub async fn acquire_search(&self, store: &str) -> Result<CallPermit, RepositoryError> {
        // One deadline for both permits: a call waits at most `wait` in total.
        let deadline = Instant::now() + self.wait;
        let search = timeout_at(deadline, self.searches.acquire(store))
            .await
            .map_err(|_| unavailable("too many searches are running"))?;
        self.connection(deadline, Some(search)).await
    }

    async fn connection(
        &self,
        deadline: Instant,
        search: Option<FairPermit>,
    ) -> Result<CallPermit, RepositoryError> {
        let connection = Arc::clone(&self.connections).acquire_owned();
        match timeout_at(deadline, connection).await {
            Ok(Ok(connection)) => Ok(CallPermit {
                deadline,
                _connection: connection,
                _search: search,
            }),
            Ok(Err(closed)) => Err(RepositoryError::Unavailable(closed.into())),
            Err(_) => Err(unavailable("all connections are in use")),
        }
    }
}

impl CallPermit {
    /// Runs `work` on a thread that may block. `work` receives the time at which waiting for a
    /// connection of the pool must end.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if no thread becomes free in time; same errors as `work`.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(std::time::Instant) -> Result<T, RepositoryError> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        blocking(move || {
            // The closure owns the permit, so that a panic releases it too.
            let permit = self;
            // The permit was acquired in time, but the thread started too late.
            if Instant::now() > permit.deadline {
                return Err(unavailable("all threads are in use"));
            }
            work(permit.deadline.into_std())
        })
        .await
    }
}

fn unavailable(why: &'static str) -> RepositoryError {
    RepositoryError::Unavailable(why.into())
}
