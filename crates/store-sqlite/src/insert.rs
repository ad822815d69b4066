//! Rows inserted many at once.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sqlite::{Sqlite, SqliteConnection};

/// A row as a statement takes it.
pub(crate) trait Row {
    /// Distinguishes the statements of one table from those of another.
    type Table: 'static;
    /// What is done.
    const VERB: &'static str = "INSERT INTO ";
    /// The table.
    const NAME: &'static str;
    /// The names of the columns.
    const COLUMNS: &'static [&'static str];
    /// A column of this store alone, before the others, with a comma.
    const OWN_COLUMN: &'static str = "";
    /// The clause after the rows.
    const CONFLICT: &'static str = "";

    /// Writes the values with commas between them.
    fn values<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()>;
}

/// Inserts the rows in their order. Returns how many of them did not exist yet.
///
/// The statements have fixed numbers of rows, so that each connection prepares them once.
pub(crate) fn insert<R: Row>(connection: &mut SqliteConnection, rows: &[R]) -> QueryResult<usize> {
    let mut inserted = 0;
    let rest = insert_by::<R, 32>(connection, rows, &mut inserted)?;
    let rest = insert_by::<R, 8>(connection, rest, &mut inserted)?;
    let rest = insert_by::<R, 3>(connection, rest, &mut inserted)?;
    insert_by::<R, 1>(connection, rest, &mut inserted)?;
    Ok(inserted)
}

/// Inserts as many rows as N divides; the rest.
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

/// The table and the number of rows determine the text.
impl<R: Row, const N: usize> QueryId for Insert<'_, R, N> {
    type QueryId = (R::Table, [(); N]);
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<R, const N: usize> RunQueryDsl<SqliteConnection> for Insert<'_, R, N> {}
