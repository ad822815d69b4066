//! Statements with the values of their parameters, and the connections that run them.

use std::borrow::Cow;
use std::ops::ControlFlow;

use diesel::backend::Backend;
use diesel::connection::LoadConnection;
use diesel::deserialize::FromSql;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::Error as DieselError;
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Binary, Bool, HasSqlType, Integer, SmallInt, Text, Untyped};
use diesel::{QueryResult, RunQueryDsl};

use super::columns::{Columns, RowColumns};
use super::from_row::FromRow;
use super::text::{Piece, Sql};
use super::value::{Arrays, BindArray, NoArray, Value};

/// Text of a statement with the values of the parameters.
#[derive(Debug, Clone)]
pub struct Statement<'s, A: Clone = NoArray> {
    text: Cow<'s, Sql>,
    values: Cow<'s, [(&'static str, Value<'s, A>)]>,
    /// Position of each parameter's value, looked for once: diesel walks over a statement several times.
    /// An error is the name of a parameter without a value.
    positions: Result<Vec<Position>, String>,
}

/// Position of a value in a statement, and of the column if the value is an array for each column.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    value: usize,
    column: usize,
}

impl<'s, A: Arrays + Clone> Statement<'s, A> {
    /// Creates a statement. `values` has a value for each parameter of `text`.
    pub fn new(text: &'s Sql, values: impl Into<Cow<'s, [(&'static str, Value<'s, A>)]>>) -> Self {
        let values = values.into();
        Self {
            positions: positions(text, &values),
            text: Cow::Borrowed(text),
            values,
        }
    }

    /// Returns the statement with copies of text and values.
    pub fn into_owned(self) -> Statement<'static, A> {
        let values = self.values.into_owned().into_iter();
        let owned = values.map(|(name, value)| (name, value.into_owned()));
        Statement {
            text: Cow::Owned(self.text.into_owned()),
            values: Cow::Owned(owned.collect()),
            positions: self.positions,
        }
    }
}

/// Returns where the value of each parameter of `text` is. Looks first beside the previous parameter's
/// value: values and columns usually have the order of the parameters.
fn positions<A: Arrays>(
    text: &Sql,
    values: &[(&'static str, Value<'_, A>)],
) -> Result<Vec<Position>, String> {
    let mut positions: Vec<Position> = Vec::with_capacity(text.pieces().len() / 2);
    for piece in text.pieces() {
        let Piece::Parameter(name) = piece else {
            continue;
        };
        // The next column of the same array, or the next value.
        let next =
            positions
                .last()
                .map_or(Position::default(), |last| match values.get(last.value) {
                    Some((_, Value::Array(_))) => Position {
                        column: last.column + 1,
                        ..*last
                    },
                    _ => Position {
                        value: last.value + 1,
                        column: 0,
                    },
                });
        let at = |value: usize| {
            let (known, given) = values.get(value)?;
            let near = if value == next.value { next.column } else { 0 };
            let column = column(known, given, name, near)?;
            Some(Position { value, column })
        };
        let mut candidates = (next.value..values.len()).chain(0..next.value);
        positions.push(candidates.find_map(at).ok_or_else(|| name.clone())?);
    }
    Ok(positions)
}

/// Returns the column of the parameter `name` in the value `given` with the name `known`; `None` if
/// the parameter does not belong to it. A value without columns is its column 0.
fn column<A: Arrays>(known: &str, given: &Value<'_, A>, name: &str, near: usize) -> Option<usize> {
    let rest = name.strip_prefix(known)?;
    let column = if rest.is_empty() {
        rest
    } else {
        rest.strip_prefix('_')?
    };
    match given {
        Value::Array(array) => array.position(column, near),
        _ => column.is_empty().then_some(0),
    }
}

impl<DB, A> QueryFragment<DB> for Statement<'_, A>
where
    DB: Backend
        + HasSqlType<Text>
        + HasSqlType<BigInt>
        + HasSqlType<Integer>
        + HasSqlType<SmallInt>
        + HasSqlType<Bool>
        + HasSqlType<Binary>,
    str: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
    i32: ToSql<Integer, DB>,
    i16: ToSql<SmallInt, DB>,
    bool: ToSql<Bool, DB>,
    [u8]: ToSql<Binary, DB>,
    A: BindArray<DB> + Clone,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let no_value = |name| query_error(format!("the parameter `{name}` has no value"));
        let mut positions = self.positions.as_ref().map_err(no_value)?.iter();
        for piece in self.text.pieces() {
            match piece {
                Piece::Sql(sql) => out.push_sql(sql),
                Piece::Parameter(name) => {
                    let position = positions.next().ok_or_else(|| no_value(name))?;
                    let value = self.values.get(position.value);
                    let (_, value) = value.ok_or_else(|| no_value(name))?;
                    value.bind(position.column, &mut out)?;
                }
            }
        }
        Ok(())
    }
}

