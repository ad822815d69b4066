//! The ports whose statements are the same in both databases, over any backend.
//!
//! Neither the statements nor the rows depend on the type of the connection, so that they are
//! compiled once.

use std::sync::{Arc, mpsc};

use async_trait::async_trait;
use diesel::QueryResult;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;

use crate::cold::RowLocks;
use crate::cold_value::Value;
use crate::connection::{self, ColdConnection};
use crate::from_row::FromRow;

/// What ends the work on a connection early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// An error of the database.
    #[error(transparent)]
    Database(#[from] diesel::result::Error),
    /// An error that the adapter found.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// The parts of statements in which the databases differ.
#[derive(Debug)]
pub struct Dialect {
    /// Clauses that lock the rows that are read.
    pub locks: RowLocks,
    /// The table that counts the events of stores.
    pub counters: &'static str,
    /// Adds the rows that a store needs in this database alone, with the parameter `:store_id`.
    pub begin_store: &'static str,
    /// A condition that a column is in a parameter's JSON list of texts; `{}` stands for the parameter.
    pub in_texts: &'static str,
    /// The same for numbers.
    pub in_numbers: &'static str,
    /// Rows named `given`, of the JSON list of objects in the parameter `:rows`, with columns of these
    /// names and types.
    pub rows: fn(&[(&str, &str)]) -> String,
}

impl Dialect {
    /// Returns the condition that a column is in the JSON list of texts of a parameter.
    pub(crate) fn in_texts(&self, parameter: &str) -> String {
        self.in_texts.replace("{}", parameter)
    }

    /// Returns the condition that a column is in the JSON list of numbers of a parameter.
    pub(crate) fn in_numbers(&self, parameter: &str) -> String {
        self.in_numbers.replace("{}", parameter)
    }
}

/// How work uses the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It only reads.
    Read,
    /// It reads, in the turn of this store.
    Search(StoreId),
    /// It changes rows by single statements.
    Change,
    /// It is one transaction.
    Transaction,
    /// It is one transaction, which changes rows of several stores.
    AcrossStores,
    /// It is one transaction, which may take longer than a call.
    Unlimited,
}

/// Work on a connection. The second argument is true if an earlier attempt may have been committed
/// although it failed.
pub type Work = Box<dyn FnMut(&mut dyn ColdConnection, bool) -> Result<(), Failure> + Send>;

/// A database that does the work of [`ColdStore`].
#[async_trait]
pub trait Backend: Send + Sync {
    /// Returns where the statements differ from those of other databases.
    fn dialect(&self) -> &'static Dialect;

    /// Does work on a connection. It may be done several times, each after a failed attempt.
    ///
    /// # Errors
    /// The error of the last attempt, or if there is no connection.
    async fn run(&self, access: Access, work: Work) -> Result<(), RepositoryError>;
}

/// Implements the ports whose statements both databases share.
#[derive(Clone)]
pub struct ColdStore(Arc<dyn Backend>);

impl ColdStore {
    /// Creates the ports of a database.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self(backend)
    }

    pub(crate) async fn call<T: Send + 'static>(
        &self,
        access: Access,
        mut work: impl FnMut(&mut Db<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let dialect = self.0.dialect();
        let (sender, results) = mpsc::channel();
        let run: Work = Box::new(move |connection, in_doubt| {
            let mut db = Db {
                connection,
                dialect,
                in_doubt,
            };
            let result = work(&mut db)?;
            // Nobody waits for it if the call was given up.
            let _ = sender.send(result);
            Ok(())
        });
        self.0.run(access, run).await?;
        // The commits of earlier attempts have failed.
        let last = results.try_iter().last();
        last.ok_or_else(|| RepositoryError::Refused("the work was not done".into()))
    }
}

impl std::fmt::Debug for ColdStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ColdStore").finish_non_exhaustive()
    }
}

/// A connection for the work of one call.
pub struct Db<'c> {
    connection: &'c mut dyn ColdConnection,
    pub(crate) dialect: &'static Dialect,
    /// Whether an earlier attempt may have been committed although it failed.
    pub(crate) in_doubt: bool,
}

impl<'c> Db<'c> {
    /// Uses a connection within a transaction of the caller.
    pub fn new(connection: &'c mut dyn ColdConnection, dialect: &'static Dialect) -> Self {
        Self {
            connection,
            dialect,
            in_doubt: false,
        }
    }

    /// Runs a statement, and returns the number of rows that it changed.
    pub(crate) fn execute(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<usize> {
        connection::execute(self.connection, text, values)
    }

    /// Returns the rows of a statement.
    pub(crate) fn load<R: FromRow>(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<Vec<R>> {
        connection::load(self.connection, text, values)
    }
}

impl std::fmt::Debug for Db<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Db").finish_non_exhaustive()
    }
}
