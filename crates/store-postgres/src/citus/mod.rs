//! Citus: PostgreSQL with the rows of stores distributed over several nodes.
//!
//! All rows of a store are on one node. [`distribute`] divides the tables, and the functions in
//! `sql/` write a store's orders on its node: the coordinator forwards a call, and the node commits.
//! The statements in `../order/sql/` are for tables on one node, and know nothing of Citus. A
//! connection finds out the [`Nodes`], which know how statements differ.

mod function;
mod functions;
pub(crate) mod nodes;
pub(crate) mod plans;
mod schema;
pub(crate) mod tables;

pub(crate) use functions::ensure;
pub(crate) use nodes::Nodes;
pub(crate) use schema::{distribute, follow_migrations};
pub use tables::NodeTables;

/// Whether the extension `citus` distributes the rows of stores over several nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CitusUse {
    /// Distributed if the extension is installed in the database.
    #[default]
    Auto,
    /// Not distributed, even if the extension is installed.
    Never,
    /// Distributed, without looking for the extension.
    Always,
}

impl CitusUse {
    /// Returns `None` if only the database knows.
    pub(crate) fn known(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Never => Some(false),
            Self::Always => Some(true),
        }
    }
}
