//! The connection pool for all calls but creates and updates.

use std::fmt::Display;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use diesel::pg::PgConnection;
use pressline_domain::error::{RepositoryError, Result};
use pressline_store_kit::{CallPermit, CallPermits, OnStatement, blocking};
use tokio::time::{Instant, timeout};

use crate::citus::Nodes;
use crate::error::{Failure, Remedy, remedy_of, repository};
use crate::session::{Manager, Plans, Session, SessionError};
use crate::{ConnectError, PostgresConfig, retry};

/// Time beyond the configured limits before a call gives up on a server that does not respond.
pub(crate) const GRACE: Duration = Duration::from_millis(400);

/// A pool of connections that `r2d2` makes when a call first needs them, and keeps for later calls.
pub(crate) struct Pool {
    connections: r2d2::Pool<Manager>,
    permits: CallPermits,
    manager: Manager,
    config: PostgresConfig,
}

impl Pool {
    pub(crate) fn new(
        url: &str,
        config: &PostgresConfig,
        on_statement: OnStatement,
    ) -> Result<Self, ConnectError> {
        let times = [
            config.pool_wait,
            config.connect_timeout,
            config.statement_timeout,
            config.lock_timeout,
        ];
        let sizes = [config.max_connections, config.searches, config.writers];
        // To the server, a time of zero means that there is no limit.
        let has_zero = sizes.contains(&0) || times.iter().any(|time| time.as_millis() == 0);
        if has_zero || !config.writes.permit_writes() {
            return Err(ConnectError::Config);
        }
        let max_size = u32::try_from(config.max_connections).map_err(|_| ConnectError::Config)?;
        let manager = Manager::new(url.to_owned(), config.clone(), on_statement);
        // Testing each connection would cost every call a round trip; a dead connection is replaced
        // when its work fails.
        let connections = r2d2::Pool::builder()
            .max_size(max_size)
            // Connects on demand, so that a store can be opened before its database exists.
            .min_idle(Some(0))
            .test_on_check_out(false)
            .build_unchecked(manager.clone());
        Ok(Self {
            connections,
            permits: CallPermits::new(config.max_connections, config.searches, config.pool_wait),
            manager,
            config: config.clone(),
        })
    }

    pub(crate) fn nodes(&self) -> Nodes {
        self.manager.nodes()
    }

    pub(crate) fn manager(&self) -> Manager {
        self.manager.clone()
    }

    /// Repeats `work` if the connection was lost, and after conflicts with other transactions. The
    /// second argument of `work` is `true` if an earlier attempt may have been committed.
    pub(crate) async fn call<T, W>(self: &Arc<Self>, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection, bool) -> Result<T, Failure> + Send + 'static,
    {
        self.work(self.permits.acquire().await?, work).await
    }

