//! The connections, and one blocking hop over them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use diesel::sqlite::SqliteConnection;
use pressline_domain::ports::RepositoryError;
use tokio::sync::Semaphore;

use crate::SqliteConfig;
use crate::connection::{Opener, Purpose};
use crate::error::Failure;
use crate::writer::is_broken;

/// Connections that read. A call holds a permit before it takes a thread, so that there are never more blocked
/// threads than connections, and those who wait are served in their order.
pub(crate) struct Pool {
    opener: Arc<Opener>,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<SqliteConnection>>,
    wait: Duration,
}

impl Pool {
    /// Connections that are opened when they are first needed.
    pub(crate) fn new(opener: &Arc<Opener>, config: &SqliteConfig) -> Self {
        Self {
            opener: Arc::clone(opener),
            permits: Arc::new(Semaphore::new(config.readers.min(Semaphore::MAX_PERMITS))),
            idle: Mutex::default(),
            wait: config.pool_wait,
        }
    }

    /// Does work on a connection.
    pub(crate) async fn call<T, W>(self: &Arc<Self>, work: W) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        let permits = Arc::clone(&self.permits);
        let permit = match tokio::time::timeout(self.wait, permits.acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(closed)) => return Err(RepositoryError::Unavailable(closed.into())),
            Err(_) => return Err(RepositoryError::Unavailable("all connections are in use".into())),
        };
        let pool = Arc::clone(self);
        blocking(move || {
            let _permit = permit;
            let idle = pool.lock().pop();
            let mut connection = match idle {
                Some(connection) => connection,
                None => pool.opener.open(Purpose::Read)?,
            };
            let result = work(&mut connection);
            // A connection in an open or failed transaction is closed, as one is whose work panicked.
            if !is_broken(&mut connection) {
                pool.lock().push(connection);
            }
            Ok(result?)
        })
        .await
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One hop to a thread that may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RepositoryError> + Send + 'static,
) -> Result<T, RepositoryError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        // The work panicked, or the program is ending.
        Err(error) => Err(RepositoryError::Refused(error.into())),
    }
}
