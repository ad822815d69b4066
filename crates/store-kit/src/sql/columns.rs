//! The columns of a row that a database returns.

use std::marker::PhantomData;

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::deserialize::FromSql;
use diesel::result::Error as DieselError;
use diesel::row::{Field as _, Row};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, SmallInt, Text};

/// Columns of a row, read from left to right. Each method reads the next column. `None` is NULL.
///
/// # Errors
/// All methods return an error if there is no further column, or if the column has another type.
pub trait Columns {
    /// Reads a text.
    fn text(&mut self) -> QueryResult<Option<String>>;
    /// Reads a 64-bit integer.
    fn big_int(&mut self) -> QueryResult<Option<i64>>;
    /// Reads a 32-bit integer.
    fn integer(&mut self) -> QueryResult<Option<i32>>;
    /// Reads a 16-bit integer.
    fn small_int(&mut self) -> QueryResult<Option<i16>>;
    /// Reads a boolean; in SQLite, the integer 0 or 1.
    fn boolean(&mut self) -> QueryResult<Option<bool>>;
    /// Reads bytes. In PostgreSQL, reads a value of any type in binary form.
    fn binary(&mut self) -> QueryResult<Option<Vec<u8>>>;
    /// Returns `true` and skips the next `count` columns if all of them are NULL.
    fn skip_nulls(&mut self, count: usize) -> bool;
    /// Returns the names of all columns; empty if unknown.
    fn names(&self) -> Vec<String>;
}

/// Columns of a diesel row.
pub(super) struct RowColumns<'r, R, DB> {
    row: &'r R,
    next: usize,
    database: PhantomData<DB>,
}

impl<'r, R, DB> RowColumns<'r, R, DB> {
    pub(super) fn new(row: &'r R) -> Self {
        Self {
            row,
            next: 0,
            database: PhantomData,
        }
    }
}

impl<'r, R: Row<'r, DB>, DB: Backend> RowColumns<'_, R, DB> {
    fn next<T, ST>(&mut self) -> QueryResult<Option<T>>
    where
        T: FromSql<ST, DB>,
    {
        let field = self.row.get(self.next).ok_or_else(missing)?;
        self.next += 1;
        let value = field.value().map(T::from_sql).transpose();
        value.map_err(DieselError::DeserializationError)
    }
}

fn missing() -> DieselError {
    DieselError::DeserializationError("the statement returns too few columns".into())
}

impl<'r, R: Row<'r, DB>, DB: Backend> Columns for RowColumns<'_, R, DB>
where
    String: FromSql<Text, DB>,
    i64: FromSql<BigInt, DB>,
    i32: FromSql<Integer, DB>,
    i16: FromSql<SmallInt, DB>,
    bool: FromSql<Bool, DB>,
    Vec<u8>: FromSql<Binary, DB>,
{
    fn text(&mut self) -> QueryResult<Option<String>> {
        self.next::<_, Text>()
    }

    fn big_int(&mut self) -> QueryResult<Option<i64>> {
        self.next::<_, BigInt>()
    }

    fn integer(&mut self) -> QueryResult<Option<i32>> {
        self.next::<_, Integer>()
    }

    fn small_int(&mut self) -> QueryResult<Option<i16>> {
        self.next::<_, SmallInt>()
    }

    fn boolean(&mut self) -> QueryResult<Option<bool>> {
        self.next::<_, Bool>()
    }

    fn binary(&mut self) -> QueryResult<Option<Vec<u8>>> {
        self.next::<_, Binary>()
    }

    fn skip_nulls(&mut self, count: usize) -> bool {
        let after = self.next + count;
        let is_null = |at| self.row.get(at).is_some_and(|field| field.is_null());
        let all_null = (self.next..after).all(is_null);
        if all_null {
            self.next = after;
        }
        all_null
    }

    fn names(&self) -> Vec<String> {
        let fields = (0..self.row.field_count()).filter_map(|at| self.row.get(at));
        let name = fields.map(|field| field.field_name().unwrap_or_default().to_owned());
        name.collect()
    }
}
