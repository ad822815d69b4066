//! Implementations of the ports with the same statements in both databases, for any [`Backend`].
//!
//! Neither the statements nor the rows depend on the connection's type, so they are compiled only
//! once.

use std::sync::{Arc, mpsc};

use async_trait::async_trait;
use diesel::QueryResult;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::id::StoreId;

use crate::cold::RowLocks;
use crate::cold_value::Value;
use crate::connection::{self, ColdConnection};
use crate::from_row::FromRow;

/// Error that ends the work on a connection early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error of diesel or the database.
    #[error(transparent)]
    Database(#[from] diesel::result::Error),
    /// Error of the adapter or the domain.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// Parts of statements that differ between the databases.
#[derive(Debug)]
pub struct Dialect {
    /// Locking clauses for selected rows.
    pub locks: RowLocks,
    /// Name of the table with the stores' event counters.
    pub counters: &'static str,
    /// Statement that inserts the rows a store needs only in this database. Its parameter is
    /// `:store_id`.
    pub begin_store: &'static str,
    /// Condition for a text column: contained in a JSON array of strings. `{}` stands for the
    /// parameter.
    pub in_texts: &'static str,
    /// Same condition as `in_texts`, for a column of integers and a JSON array of
    /// numbers.
    pub in_numbers: &'static str,
    /// Returns a table expression named `given`: the rows of the JSON array of objects in the
    /// parameter `:rows`. The argument lists the names and SQL types of the columns.
    pub rows: fn(&[(&str, &str)]) -> String,
}

impl Dialect {
    /// Returns the condition with `parameter` as the array of strings.
    pub(crate) fn in_texts(&self, parameter: &str) -> String {
        self.in_texts.replace("{}", parameter)
    }

    /// Returns the condition with `parameter` as the array of numbers.
    pub(crate) fn in_numbers(&self, parameter: &str) -> String {
        self.in_numbers.replace("{}", parameter)
    }
}

/// Access that work needs to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Read,
    /// Searches. Waiting searches are served round-robin by this store.
    Search(StoreId),
    /// Changes rows with single statements.
    Change,
    /// Runs in one transaction.
    Transaction,
    /// Runs in one transaction that changes rows of several stores.
    AcrossStores,
    /// Runs in one transaction without the time limit of calls.
    Unlimited,
}

/// Work on a connection. The second argument is `true` if an earlier attempt failed but its commit
/// may have succeeded.
pub type Work = Box<dyn FnMut(&mut dyn ColdConnection, bool) -> Result<(), Failure> + Send>;

/// Connects [`ColdStore`] to a database.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Returns the parts of statements that are specific to this database.
    fn dialect(&self) -> &'static Dialect;

    /// Runs `work` on a connection. After a failed attempt, `work` may be called again.
    ///
    /// # Errors
    /// Returns the error of the last attempt; also an error if no connection is available.
    async fn run(&self, access: Access, work: Work) -> Result<(), RepositoryError>;
}

/// Implements the ports with statements that both databases share.
#[derive(Clone)]
pub struct ColdStore(Arc<dyn Backend>);

impl ColdStore {
    /// Creates the ports on top of `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self(backend)
    }

    pub(crate) async fn call<T: Send + 'static>(
        &self,
        access: Access,
        mut work: impl FnMut(&mut Db<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let dialect = self.0.dialect();
        // `Work` has no result type, so that it is compiled only once. Results come back by a
        // channel.
        let (sender, results) = mpsc::channel();
        let run: Work = Box::new(move |connection, in_doubt| {
            let mut db = Db {
                connection,
                dialect,
                in_doubt,
            };
            let result = work(&mut db)?;
            // The receiver is gone if the call was dropped.
            let _ = sender.send(result);
            Ok(())
        });
        self.0.run(access, run).await?;
        // Each attempt sends a result. Only the last attempt's transaction was committed.
        let last = results.try_iter().last();
        last.ok_or_else(|| RepositoryError::Refused("the work was not done".into()))
    }
}

impl std::fmt::Debug for ColdStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ColdStore").finish_non_exhaustive()
    }
}

/// Connection for the work of one call.
pub struct Db<'c> {
    connection: &'c mut dyn ColdConnection,
    pub(crate) dialect: &'static Dialect,
    /// Whether an earlier attempt failed but its commit may have succeeded.
    pub(crate) in_doubt: bool,
}

impl<'c> Db<'c> {
    /// Wraps `connection`, which the caller has put into a transaction.
    pub fn new(connection: &'c mut dyn ColdConnection, dialect: &'static Dialect) -> Self {
        Self {
            connection,
            dialect,
            in_doubt: false,
        }
    }

    /// Runs the statement `text` and returns the number of changed rows.
    pub(crate) fn execute(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<usize> {
        connection::execute(self.connection, text, values)
    }

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
