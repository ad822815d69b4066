//! Making connections, and keeping those that are idle.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diesel::ConnectionError;
use diesel::connection::{CacheSize, Connection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::StatementCounter;

use crate::PostgresConfig;
use crate::error::Failure;

/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection that nobody used for so long is closed, because each one takes memory of the server.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// A connection is closed when it is so old, so that servers that were added, or an address that has moved, get their
/// part of the load.
const LIFETIME: Duration = Duration::from_secs(30 * 60);

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

impl SessionError {
    /// True if nothing listens at the address of the server. Waiting would only keep the caller waiting.
    fn is_refused(&self) -> bool {
        // libpq has no code for it; these are the texts of ECONNREFUSED, and of ENOENT for a socket that does not exist.
        let texts = ["Connection refused", "No such file or directory"];
        matches!(self, Self::Connect(ConnectionError::BadConnection(message))
            if texts.iter().any(|text| message.contains(text)))
    }
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
    pub(crate) fn new(url: String, config: PostgresConfig) -> Self {
        Self { url, config, statements: StatementCounter::default() }
    }

    /// How many statements were sent on all connections.
    pub(crate) fn statements(&self) -> u64 {
        self.statements.total()
    }

    /// A new connection. One that fails is tried again until the deadline, because the server may be starting; but not
    /// if the server refuses connections.
    pub(crate) fn connect(&self, plans: Plans, deadline: Instant) -> Result<PgConnection, RepositoryError> {
        loop {
            match self.open(plans) {
                Ok(connection) => return Ok(connection),
                Err(error) if error.is_refused() || Instant::now() + PAUSE > deadline => {
                    return Err(RepositoryError::Unavailable(error.into()));
                }
                Err(error) => tracing::debug!(error = %error, "no connection to PostgreSQL"),
            }
            thread::sleep(PAUSE);
        }
    }

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

/// Whether a transaction was left open, so that the connection serves nobody any more.
pub(crate) fn is_broken(connection: &mut PgConnection) -> bool {
    <PgConnection as Connection>::TransactionManager::is_broken_transaction_manager(connection)
}

/// A connection of the pool.
pub(crate) struct Session {
    pub(crate) connection: PgConnection,
    opened: Instant,
    used: Instant,
}

impl Session {
    pub(crate) fn new(connection: PgConnection) -> Self {
        let now = Instant::now();
        Self { connection, opened: now, used: now }
    }
}

/// Connections that wait for work.
#[derive(Default)]
pub(crate) struct Idle(Mutex<Vec<Session>>);

impl Idle {
    /// The connection that was used last.
    pub(crate) fn take(&self) -> Option<Session> {
        self.lock().pop()
    }

    /// Keeps a connection for the next call, unless it can serve no more.
    pub(crate) fn keep(&self, mut session: Session) {
        if is_broken(&mut session.connection) || session.opened.elapsed() > LIFETIME {
            return;
        }
        session.used = Instant::now();
        let mut idle = self.lock();
        idle.push(session);
        // The first ones are those that were used the longest time ago.
        let unused = idle.iter().take_while(|session| session.used.elapsed() > IDLE).count();
        let unused: Vec<Session> = idle.drain(..unused).collect();
        drop(idle);
        drop(unused);
    }

    /// Closes all of them.
    pub(crate) fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        drop(all);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
