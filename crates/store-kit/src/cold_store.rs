//! Implementations of the ports with the same statements in both databases, for any [`Backend`].
//!
//! Neither the statements nor the rows depend on the connection's type, so they are compiled only
//! once.

use std::sync::{Arc, mpsc};

use async_trait::async_trait;
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::StoreId;

use crate::catalog::{ImportPlan, PriceRow, VariantRow};
use crate::failure::Failure;
use crate::sql::{FromRow, Values, owned};

pub use crate::connection::Db;

/// Kind of database access that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Statements that only read.
    Read,
    /// Search on behalf of the given store. Waiting searches are served round-robin by store.
    Search(StoreId),
    /// Search on behalf of an operator. All operators together get as many turns as one store.
    OperatorSearch,
    /// Statements that change rows. Each statement is committed by itself.
    Change,
    /// Several statements in a transaction.
    Transaction,
    /// A transaction that changes rows of several stores.
    AcrossStores,
    /// A transaction without the time limit of calls.
    Unlimited,
    /// A transaction that changes the catalog, without the time limit of calls. Order writes do
    /// not wait while this transaction waits for locks.
    Catalog,
}

/// Key of operators' searches, in place of a store id.
pub const OPERATORS: &str = "operators";

/// Function that does the work of a call on a connection. It is called once per attempt.
pub type Work = Box<dyn FnMut(&mut Db<'_>) -> Result<(), Failure> + Send>;

/// Database that imports rows of type `R` into the catalog.
#[async_trait]
pub trait ImportRows<R> {
    /// Imports the rows of `plan`. The import ends if the returned future is dropped.
    ///
    /// # Errors
    /// Same errors as [`ImportRow::compare`](crate::ImportRow::compare) and
    /// [`Changes::write`](crate::Changes::write).
    async fn import(&self, plan: ImportPlan<R>, options: ImportOptions) -> Result<ImportSummary>;
}

/// Database on which [`ColdStore`] runs its statements.
#[async_trait]
pub trait Backend: ImportRows<VariantRow> + ImportRows<PriceRow> + Send + Sync {
    /// Runs `work` on a connection. After a failed attempt, `work` may be called again.
    ///
    /// # Errors
    /// Returns the error of the last attempt; also an error if no connection is available.
    async fn run(&self, access: Access, work: Work) -> Result<()>;
}

/// Implementation of repository traits with statements shared by PostgreSQL and SQLite.
#[derive(Clone)]
pub struct ColdStore(pub(crate) Arc<dyn Backend>);

impl ColdStore {
    /// Creates a store that runs the shared statements on `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self(backend)
    }

    pub(crate) async fn call<T: Send + 'static>(
        &self,
        access: Access,
        mut work: impl FnMut(&mut Db<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T> {
        // `Work` has no result type, so that it is compiled only once. Results come back by a
        // channel.
        let (sender, results) = mpsc::channel();
        let run: Work = Box::new(move |db| {
            let result = work(db)?;
            // The receiver is gone if the call was dropped.
            let _ = sender.send(result);
            Ok(())
        });
        self.0.run(access, run).await?;
        // An attempt sends its result before it commits. Only the last attempt was committed.
        let last = results.try_iter().last();
        last.ok_or_else(|| RepositoryError::Refused("the work was not done".into()))
    }

    /// Runs the statement `text` outside a transaction. Returns the number of changed rows.
    pub(crate) async fn execute(&self, text: &'static str, values: Values<'_>) -> Result<usize> {
        let values = owned(values);
        self.call(Access::Change, move |db| Ok(db.execute(text, &values)?))
            .await
    }

    pub(crate) async fn load<R: FromRow + Send + 'static>(
        &self,
        text: &'static str,
        values: Values<'_>,
    ) -> Result<Vec<R>> {
        let values = owned(values);
        self.call(Access::Read, move |db| Ok(db.load(text, &values)?))
            .await
    }
}