/// Without a static id, so that a connection looks for the prepared statement by the text.
impl<A: Clone> QueryId for Statement<'_, A> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<A: Clone> Query for Statement<'_, A> {
    type SqlType = Untyped;
}

impl<A: Clone, C> RunQueryDsl<C> for Statement<'_, A> {}

/// Function to call with the columns of each row, until `Break` is returned.
pub type OnRow<'f> = dyn FnMut(&mut dyn Columns) -> QueryResult<ControlFlow<()>> + 'f;

/// Connection to any database. Implemented by all connections of diesel.
pub trait SqlConnection<A: Clone = NoArray> {
    /// Runs `statement` and returns the number of changed rows.
    ///
    /// # Errors
    /// Returns an error if the statement fails.
    fn run(&mut self, statement: Statement<'_, A>) -> QueryResult<usize>;

    /// Runs `statement` and calls `on_row` with each row.
    ///
    /// # Errors
    /// Returns an error if the statement or `on_row` fails.
    fn rows(&mut self, statement: Statement<'_, A>, on_row: &mut OnRow<'_>) -> QueryResult<()>;
}

impl<C, A: Clone> SqlConnection<A> for C
where
    C: LoadConnection,
    for<'s> Statement<'s, A>: QueryFragment<C::Backend>,
    String: FromSql<Text, C::Backend>,
    i64: FromSql<BigInt, C::Backend>,
    i32: FromSql<Integer, C::Backend>,
    i16: FromSql<SmallInt, C::Backend>,
    bool: FromSql<Bool, C::Backend>,
    Vec<u8>: FromSql<Binary, C::Backend>,
{
    fn run(&mut self, statement: Statement<'_, A>) -> QueryResult<usize> {
        statement.execute(self)
    }

    fn rows(&mut self, statement: Statement<'_, A>, on_row: &mut OnRow<'_>) -> QueryResult<()> {
        for row in LoadConnection::load(self, statement)? {
            let row = row?;
            if on_row(&mut RowColumns::<_, C::Backend>::new(&row))?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Runs the statement and returns the number of changed rows.
///
/// # Errors
/// Returns an error if the statement fails.
pub fn run<'s, A: Arrays + Clone>(
    connection: &mut dyn SqlConnection<A>,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s, A>)],
) -> QueryResult<usize> {
    connection.run(Statement::new(text, values))
}

/// Calls `on_row` with each row of the statement, until it returns `Break`. Prefer it to [`load`]
/// if the first rows may suffice.
///
/// # Errors
/// Returns an error if the statement fails, if a row does not fit `R`, or if `on_row` fails.
pub fn each_row<'s, R: FromRow, A: Arrays + Clone>(
    connection: &mut dyn SqlConnection<A>,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s, A>)],
    mut on_row: impl FnMut(R) -> QueryResult<ControlFlow<()>>,
) -> QueryResult<()> {
    let mut is_checked = !cfg!(debug_assertions);
    connection.rows(Statement::new(text, values), &mut |columns| {
        if !is_checked {
            check_names::<R>(text, &columns.names())?;
            is_checked = true;
        }
        on_row(R::read(columns)?)
    })
}

/// Returns the rows of the statement.
///
/// # Errors
/// Returns an error if the statement fails, or if a row does not fit `R`.
pub fn load<'s, R: FromRow, A: Arrays + Clone>(
    connection: &mut dyn SqlConnection<A>,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s, A>)],
) -> QueryResult<Vec<R>> {
    let mut rows = Vec::new();
    each_row(connection, text, values, |row| {
        rows.push(row);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}

/// Returns the first row of the statement; `None` without rows.
///
/// # Errors
/// Same errors as [`load`].
pub fn load_first<'s, R: FromRow, A: Arrays + Clone>(
    connection: &mut dyn SqlConnection<A>,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s, A>)],
) -> QueryResult<Option<R>> {
    let mut first = None;
    each_row(connection, text, values, |row| {
        first = Some(row);
        Ok(ControlFlow::Break(()))
    })?;
    Ok(first)
}

/// Compares the column names `returned` with the field names of `R`, for the statement `text`.
fn check_names<R: FromRow>(text: &Sql, returned: &[String]) -> QueryResult<()> {
    let mut expected = Vec::new();
    R::names("", &mut expected);
    let fits = |(name, expected): (&String, &&str)| expected.is_empty() || name == expected;
    if returned.is_empty() {
        return Ok(());
    }
    if returned.len() == expected.len() && returned.iter().zip(&expected).all(fits) {
        return Ok(());
    }
    Err(query_error(format!(
        "the columns {returned:?} are not {expected:?}, in: {}",
        text.as_str()
    )))
}

fn query_error(message: String) -> DieselError {
    DieselError::QueryBuilderError(message.into())
}
