//! The embedded default store: SQLite through diesel.
//!
//! [`SqliteStore`] implements the ports [`OrderRepository`], [`StoreDirectory`] and [`Catalog`] over one file. A port
//! call is one hop to a thread that may block, and one transaction. Other processes may use the file at the same time.
//!
//! [`OrderRepository`]: pressline_domain::ports::OrderRepository
//! [`StoreDirectory`]: pressline_domain::ports::StoreDirectory
//! [`Catalog`]: pressline_domain::ports::Catalog

mod catalog;
mod config;
mod connection;
mod error;
mod migrations;
mod orders;
mod pool;
mod select;
mod stores;
mod words;
mod write;

#[cfg(test)]
mod batches;
#[cfg(test)]
mod plans;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pressline_domain::ports::RepositoryError;
use pressline_store_rows::{KnownSkus, StatementCounter};

pub use config::{OpenError, SqliteConfig};

use connection::Opener;
use pool::Pool;

/// Orders, stores and products in a SQLite file. A clone shares the connections.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Arc<Pool>,
    readers: Arc<Pool>,
    opener: Arc<Opener>,
    statements: StatementCounter,
    skus: Arc<KnownSkus>,
    /// The migrations that opening the file applied and nobody asked about yet.
    applied: Arc<Mutex<Vec<String>>>,
}

impl SqliteStore {
    /// A store in the file at `path`. The file and its folders are made where they do not exist, and the migrations
    /// that it lacks are applied, by one process at a time. Blocks for as long as that takes.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path, config: &SqliteConfig) -> Result<Self, OpenError> {
        if config.readers == 0 {
            return Err(OpenError::NoReaders);
        }
        let statements = StatementCounter::default();
        let opener = Arc::new(Opener::new(path, config, statements.clone())?);
        let applied = migrations::migrate(&opener).map_err(OpenError::Database)?;
        let pool = |size, is_writer| Arc::new(Pool::new(&opener, config, size, is_writer));
        Ok(Self {
            writer: pool(1, true),
            readers: pool(config.readers, false),
            statements,
            skus: Arc::default(),
            applied: Arc::new(Mutex::new(applied)),
            opener,
        })
    }

    /// Applies the migrations that the file lacks, and answers the names of those that this or the opening applied and
    /// that were not answered yet.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        let now = pool::blocking(move || migrations::migrate(&opener)).await?;
        let mut applied = std::mem::take(&mut *self.applied.lock().unwrap_or_else(PoisonError::into_inner));
        applied.extend(now);
        Ok(applied)
    }

    /// The names of the migrations that the file lacks. A file that has more than this program knows lacks none.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
        self.readers.call(migrations::pending).await
    }

    /// How many statements have been run so far, `BEGIN` and `COMMIT` included; for tests that pin the number.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.statements.total()
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.opener.path()).finish_non_exhaustive()
    }
}
