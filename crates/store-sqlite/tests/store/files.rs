//! Database files of the tests, and connections that stand for other processes.

use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use pressline_domain::store::StoreDirectory;
use pressline_store_sqlite::test_support::{self, StatementCounter};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

use crate::fixtures;

/// A database file that does not exist yet, in a folder of its own.
pub(crate) struct File {
    path: PathBuf,
    folder: TempDir,
}

impl File {
    pub(crate) fn new() -> Self {
        Self::named("orders.db")
    }

    /// Same as [`Self::new`], with the path `name` within the folder.
    pub(crate) fn named(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            path: folder.path().join(name),
            folder,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn open(&self) -> SqliteStore {
        self.open_with(&SqliteConfig::default())
    }

    pub(crate) fn open_with(&self, config: &SqliteConfig) -> SqliteStore {
        SqliteStore::open(&self.path, config).unwrap()
    }

    /// Opens a store, and returns the counter of its statements.
    pub(crate) fn counted(&self, config: &SqliteConfig) -> (SqliteStore, StatementCounter) {
        test_support::counted(&self.path, config).unwrap()
    }

    /// Opens a second connection, which stands for another process.
    pub(crate) fn other(&self) -> SqliteConnection {
        SqliteConnection::establish(self.path.to_str().unwrap()).unwrap()
    }

    /// Runs `statements` as another process.
    pub(crate) fn execute(&self, statements: &str) {
        self.other().batch_execute(statements).unwrap();
    }

    /// Locks the database for writing, as another process would.
    pub(crate) fn lock(&self) -> SqliteConnection {
        let mut blocker = self.other();
        blocker.batch_execute("BEGIN IMMEDIATE").unwrap();
        blocker
    }
}

/// Ends the transaction of [`File::lock`].
pub(crate) fn unlock(blocker: &mut SqliteConnection) {
    blocker.batch_execute("COMMIT").unwrap();
}

/// Opens a store with `config`, and adds the first shop.
pub(crate) async fn prepared(config: &SqliteConfig) -> (File, SqliteStore) {
    let (file, store, _) = counted(config).await;
    (file, store)
}

/// Same as [`prepared`], with the counter of the statements.
pub(crate) async fn counted(config: &SqliteConfig) -> (File, SqliteStore, StatementCounter) {
    let file = File::new();
    let (store, counter) = file.counted(config);
    store.cold().add(&fixtures::store(1)).await.unwrap();
    (file, store, counter)
}
