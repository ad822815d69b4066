//! Makes connections, for the pool and outside it.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use diesel::ConnectionError;
use diesel::connection::{
    CacheSize, Connection, InstrumentationEvent, SimpleConnection, TransactionManager,
};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use pressline_domain::error::{RepositoryError, Result};
use pressline_store_kit::{OnStatement, Row, Sql, Value};
use r2d2::ManageConnection;

use crate::arrays::load_first;
use crate::citus::Nodes;
use crate::error::{Failure, Remedy, remedy_of, repository};
use crate::pooler::{Mark, Pooling};
use crate::{PostgresConfig, tls};

// Pause between attempts to connect to a server that may be starting.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Clone)]
pub(crate) struct Manager {
    url: String,
    config: PostgresConfig,
    pub(crate) on_statement: OnStatement,
    pooling: Pooling,
    /// Set while the log says that the server is not up yet.
    waits: Arc<AtomicBool>,
    /// Unset until the first connection.
    nodes: Arc<OnceLock<Nodes>>,
}

static CONFIGURE: Sql = Sql::new(include_str!("sql/configure.sql"));

#[derive(Row)]
#[row(read)]
struct Engine {
    has_citus: bool,
    /// `true` if the settings apply to the transaction only, `false` if they apply to the session.
    is_local: bool,
    /// New values of the settings.
    #[expect(dead_code, reason = "the statement must return what it sets")]
    settings: String,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error("{}", tls::explained(.0))]
    Connect(ConnectionError),
    #[error(transparent)]
    Setup(#[from] diesel::result::Error),
}

impl From<ConnectionError> for SessionError {
    fn from(error: ConnectionError) -> Self {
        Self::Connect(error)
    }
}

impl SessionError {
    /// Returns whether the server or the way to it is not up yet, so that a later attempt may
    /// succeed. All other failures, such as a wrong password, last until a person acts.
    fn is_temporary(&self) -> bool {
        match self {
            Self::Connect(ConnectionError::BadConnection(message)) => {
                // A failure of TLS may also end with a closed connection.
                tls::advice(message).is_none()
                    && NOT_UP_YET.iter().any(|text| message.contains(text))
            }
            Self::Connect(_) => false,
            // The server has accepted the connection and the user.
            Self::Setup(_) => true,
        }
    }
}

/// Parts of messages of libpq, the server and pgbouncer about a server that will accept connections
/// later. libpq has no error codes; if the server's messages are not in English, a call fails
/// instead of waiting. A refused connection is not listed: a call then fails immediately.
const NOT_UP_YET: [&str; 25] = [
    "the database system is starting up",
    "the database system is shutting down",
    "the database system is in recovery mode",
    "the database system is not",
    "terminating connection",
    "too many clients",
    "too many connections",
    "connection slots are reserved",
    "server closed the connection",
    // After a failover, until the new primary accepts writes: `target_session_attrs`.
    "session is read-only",
    "hot standby mode",
    "timeout expired",
    "timed out",
    "Connection reset by peer",
    "Broken pipe",
    "SSL SYSCALL error",
    "could not fork new process",
    "Network is unreachable",
    "No route to host",
    "Resource temporarily unavailable",
    "Temporary failure in name resolution",
    // pgbouncer
    "cannot connect to server",
    "server_login_retry",
    "no more connections allowed",
    "query_wait_timeout",
];

#[derive(Debug, Clone, Copy)]
pub(crate) enum Plans {
    /// `plan_cache_mode` is `auto`: the best plan depends on the parameters.
    Auto,
    /// `plan_cache_mode` is `force_generic_plan`, except with Citus. A statement that writes orders
    /// by their keys has a single good plan, and planning takes longer than writing an order.
    Once,
}

impl Manager {
    pub(crate) fn new(url: String, config: PostgresConfig, on_statement: OnStatement) -> Self {
        // Before libpq, which would let OpenSSL clean up when the process exits: a thread of the
        // pool that is still connecting then uses freed memory, and a command that has succeeded
        // ends with a segmentation fault.
        openssl_sys::init();
        Self {
            url,
            config,
            on_statement,
            pooling: Pooling::default(),
            waits: Arc::default(),
            nodes: Arc::default(),
        }
    }

