//! The connections that serve everything but creates and updates, and one blocking hop over them.

use std::sync::Arc;
use std::time::Duration;

use diesel::pg::PgConnection;
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::{FairPermit, FairPermits, blocking};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::error::{Failure, Remedy};
use crate::session::{Idle, Manager, Plans, Session};
use crate::{ConnectError, PostgresConfig, retry};

/// What a call waits beyond the times of the configuration before it gives up on a server that says nothing at all.
pub(crate) const GRACE: Duration = Duration::from_millis(400);

/// Connections that are made when they are first needed. A call holds a permit before it takes a thread, so that there
/// are never more blocked threads than connections, and those who wait cost nothing.
///
/// Searches need a second permit, of which there are fewer: however many stores search, connections are left for
/// authentication, pricing and replays.
pub(crate) struct Pool {
    idle: Idle,
    permits: Arc<Semaphore>,
    searches: Arc<FairPermits>,
    manager: Manager,
    config: PostgresConfig,
}

impl Pool {
    pub(crate) fn new(url: &str, config: &PostgresConfig) -> Result<Self, ConnectError> {
        let times = [config.pool_wait, config.connect_timeout, config.statement_timeout, config.lock_timeout];
        let sizes = [
            config.max_connections,
            config.searches,
            config.write_queue,
            config.write_queue_of_store,
            config.writers,
            config.write_group,
        ];
        // No time at all would mean to the server that there is no limit.
        if sizes.contains(&0) || times.iter().any(|time| time.as_millis() == 0) {
            return Err(ConnectError::Config);
        }
        Ok(Self {
            idle: Idle::default(),
            permits: Arc::new(Semaphore::new(config.max_connections.min(Semaphore::MAX_PERMITS))),
            searches: FairPermits::new(config.searches),
            manager: Manager::new(url.to_owned(), config.clone()),
            config: config.clone(),
        })
    }

    pub(crate) fn statements(&self) -> u64 {
        self.manager.statements()
    }

    pub(crate) fn manager(&self) -> Manager {
        self.manager.clone()
    }

    /// Does work on a connection. The work is tried again on another connection where its own is gone, and after a
    /// pause where another transaction was in its way; its second argument is true where an earlier try may have been
    /// committed all the same.
    pub(crate) async fn call<T, W>(self: &Arc<Self>, work: W) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection, bool) -> Result<T, Failure> + Send + 'static,
    {
        self.work(Instant::now() + self.config.pool_wait, None, work).await
    }

    /// Does the work of a search on a connection, in the store's turn.
    pub(crate) async fn search<T, W>(self: &Arc<Self>, store: &str, mut work: W) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection) -> Result<T, Failure> + Send + 'static,
    {
        let deadline = Instant::now() + self.config.pool_wait;
        let search = timeout_at(deadline, self.searches.acquire(store)).await;
        let search = search.map_err(|_| unavailable("too many searches are running"))?;
        self.work(deadline, Some(search), move |connection, _| work(connection)).await
    }

    async fn work<T, W>(
        self: &Arc<Self>,
        deadline: Instant,
        search: Option<FairPermit>,
        work: W,
    ) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection, bool) -> Result<T, Failure> + Send + 'static,
    {
        let permits = Arc::clone(&self.permits);
        let permit = match timeout_at(deadline, permits.acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(closed)) => return Err(RepositoryError::Unavailable(closed.into())),
            Err(_) => return Err(unavailable("all connections are in use")),
        };
        let pool = Arc::clone(self);
        let hop = blocking(move || {
            let _permits = (permit, search);
            // The permit was there in time, and the thread was not.
            if Instant::now() > deadline {
                return Err(unavailable("all threads are in use"));
            }
            pool.attempts(work, deadline)
        });
        // The server's own timeouts end every statement, unless the server does not answer any more.
        let patience = self.config.pool_wait + self.config.statement_timeout + GRACE;
        match timeout(patience, hop).await {
            Ok(result) => result,
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    fn attempts<T>(
        &self,
        mut work: impl FnMut(&mut PgConnection, bool) -> Result<T, Failure>,
        deadline: Instant,
    ) -> Result<T, RepositoryError> {
        // A stopped server leaves as many dead connections as the pool had.
        let mut connections_left = self.config.max_connections.saturating_add(1);
        let mut conflicts = 0;
        let mut in_doubt = false;
        loop {
            let mut session = match self.idle.take() {
                Some(session) => session,
                None => Session::new(self.manager.connect(Plans::Auto, deadline.into_std())?),
            };
            let started = Instant::now();
            let failure = match work(&mut session.connection, in_doubt) {
                Ok(done) => {
                    self.idle.keep(session);
                    return Ok(done);
                }
                Err(failure) => failure,
            };
            match failure.remedy() {
                Remedy::Reconnect => {
                    // What ended this connection has most likely ended the idle ones, too.
                    self.idle.clear();
                    if connections_left == 0 {
                        return Err(self.manager.error(failure, started.elapsed()));
                    }
                    connections_left -= 1;
                    in_doubt = true;
                }
                Remedy::TryAgain if conflicts < retry::CONFLICTS => {
                    conflicts += 1;
                    self.idle.keep(session);
                    std::thread::sleep(retry::pause(conflicts));
                }
                Remedy::TryAgain | Remedy::Nothing => {
                    self.idle.keep(session);
                    return Err(self.manager.error(failure, started.elapsed()));
                }
            }
        }
    }
}

fn unavailable(why: &'static str) -> RepositoryError {
    RepositoryError::Unavailable(why.into())
}
