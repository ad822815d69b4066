//! Statements that run rarely, written once for both databases.
//!
//! They use only SQL that SQLite and PostgreSQL have in common. Parameters and columns are named in
//! the same way as in `.sql` files, see `sql.rs`.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Binary, Bool, HasSqlType, Integer, Nullable, Text, Untyped};
use diesel::{QueryResult, RunQueryDsl};

use crate::cold_value::{Value, Values};
use crate::sql::{Parameters, SqlText, unknown_parameter};

/// Statement with the values of its parameters. The types of its columns are chosen on reading.
#[derive(Debug)]
pub struct Cold {
    text: SqlText,
    values: Values,
}

impl Cold {
    pub(crate) fn new(text: &str, values: &[(&'static str, Value)]) -> Self {
        Self {
            text: SqlText::new(text, &[]),
            values: values.to_vec(),
        }
    }
}

impl<DB> Parameters<DB> for Cold
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

impl<DB: Backend> QueryFragment<DB> for Cold
where
    Self: Parameters<DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.text.write(self, &mut out)
    }
}

/// `Cold` has no static query id: connections cache the prepared statement by its text.
impl QueryId for Cold {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Cold {
    type SqlType = Untyped;
}

impl<C> RunQueryDsl<C> for Cold {}
