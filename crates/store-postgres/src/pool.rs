//! The connections, and one blocking hop over them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::{CacheSize, Connection, SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{ConnectionError, sql_query};
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::StatementCounter;
use r2d2::ManageConnection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Failure, Remedy};
use crate::{ConnectError, PostgresConfig, retry};

/// What a call waits beyond the times of the configuration before it gives up on a server that says nothing at all.
pub(crate) const GRACE: Duration = Duration::from_millis(400);

/// Connections that are made in the background. A call holds a permit before it takes a thread, so that there are never
/// more blocked threads than connections, and those who wait cost nothing.
pub(crate) struct Pool {
    connections: r2d2::Pool<Manager>,
    permits: Arc<Semaphore>,
    manager: Manager,
    config: PostgresConfig,
}

/// A connection, and whether it is gone.
pub(crate) struct Session {
    connection: PgConnection,
    lost: bool,
}

/// Makes connections.
#[derive(Clone)]
pub(crate) struct Manager {
    url: String,
    config: PostgresConfig,
    statements: StatementCounter,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error(transparent)]
    Connect(#[from] ConnectionError),
    #[error(transparent)]
    Setup(#[from] diesel::result::Error),
}

/// How the server plans statements that are prepared.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Plans {
    /// As it finds best, which may be anew for each execution: what is looked up decides much.
    Auto,
    /// Once. A statement that writes orders by their keys has one plan that is any good, and takes longer to plan than
    /// to write one order.
    Once,
}

impl Manager {
    pub(crate) fn open(&self, plans: Plans) -> Result<PgConnection, SessionError> {
        let mut connection = PgConnection::establish(&self.url)?;
        let millis = |time: Duration| time.as_millis().to_string();
        // As parameters of the connection these would be refused by poolers. The page cost is that of a solid-state disk:
        // with the server's default, made for spinning ones, the planner sorts a whole store to find its newest orders.
        // Compiling a statement takes longer than any of ours does, and a table without statistics is enough to begin it.
        sql_query(
            "SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), \
             set_config('idle_in_transaction_session_timeout', $1, false), \
             set_config('default_transaction_isolation', 'read committed', false), \
             set_config('random_page_cost', '1.1', false), set_config('jit', 'off', false), \
             set_config('plan_cache_mode', $3, false)",
        )
        .bind::<Text, _>(millis(self.config.statement_timeout))
        .bind::<Text, _>(millis(self.config.lock_timeout))
        .bind::<Text, _>(match plans {
            Plans::Auto => "auto",
            Plans::Once => "force_generic_plan",
        })
        .execute(&mut connection)?;
        if !self.config.prepared_statements {
            connection.set_prepared_statement_cache_size(CacheSize::Disabled);
        }
        connection.set_instrumentation(self.statements.clone());
        Ok(connection)
    }

    /// The error for the caller of what failed after this time.
    pub(crate) fn error(&self, failure: Failure, after: Duration) -> RepositoryError {
        failure.into_repository(after >= self.config.statement_timeout.min(self.config.lock_timeout))
    }
}

impl ManageConnection for Manager {
    type Connection = Session;
    type Error = SessionError;

    fn connect(&self) -> Result<Session, SessionError> {
        Ok(Session { connection: self.open(Plans::Auto)?, lost: false })
    }

    fn is_valid(&self, session: &mut Session) -> Result<(), SessionError> {
        Ok(session.connection.batch_execute("")?)
    }

    fn has_broken(&self, session: &mut Session) -> bool {
        session.lost || std::thread::panicking() || is_broken(&mut session.connection)
    }
}

/// Whether a transaction was left open, so that the connection serves nobody any more.
pub(crate) fn is_broken(connection: &mut PgConnection) -> bool {
    <PgConnection as Connection>::TransactionManager::is_broken_transaction_manager(connection)
}

/// Failed attempts to connect are no news by themselves: the calls that wait for a connection report them.
#[derive(Debug)]
struct Quiet;

impl r2d2::HandleError<SessionError> for Quiet {
    fn handle_error(&self, error: SessionError) {
        tracing::debug!(error = %error, "no connection to PostgreSQL");
    }
}

impl Pool {
    pub(crate) fn new(url: &str, config: &PostgresConfig) -> Result<Self, ConnectError> {
        let times = [config.pool_wait, config.connect_timeout, config.statement_timeout, config.lock_timeout];
        let sizes = [config.write_queue, config.writers, config.write_group];
        let sizes_fit = config.max_connections > 0
            && config.min_idle <= config.max_connections
            && sizes.iter().all(|size| *size > 0);
        // No time at all would mean to the server that there is no limit.
        if !sizes_fit || times.iter().any(|time| time.as_millis() == 0) {
            return Err(ConnectError::Config);
        }
        let statements = StatementCounter::default();
        let manager = Manager { url: url.to_owned(), config: config.clone(), statements };
        // After a failure r2d2 tries again within half of the time that callers wait, so that a server that comes back
        // is found within a second.
        let connections = r2d2::Pool::builder()
            .max_size(config.max_connections)
            .min_idle(Some(config.min_idle))
            .connection_timeout(config.pool_wait)
            .test_on_check_out(false)
            .error_handler(Box::new(Quiet))
            .build_unchecked(manager.clone());
        let permits = usize::try_from(config.max_connections).unwrap_or(Semaphore::MAX_PERMITS);
        Ok(Self { connections, permits: Arc::new(Semaphore::new(permits)), manager, config: config.clone() })
    }

    pub(crate) fn statements(&self) -> u64 {
        self.manager.statements.total()
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
        let deadline = Instant::now() + self.config.pool_wait;
        let permits = Arc::clone(&self.permits);
        let permit: OwnedSemaphorePermit =
            match tokio::time::timeout(self.config.pool_wait, permits.acquire_owned()).await {
                Ok(Ok(permit)) => permit,
                Ok(Err(closed)) => return Err(RepositoryError::Unavailable(closed.into())),
                Err(_) => {
                    return Err(RepositoryError::Unavailable("all connections are in use".into()));
                }
            };
        let pool = Arc::clone(self);
        let hop = blocking(move || {
            let _permit = permit;
            pool.attempts(work, deadline)
        });
        // The server's own timeouts end every statement, unless the server does not answer any more.
        let patience = self.config.pool_wait + self.config.statement_timeout + GRACE;
        match tokio::time::timeout(patience, hop).await {
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
            let wait = deadline.saturating_duration_since(Instant::now());
            let mut session = self
                .connections
                .get_timeout(wait)
                .map_err(|error| RepositoryError::Unavailable(error.into()))?;
            let started = Instant::now();
            let failure = match work(&mut session.connection, in_doubt) {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            match failure.remedy() {
                Remedy::Reconnect if connections_left > 0 => {
                    connections_left -= 1;
                    session.lost = true;
                    in_doubt = true;
                }
                Remedy::TryAgain if conflicts < retry::CONFLICTS => {
                    conflicts += 1;
                    drop(session);
                    std::thread::sleep(retry::pause(conflicts));
                }
                remedy => {
                    session.lost = remedy == Remedy::Reconnect;
                    return Err(self.manager.error(failure, started.elapsed()));
                }
            }
        }
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
