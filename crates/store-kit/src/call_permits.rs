//! The permits of the calls that use a pool of connections.

use std::sync::Arc;
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::blocking::blocking;
use crate::fair_permits::{FairPermit, FairPermits};

/// A permit for each connection of a pool. A call acquires one before it takes a thread: there are
/// never more blocked threads than connections, and a call that waits costs no thread.
///
/// A search needs a second permit, of which there are fewer. However many stores search, connections
/// are left for authentication, pricing and replays.
#[derive(Debug)]
pub struct CallPermits {
    connections: Arc<Semaphore>,
    searches: Arc<FairPermits>,
    wait: Duration,
}

/// The right of one call to use one connection.
#[derive(Debug)]
pub struct CallPermit {
    deadline: Instant,
    _connection: OwnedSemaphorePermit,
    _search: Option<FairPermit>,
}

impl CallPermits {
    /// Permits for so many connections and searches. A call waits at most `wait` for its permits.
    pub fn new(connections: usize, searches: usize, wait: Duration) -> Self {
        Self {
            connections: Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS))),
            searches: FairPermits::new(searches),
            wait,
        }
    }

    /// Waits for a connection.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where none is free in time.
    pub async fn acquire(&self) -> Result<CallPermit, RepositoryError> {
        self.connection(Instant::now() + self.wait, None).await
    }

    /// Waits for a connection to search on. Stores take turns.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where none is free in time.
    pub async fn acquire_search(&self, store: &str) -> Result<CallPermit, RepositoryError> {
        let deadline = Instant::now() + self.wait;
        let search = timeout_at(deadline, self.searches.acquire(store)).await;
        let search = search.map_err(|_| unavailable("too many searches are running"))?;
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
    /// Does the work of the call on a thread that may block. The work receives the time until which
    /// it may wait for its connection.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where no thread is free in time; and those of the work.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(std::time::Instant) -> Result<T, RepositoryError> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        blocking(move || {
            // Held until the work is done, or has panicked.
            let permit = self;
            // The connection was free in time, but all threads were busy.
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
