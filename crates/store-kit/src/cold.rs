//! Statements that run rarely, written once for both databases.
//!
//! They use only SQL that SQLite and PostgreSQL have in common. Parameters and columns are named in
//! the same way as in `.sql` files, see `sql.rs`.

use std::marker::PhantomData;

use diesel::backend::Backend;
use diesel::connection::LoadConnection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::methods::LoadQuery;
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Binary, Bool, HasSqlType, Integer, Nullable, Text};
use diesel::{QueryResult, RunQueryDsl};

use crate::cold_value::Value;
use crate::sql::{Parameters, SqlText, unknown_parameter};

/// Clauses appended to a `SELECT` to lock its rows until the transaction ends. Empty for a database
/// with one writer at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowLocks {
    /// Prevents other transactions from changing the rows.
    pub shared: &'static str,
    /// Prevents other transactions from changing or locking the rows.
    pub exclusive: &'static str,
}

/// A statement that returns columns of the types `ST`.
#[derive(Debug)]
pub struct Cold<ST> {
    text: SqlText,
    values: Vec<(&'static str, Value)>,
    returns: PhantomData<ST>,
}

impl<ST> Cold<ST> {
    pub(crate) fn new(text: &str, values: &[(&'static str, Value)]) -> Self {
        Self {
            text: SqlText::new(text, &[]),
            values: values.to_vec(),
            returns: PhantomData,
        }
    }
}

impl<DB, ST> Parameters<DB> for Cold<ST>
where
    DB: Backend
        + HasSqlType<Text>
        + HasSqlType<BigInt>
        + HasSqlType<Integer>
        + HasSqlType<Bool>
        + HasSqlType<Binary>,
    String: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
    i32: ToSql<Integer, DB>,
    bool: ToSql<Bool, DB>,
    Vec<u8>: ToSql<Binary, DB>,
{
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let value = self.values.iter().find(|(known, _)| *known == name);
        match value.map(|(_, value)| value) {
            Some(Value::Text(value)) => out.push_bind_param::<Text, _>(value),
            Some(Value::BigInt(value)) => out.push_bind_param::<BigInt, _>(value),
            Some(Value::OptionalBigInt(value)) => out.push_bind_param::<Nullable<BigInt>, _>(value),
            Some(Value::Integer(value)) => out.push_bind_param::<Integer, _>(value),
            Some(Value::Bool(value)) => out.push_bind_param::<Bool, _>(value),
            Some(Value::Binary(value)) => out.push_bind_param::<Binary, _>(value),
            Some(Value::OptionalText(value)) => out.push_bind_param::<Nullable<Text>, _>(value),
            None => Err(unknown_parameter(name)),
        }
    }
}

impl<DB: Backend, ST> QueryFragment<DB> for Cold<ST>
where
    Self: Parameters<DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.text.write(self, &mut out)
    }
}

/// Has no static id: connections cache the prepared statement by its text.
impl<ST> QueryId for Cold<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST> Query for Cold<ST> {
    type SqlType = ST;
}

impl<C, ST> RunQueryDsl<C> for Cold<ST> {}

pub(crate) fn load<ST, R, C>(
    connection: &mut C,
    text: &str,
    values: &[(&'static str, Value)],
) -> QueryResult<Vec<R>>
where
    C: LoadConnection,
    for<'q> Cold<ST>: LoadQuery<'q, C, R>,
{
    Cold::<ST>::new(text, values).load(connection)
}
