//! The connection on which the statements of a call run.

use std::sync::Arc;

use diesel::QueryResult;
use diesel::connection::InstrumentationEvent;

use crate::dialect::{Dialect, Text};
use crate::failure::Failure;
use crate::sql::{self, FromRow, SqlConnection, Value};

/// Function to call with the events of a connection, or `None`.
pub type OnStatement = Option<Arc<dyn Fn(&InstrumentationEvent<'_>) + Send + Sync>>;

/// Stores whose rows a statement may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StatementScope {
    /// Any stores: one server has all rows.
    #[default]
    AnyStores,
    /// A single store, named by a parameter: other stores may be on other servers.
    OneStore,
}

/// Connection for the work of one call.
pub struct Db<'c> {
    pub(crate) connection: &'c mut dyn SqlConnection,
    pub(crate) dialect: &'static Dialect,
    /// `true` if an earlier attempt of the call failed, but its commit may have succeeded.
    pub in_doubt: bool,
    /// Stores whose rows each statement may use.
    pub scope: StatementScope,
}

impl<'c> Db<'c> {
    /// Wraps `connection` for the first attempt of a call, with statements about any stores.
    pub fn new(connection: &'c mut dyn SqlConnection, dialect: &'static Dialect) -> Self {
        Self {
            connection,
            dialect,
            in_doubt: false,
            scope: StatementScope::AnyStores,
        }
    }

    /// Returns the number of changed rows.
    pub(crate) fn execute(
        &mut self,
        text: impl Text,
        values: &[(&'static str, Value<'_>)],
    ) -> QueryResult<usize> {
        sql::run(self.connection, &text.of(self.dialect.database), values)
    }

    pub(crate) fn run(
        &mut self,
        text: impl Text,
        values: &[(&'static str, Value<'_>)],
    ) -> Result<(), Failure> {
        self.execute(text, values)?;
        Ok(())
    }

    pub(crate) fn load<R: FromRow>(
        &mut self,
        text: impl Text,
        values: &[(&'static str, Value<'_>)],
    ) -> QueryResult<Vec<R>> {
        sql::load(self.connection, &text.of(self.dialect.database), values)
    }

    pub(crate) fn first<R: FromRow>(
        &mut self,
        text: impl Text,
        values: &[(&'static str, Value<'_>)],
    ) -> QueryResult<Option<R>> {
        sql::load_first(self.connection, &text.of(self.dialect.database), values)
    }
}
