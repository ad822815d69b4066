//! Inserts many rows with few prepared statements.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sqlite::{Sqlite, SqliteConnection};

pub(crate) trait Row {
    /// Type that identifies the table and the kind of statement in the query id.
    type Table: 'static;
    const VERB: &'static str = "INSERT INTO ";
    const NAME: &'static str;
    const COLUMNS: &'static [&'static str];
    /// Names of columns that only SQLite has, each followed by a comma. They precede `COLUMNS`.
    const OWN_COLUMN: &'static str = "";
    /// Conflict clause after the rows, for example ` ON CONFLICT (…) DO NOTHING`.
    const CONFLICT: &'static str = "";

    /// Binds the values of the row, with commas between them.
    fn values<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()>;
}

/// Returns the number of written rows, without rows that the conflict clause skips. Each statement
/// has 32, 8, 3 or 1 rows, so that a connection prepares at most four statements for a type `R`.
pub(crate) fn insert<R: Row>(connection: &mut SqliteConnection, rows: &[R]) -> QueryResult<usize> {
    let mut inserted = 0;
    let rest = insert_by::<R, 32>(connection, rows, &mut inserted)?;
    let rest = insert_by::<R, 8>(connection, rest, &mut inserted)?;
    let rest = insert_by::<R, 3>(connection, rest, &mut inserted)?;
    insert_by::<R, 1>(connection, rest, &mut inserted)?;
    Ok(inserted)
}

/// Adds the number of written rows to `inserted`. Returns the remaining rows.
fn insert_by<'a, R: Row, const N: usize>(
    connection: &mut SqliteConnection,
    rows: &'a [R],
    inserted: &mut usize,
) -> QueryResult<&'a [R]> {
    let (chunks, rest) = rows.as_chunks::<N>();
    for chunk in chunks {
        *inserted += Insert(chunk).execute(connection)?;
    }
    Ok(rest)
}

struct Insert<'a, R, const N: usize>(&'a [R; N]);

impl<R: Row, const N: usize> QueryFragment<Sqlite> for Insert<'_, R, N> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(R::VERB);
        out.push_sql(R::NAME);
        out.push_sql(" (");
        out.push_sql(R::OWN_COLUMN);
        let mut comma = "";
        for column in R::COLUMNS {
            out.push_sql(comma);
            out.push_sql(column);
            comma = ", ";
        }
        let mut before = ") VALUES (";
        for row in self.0 {
            out.push_sql(before);
            row.values(out.reborrow())?;
            before = "), (";
        }
        out.push_sql(")");
        out.push_sql(R::CONFLICT);
        Ok(())
    }
}

/// Has a static id, because `R::Table` and `N` determine the text of the statement.
impl<R: Row, const N: usize> QueryId for Insert<'_, R, N> {
    type QueryId = (R::Table, [(); N]);
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<R, const N: usize> RunQueryDsl<SqliteConnection> for Insert<'_, R, N> {}
