//! Opens connections to the database file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diesel::connection::{Connection, InstrumentationEvent, SimpleConnection, TransactionManager};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::OnStatement;

use crate::error::repository;
use crate::watch::FileWatch;
use crate::{OpenError, SqliteConfig};

/// Number of pages that the write-ahead log must have before a commit copies it to the database
/// file. 4,000 pages are 16 MB.
pub(crate) const LOG_LIMIT: i32 = 4000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Write,
    Read,
    Checkpoint,
}

pub(crate) struct Opener {
    path: PathBuf,
    name: String,
    busy_timeout: Duration,
    on_statement: OnStatement,
    watch: FileWatch,
    tariff: Tariff,
}

impl Opener {
    pub(crate) fn new(
        path: &Path,
        config: &SqliteConfig,
        on_statement: OnStatement,
    ) -> Result<Self, OpenError> {
        let text = path
            .to_str()
            .filter(|text| !text.is_empty() && !text.contains('\0'))
            .ok_or_else(|| OpenError::Path(path.to_owned()))?;
        // SQLite might read a relative path as a URI or as a special name, for example `:memory:`.
        let name = if path.is_absolute() {
            text.to_owned()
        } else {
            format!("./{text}")
        };
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(|source| OpenError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        }
        let watch = FileWatch::new(path);
        Ok(Self {
            path: path.to_owned(),
            name,
            busy_timeout: config.busy_timeout,
            on_statement,
            watch,
            tariff: config.tariff.clone(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn tariff(&self) -> &Tariff {
        &self.tariff
    }

    pub(crate) fn watch(&self) -> &FileWatch {
        &self.watch
    }

    pub(crate) fn open(&self, purpose: Purpose) -> Result<SqliteConnection, RepositoryError> {
        self.open_waiting(purpose, self.busy_timeout)
    }

    /// Waits for other writers up to `wait`. Fails if a database file was deleted or replaced.
    pub(crate) fn open_waiting(
        &self,
        purpose: Purpose,
        wait: Duration,
    ) -> Result<SqliteConnection, RepositoryError> {
        self.watch.look()?;
        let mut connection = SqliteConnection::establish(&self.name)
            .map_err(|error| RepositoryError::Unavailable(error.into()))?;
        self.set_up(&mut connection, purpose, wait)
            .map_err(|error| repository(error.into()))?;
        // The statements of a checkpoint belong to no call.
        let on_statement = self.on_statement.clone();
        if let Some(on) = on_statement.filter(|_| purpose != Purpose::Checkpoint) {
            connection.set_instrumentation(move |event: InstrumentationEvent<'_>| on(&event));
        }
        self.watch.opened();
        Ok(connection)
    }

    fn set_up(
        &self,
        connection: &mut SqliteConnection,
        purpose: Purpose,
        wait: Duration,
    ) -> QueryResult<()> {
        let millis = wait.as_millis();
        connection.batch_execute(&format!("PRAGMA busy_timeout = {millis}"))?;
        self.use_write_ahead_log(connection)?;
        // FULL, because an order must be on the disk before its response is sent.
        connection.batch_execute("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")?;
        match purpose {
            Purpose::Write => connection.batch_execute(&format!(
                // Keeps the undo data of a statement of many rows in memory, which SQLite would
                // write to a temporary file.
                "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; \
                 PRAGMA wal_autocheckpoint = {}",
                LOG_LIMIT
            )),
            Purpose::Read => connection.batch_execute("PRAGMA query_only = ON"),
            Purpose::Checkpoint => Ok(()),
        }
    }

    /// Tries for `busy_timeout`: SQLite does not wait if two processes turn on a new file's log.
    fn use_write_ahead_log(&self, connection: &mut SqliteConnection) -> QueryResult<()> {
        let started = Instant::now();
        loop {
            let mode = sql::<Text>("PRAGMA journal_mode = WAL").get_result::<String>(connection);
            match mode {
                // SQLite keeps another mode without an error, for example on a file system whose
                // files cannot be shared in memory.
                Ok(mode) if mode != "wal" => return Err(no_log(&mode)),
                Err(diesel::result::Error::DatabaseError(_, information))
                    if information.message().contains("locked")
                        && started.elapsed() < self.busy_timeout =>
                {
                    std::thread::sleep(Duration::from_millis(5));
                }
                result => return result.map(drop),
            }
        }
    }
}

fn no_log(mode: &str) -> diesel::result::Error {
    let message = format!(
        "SQLite cannot keep a write-ahead log here, and its journal mode stays {mode}: the file system cannot share \
         memory between processes; use a local disk"
    );
    let kind = diesel::result::DatabaseErrorKind::Unknown;
    diesel::result::Error::DatabaseError(kind, Box::new(message))
}

/// Returns whether a transaction was left open, so that the connection must be closed.
pub(crate) fn is_broken(connection: &mut SqliteConnection) -> bool {
    <SqliteConnection as Connection>::TransactionManager::is_broken_transaction_manager(connection)
}