    /// Returns the default until the first connection has found out.
    pub(crate) fn nodes(&self) -> Nodes {
        self.nodes.get().copied().unwrap_or_default()
    }

    /// Returns whether a pooler is between this process and the server, as far as known.
    pub(crate) fn has_pooler(&self) -> bool {
        self.pooling.has_pooler()
    }

    /// Returns the maximum number of connections: the pool, the writers, and the builder of word
    /// lists.
    pub(crate) fn connections(&self) -> usize {
        self.config.max_connections + self.config.writers + 1
    }

    /// Connects outside the pool. Repeats failed attempts until `deadline`, see
    /// [`pause_after`](Self::pause_after).
    fn connect(&self, deadline: Instant) -> Result<PgConnection> {
        loop {
            match self.open(Plans::Once) {
                Ok(connection) => return Ok(connection),
                Err(error) => self.pause_after(Arc::new(error), deadline)?,
            }
        }
    }

    /// Connects as [`connect`](Self::connect) does, without the settings of calls.
    pub(crate) fn connect_plain(&self, deadline: Instant) -> Result<PgConnection> {
        loop {
            match PgConnection::establish(&self.url) {
                Ok(connection) => return Ok(connection),
                Err(error) => self.pause_after(Arc::new(error.into()), deadline)?,
            }
        }
    }

    pub(crate) fn open(&self, plans: Plans) -> Result<PgConnection, SessionError> {
        let mark = Mark::new();
        let mut connection = self.pooling.establish(&self.url, &mark)?;
        // Not under a name: behind a pooler, the session of the server may have one of this name.
        connection.set_prepared_statement_cache_size(CacheSize::Disabled);
        // Behind a pooler, `with_settings` makes the settings in each transaction.
        if !self.pooling.has_pooler() && self.configure(&mut connection, plans, Some(&mark))? {
            self.pooling.found_pooler();
        }
        connection.set_prepared_statement_cache_size(CacheSize::Unbounded);
        if self.pooling.has_pooler() && !self.pooling.keeps_statements(&mut connection) {
            connection.set_prepared_statement_cache_size(CacheSize::Disabled);
        }
        self.waits.store(false, Ordering::Relaxed);
        // Last, so that the hook sees only the statements of calls.
        if let Some(on) = self.on_statement.clone() {
            connection.set_instrumentation(move |event: InstrumentationEvent<'_>| on(&event));
        }
        Ok(connection)
    }

    /// Uses the settings of [`configure`](Self::configure). Behind a pooler, each transaction may
    /// use another session of the server: `work` then runs in one transaction that first makes the
    /// settings.
    pub(crate) fn with_settings<T>(
        &self,
        connection: &mut PgConnection,
        plans: Plans,
        work: impl FnOnce(&mut PgConnection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if !self.pooling.has_pooler() {
            return work(connection);
        }
        // The isolation level is the only setting that cannot be changed within the transaction.
        let mut transaction = connection.build_transaction().read_committed();
        transaction.run(|connection| {
            self.configure(connection, plans, None)?;
            work(connection)
        })
    }

    /// Runs `work` outside the pool. Connects first if `connection` is `None`, until `deadline`, and
    /// leaves `None` if the connection is lost.
    pub(crate) fn run<T>(
        &self,
        connection: &mut Option<PgConnection>,
        deadline: Instant,
        work: impl FnOnce(&mut PgConnection) -> Result<T, Failure>,
    ) -> Result<T, (Remedy, RepositoryError)> {
        let connected = match connection.take() {
            Some(connection) => Ok(connection),
            None => self.connect(deadline),
        };
        let mut own = connected.map_err(|error| (Remedy::Nothing, error))?;
        let started = Instant::now();
        let result = self
            .with_settings(&mut own, Plans::Once, work)
            .map_err(|failure| {
                let remedy = remedy_of(&failure);
                (remedy, self.error(failure, started.elapsed()))
            });
        let is_lost = matches!(result, Err((Remedy::Reconnect, _)));
        if !is_lost && !is_broken(&mut own) {
            *connection = Some(own);
        }
        result
    }

    /// The settings last for the session if it has `mark`, otherwise for the current transaction.
    /// Returns `true` if they last for the transaction only.
    fn configure(
        &self,
        connection: &mut PgConnection,
        plans: Plans,
        mark: Option<&Mark>,
    ) -> QueryResult<bool> {
        let millis = |time: Duration| time.as_millis().to_string();
        let values = [
            (
                "statement_timeout",
                millis(self.config.statement_timeout).into(),
            ),
            ("lock_timeout", millis(self.config.lock_timeout).into()),
            (
                "plans",
                Value::from(match plans {
                    Plans::Auto => "auto",
                    Plans::Once => "force_generic_plan",
                }),
            ),
            ("citus", self.config.citus.known().into()),
            ("mark", mark.map(Mark::text).into()),
        ];
        let engine: Engine =
            load_first(connection, &CONFIGURE, &values)?.ok_or(DieselError::NotFound)?;
        self.nodes.get_or_init(|| Nodes::new(engine.has_citus));
        Ok(engine.is_local)
    }

    /// Fails unless the server is not up yet, or if `deadline` is too close for another attempt.
    pub(crate) fn pause_after(&self, failure: Arc<SessionError>, deadline: Instant) -> Result<()> {
        let left = deadline.saturating_duration_since(Instant::now());
        if !failure.is_temporary() || left < PAUSE {
            return Err(RepositoryError::Unavailable(failure.into()));
        }
        // Once per outage: each of many waiting calls would write the line.
        if !self.waits.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                error = %failure,
                seconds = left.as_secs(),
                "PostgreSQL does not accept connections yet; trying again"
            );
        }
        thread::sleep(PAUSE);
        Ok(())
    }

