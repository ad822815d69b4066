//! Statements that differ between SQLite and PostgreSQL.

use crate::sql::Sql;

/// Database for which SQL is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// PostgreSQL, also with the tables on several nodes.
    Postgres,
    /// SQLite.
    Sqlite,
}

/// Statement with a text for each database. Prefer one text; use two if SQL differs, for example for lists: both
/// databases read lists from JSON arrays, with different functions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texts {
    pub(crate) postgres: &'static str,
    pub(crate) sqlite: &'static str,
}

/// Text of a statement for any database.
pub(crate) trait Text {
    /// Returns the text for `database`.
    fn of(self, database: Database) -> Sql;
}

impl Text for Texts {
    fn of(self, database: Database) -> Sql {
        match database {
            Database::Postgres => Sql::new(self.postgres),
            Database::Sqlite => Sql::new(self.sqlite),
        }
    }
}

/// A text that both databases understand. It may end with a clause that locks the selected rows:
/// SQLite has one writer at a time, and therefore neither needs nor knows the clause.
impl Text for &'static str {
    fn of(self, database: Database) -> Sql {
        Sql::new(match database {
            Database::Postgres => self,
            Database::Sqlite => without_lock(self),
        })
    }
}

fn without_lock(text: &'static str) -> &'static str {
    let without = |lock| text.strip_suffix(lock);
    without("FOR UPDATE")
        .or_else(|| without("FOR SHARE"))
        .unwrap_or(text)
}

/// Statements that differ between SQLite and PostgreSQL, and that only the adapter knows.
#[derive(Debug)]
pub struct Dialect {
    /// Database.
    pub database: Database,
    /// Statement that inserts the rows that only this database needs for the store `:store_id`.
    pub begin_store: &'static str,
    /// Statement that returns one row: version of the database software, size of the database in
    /// bytes, and time in Unix milliseconds, NULL if the database uses this machine's clock.
    pub facts: &'static str,
    /// Statement that returns one row: a text that differs between this database and its copies by a
    /// restore or by the promotion of a replica; NULL if it is not known.
    pub identity: &'static str,
    /// Statement that returns the time in Unix milliseconds; `None` if the database uses this
    /// machine's clock.
    pub clock: Option<&'static str>,
}