    /// Serves stores with waiting searches round-robin.
    pub(crate) async fn search<T, W>(
        self: &Arc<Self>,
        store: impl Display + Send,
        mut work: W,
    ) -> Result<T>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection) -> Result<T, Failure> + Send + 'static,
    {
        let permit = self.permits.acquire_search(&store.to_string()).await?;
        self.work(permit, move |connection, _| work(connection))
            .await
    }

    /// For work that takes longer than a call may. Repeats it after a conflict of transactions.
    pub(crate) async fn call_outside<T, W>(&self, mut work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection) -> Result<T, Failure> + Send + 'static,
    {
        let manager = self.manager();
        blocking(move || {
            let mut conflicts = 0;
            loop {
                let mut connection = manager
                    .open(Plans::Auto)
                    .map_err(|error| RepositoryError::Unavailable(error.into()))?;
                let failure = match work(&mut connection) {
                    Ok(value) => return Ok(value),
                    Err(failure) => failure,
                };
                if remedy_of(&failure) != Remedy::TryAgain || conflicts >= retry::CONFLICTS {
                    return Err(repository(failure, false));
                }
                conflicts += 1;
                thread::sleep(retry::pause(conflicts));
            }
        })
        .await
    }

    async fn work<T, W>(self: &Arc<Self>, permit: CallPermit, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnMut(&mut PgConnection, bool) -> Result<T, Failure> + Send + 'static,
    {
        let pool = Arc::clone(self);
        let hop = permit.run(move |deadline| pool.attempts(work, deadline));
        // The server's own timeouts end every statement, unless the server has stopped responding.
        let patience = self.config.pool_wait + self.config.statement_timeout + GRACE;
        match timeout(patience, hop).await {
            Ok(result) => result,
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    fn attempts<T>(
        &self,
        mut work: impl FnMut(&mut PgConnection, bool) -> Result<T, Failure>,
        deadline: std::time::Instant,
    ) -> Result<T> {
        // A server that stopped leaves up to `max_connections` dead connections in the pool.
        let mut connections_left = self.config.max_connections.saturating_add(1);
        let mut conflicts = 0;
        let mut in_doubt = false;
        loop {
            let (result, took) = self.on_connection(deadline, |session| {
                let started = Instant::now();
                let result = self.manager.with_settings(
                    &mut session.connection,
                    Plans::Auto,
                    |connection| work(connection, in_doubt),
                );
                let remedy = result.as_ref().err().map(remedy_of);
                session.lost = remedy == Some(Remedy::Reconnect);
                (result, started.elapsed())
            })?;
            let failure = match result {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            match remedy_of(&failure) {
                Remedy::Reconnect => {
                    // The idle connections were most likely lost for the same reason.
                    self.close_idle();
                    if connections_left == 0 {
                        return Err(self.manager.error(failure, took));
                    }
                    connections_left -= 1;
                    // The connection may have been lost after the commit.
                    in_doubt = true;
                }
                Remedy::TryAgain if conflicts < retry::CONFLICTS => {
                    conflicts += 1;
                    thread::sleep(retry::pause(conflicts));
                }
                Remedy::TryAgain | Remedy::CreateFunctions | Remedy::Nothing => {
                    return Err(self.manager.error(failure, took));
                }
            }
        }
    }

    /// Repeats failed attempts to connect until `deadline`, see [`Manager::pause_after`].
    fn on_connection<R>(
        &self,
        deadline: std::time::Instant,
        function: impl FnOnce(&mut Session) -> R,
    ) -> Result<R> {
        let mut last_failure = None;
        loop {
            let asked = std::time::Instant::now();
            let mut attempt = match self
                .connections
                .get_timeout(deadline.saturating_duration_since(asked))
            {
                Ok(attempt) => attempt,
                Err(timeout) => return Err(out_of_time(last_failure, timeout)),
            };
            let why = match &mut *attempt {
                Ok(session) => return Ok(function(session)),
                // Another call had started this attempt and did not wait for it. The server may
                // accept connections now.
                Err(failed) if failed.at < asked => continue,
                Err(failed) => Arc::clone(&failed.why),
            };
            // Frees the slot of the failed attempt, so that other calls can connect during the
            // pause.
            drop(attempt);
            last_failure = Some(Arc::clone(&why));
            self.manager.pause_after(why, deadline)?;
        }
    }

    fn close_idle(&self) {
        while let Some(mut attempt) = self.connections.try_get() {
            if let Ok(session) = &mut *attempt {
                session.lost = true;
            }
        }
    }
}

/// Prefers `last_failure`, because it says more than `timeout`.
fn out_of_time(last_failure: Option<Arc<SessionError>>, timeout: r2d2::Error) -> RepositoryError {
    RepositoryError::Unavailable(match last_failure {
        Some(failure) => failure.into(),
        None => timeout.into(),
    })
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;
    use pressline_testkit::Postgres;

    use super::*;

    fn leave_a_failed_attempt(pool: &Pool) {
        assert!(pool.connections.get_timeout(Duration::ZERO).is_err());
        while pool.connections.state().idle_connections == 0 {
            std::thread::yield_now();
        }
    }

    #[tokio::test]
    async fn a_call_is_not_answered_with_an_earlier_refusal() {
        let postgres = Postgres::start().unwrap();
        let database = postgres.create_database().unwrap();
        let config = PostgresConfig {
            max_connections: 1,
            ..PostgresConfig::default()
        };
        let pool = Arc::new(Pool::new(database.url(), &config, None).unwrap());
        postgres.stop().unwrap();
        leave_a_failed_attempt(&pool);
        postgres.restart().unwrap();
        pool.call(|connection, _| Ok(connection.batch_execute("SELECT 1")?))
            .await
            .unwrap();
    }
}