    pub(crate) fn error(&self, failure: Failure, after: Duration) -> RepositoryError {
        // Either limit may have ended the statement.
        let shortest = self.config.statement_timeout.min(self.config.lock_timeout);
        repository(failure, after >= shortest)
    }
}

/// Limits only the waits for locks, because the current transaction changes many rows.
pub(crate) fn without_time_limit(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'")
}

/// Returns whether a transaction was left open, so that the connection must be closed.
pub(crate) fn is_broken(connection: &mut PgConnection) -> bool {
    <PgConnection as Connection>::TransactionManager::is_broken_transaction_manager(connection)
}

pub(crate) struct Session {
    pub(crate) connection: PgConnection,
    /// Set if the connection is lost, so that the pool closes it.
    pub(crate) lost: bool,
}

pub(crate) struct FailedAttempt {
    pub(crate) at: Instant,
    pub(crate) why: Arc<SessionError>,
}

/// The pool hands out attempts to connect, including failed attempts. If `r2d2` knew of a failure,
/// it would repeat the attempt in the background and hand out nothing: a waiting call could not
/// learn that the server refuses connections.
impl ManageConnection for Manager {
    type Connection = Result<Session, FailedAttempt>;
    type Error = Infallible;

    fn connect(&self) -> Result<Self::Connection, Infallible> {
        let opened = self.open(Plans::Auto);
        Ok(opened
            .map(|connection| Session {
                connection,
                lost: false,
            })
            .map_err(|error| FailedAttempt {
                at: Instant::now(),
                why: Arc::new(error),
            }))
    }

    /// Does nothing: a test of the connection would cost each call a round trip.
    fn is_valid(&self, _: &mut Self::Connection) -> Result<(), Infallible> {
        Ok(())
    }

    fn has_broken(&self, attempt: &mut Self::Connection) -> bool {
        match attempt {
            // A panic may have left the connection in the middle of a transaction.
            Ok(session) => {
                session.lost || thread::panicking() || is_broken(&mut session.connection)
            }
            Err(_) => true,
        }
    }
}
