//! How statements differ where the rows of stores are on several nodes.

use std::sync::LazyLock;

use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use pressline_store_kit::{Sql, StatementScope};

use super::function::{CHANGE_ORDERS, PLACE_ORDERS};
use crate::arrays::load;

/// Adds the orders of one store on its node.
static CREATE: LazyLock<Sql> = LazyLock::new(|| PLACE_ORDERS.call());
/// Changes the orders of one store on its node.
static CHANGE: LazyLock<Sql> = LazyLock::new(|| CHANGE_ORDERS.call());
/// Reads a page of matches on the node of the store.
static MATCHING: Sql = Sql::new(include_str!("sql/matching.sql"));
/// Reads the stores with due orders.
pub(crate) static DUE_STORES: Sql = Sql::new(include_str!("sql/due_stores.sql"));

/// Number of servers with rows of stores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// One server has all rows.
    #[default]
    One,
    /// The tables are distributed. All rows of a store are on the same node.
    Several,
}

impl Nodes {
    pub(crate) fn new(has_citus: bool) -> Self {
        match has_citus {
            true => Self::Several,
            false => Self::One,
        }
    }

    /// Returns the stores whose rows a statement or a transaction may use.
    pub(crate) fn scope(self) -> StatementScope {
        match self {
            Self::One => StatementScope::AnyStores,
            Self::Several => StatementScope::OneStore,
        }
    }

    /// Returns the statement that adds orders: `usual`, or another statement with the same parameters
    /// and rows, for the orders of one store.
    pub(crate) fn create(self, usual: &'static Sql) -> &'static Sql {
        self.choose(usual, || &CREATE)
    }

    /// Returns the statement that changes orders, as [`create`](Self::create) does.
    pub(crate) fn change(self, usual: &'static Sql) -> &'static Sql {
        self.choose(usual, || &CHANGE)
    }

    /// Returns the statement that reads a page of matches, as [`create`](Self::create) does.
    pub(crate) fn matching(self, usual: &'static Sql) -> &'static Sql {
        self.choose(usual, || &MATCHING)
    }

    fn choose(self, usual: &'static Sql, other: fn() -> &'static Sql) -> &'static Sql {
        match self {
            Self::One => usual,
            Self::Several => other(),
        }
    }

    /// Returns up to `count` stores with orders that are due at `now`, in milliseconds; `None` if one
    /// statement can take the due orders of any stores.
    pub(crate) fn due_stores(
        self,
        connection: &mut PgConnection,
        now: i64,
        count: i64,
    ) -> QueryResult<Option<Vec<String>>> {
        match self {
            Self::One => Ok(None),
            Self::Several => {
                let values = [("now", now.into()), ("count", count.into())];
                load(connection, &DUE_STORES, &values).map(Some)
            }
        }
    }

    /// Prepares the current transaction for changes in several stores. Citus then changes the nodes
    /// one after the other: after parallel changes, it would refuse to change a reference table.
    pub(crate) fn prepare_for_several_stores(
        self,
        connection: &mut PgConnection,
    ) -> QueryResult<()> {
        match self {
            Self::One => Ok(()),
            Self::Several => {
                connection.batch_execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
            }
        }
    }
}
