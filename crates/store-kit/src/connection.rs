//! Connections to any database, and the rows that statements return.

use std::sync::Arc;

use diesel::connection::{InstrumentationEvent, LoadConnection};
use diesel::deserialize::FromSql;
use diesel::query_builder::QueryFragment;
use diesel::result::Error as DieselError;
use diesel::row::{Field, Row};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Text};
use diesel::{QueryResult, RunQueryDsl};

use crate::cold::Cold;
use crate::cold_value::Value;
use crate::dialect::Dialect;
use crate::failure::Failure;
use crate::from_row::{FromRow, Kind, unreadable};

/// Values of a row, in column order. `None` is NULL.
pub type Columns = Vec<Option<Value>>;

/// Function to call with the events of a connection, or `None`.
pub type OnStatement = Option<Arc<dyn Fn(&InstrumentationEvent<'_>) + Send + Sync>>;

/// Connection that runs statements with column types known only at run time.
pub trait ColdConnection {
    /// Runs `statement` and returns the number of changed rows.
    fn run(&mut self, statement: Cold) -> QueryResult<usize>;

    /// Runs `statement` and returns its rows. `kinds` has the type of each column.
    ///
    /// # Errors
    /// Returns an error if the statement fails, or if a column is missing or has another type.
    fn rows(&mut self, statement: Cold, kinds: &[Kind]) -> QueryResult<Vec<Columns>>;
}

impl<C> ColdConnection for C
where
    C: LoadConnection,
    Cold: QueryFragment<C::Backend>,
    String: FromSql<Text, C::Backend>,
    i64: FromSql<BigInt, C::Backend>,
    i32: FromSql<Integer, C::Backend>,
    bool: FromSql<Bool, C::Backend>,
    Vec<u8>: FromSql<Binary, C::Backend>,
{
    fn run(&mut self, statement: Cold) -> QueryResult<usize> {
        statement.execute(self)
    }

    fn rows(&mut self, statement: Cold, kinds: &[Kind]) -> QueryResult<Vec<Columns>> {
        let mut rows = Vec::new();
        for row in LoadConnection::load(self, statement)? {
            let row = row?;
            let mut columns = Vec::with_capacity(kinds.len());
            for (at, kind) in kinds.iter().enumerate() {
                let field = row.get(at).ok_or_else(unreadable)?;
                let column = field.value().map(|raw| match kind {
                    Kind::Text => FromSql::<Text, _>::from_sql(raw).map(Value::Text),
                    Kind::BigInt => FromSql::<BigInt, _>::from_sql(raw).map(Value::BigInt),
                    Kind::Integer => FromSql::<Integer, _>::from_sql(raw).map(Value::Integer),
                    Kind::Bool => FromSql::<Bool, _>::from_sql(raw).map(Value::Bool),
                    Kind::Binary => FromSql::<Binary, _>::from_sql(raw).map(Value::Binary),
                });
                columns.push(
                    column
                        .transpose()
                        .map_err(DieselError::DeserializationError)?,
                );
            }
            rows.push(columns);
        }
        Ok(rows)
    }
}

/// Connection for the work of one call.
pub struct Db<'c> {
    pub(crate) connection: &'c mut dyn ColdConnection,
    pub(crate) dialect: &'static Dialect,
    /// `true` if an earlier attempt of the call failed, but its commit may have succeeded.
    pub in_doubt: bool,
    /// `true` if the tables are distributed, so that each statement must read a single store.
    pub is_distributed: bool,
}

impl<'c> Db<'c> {
    /// Wraps `connection` for the first attempt of a call, in a database that is not distributed.
    pub fn new(connection: &'c mut dyn ColdConnection, dialect: &'static Dialect) -> Self {
        Self {
            connection,
            dialect,
            in_doubt: false,
            is_distributed: false,
        }
    }

    pub(crate) fn execute(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<usize> {
        self.connection.run(Cold::new(text, values))
    }

    pub(crate) fn run(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> Result<(), Failure> {
        self.execute(text, values)?;
        Ok(())
    }

    pub(crate) fn load<R: FromRow>(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<Vec<R>> {
        let mut kinds = Vec::new();
        R::kinds(&mut kinds);
        let rows = self.connection.rows(Cold::new(text, values), &kinds)?;
        rows.into_iter()
            .map(|row| R::read(&mut row.into_iter()))
            .collect()
    }

    pub(crate) fn first<R: FromRow>(
        &mut self,
        text: &str,
        values: &[(&'static str, Value)],
    ) -> QueryResult<Option<R>> {
        Ok(self.load(text, values)?.into_iter().next())
    }
}

/// Implements [`FromRow`] for a row and its `Option`: an outer join without a match is `None`.
macro_rules! read_row {
    (
        ($row:ident)
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        impl $crate::from_row::FromRow for $row {
            fn kinds(kinds: &mut Vec<$crate::from_row::Kind>) {
                $(<$rust $(<$rust_of>)? as $crate::from_row::FromRow>::kinds(kinds);)+
            }

            fn read(
                columns: &mut std::vec::IntoIter<Option<$crate::Value>>,
            ) -> diesel::QueryResult<Self> {
                Ok(Self {
                    $($column: $crate::from_row::FromRow::read(columns)?,)+
                })
            }
        }

        impl $crate::from_row::FromRow for Option<$row> {
            fn kinds(kinds: &mut Vec<$crate::from_row::Kind>) {
                <$row as $crate::from_row::FromRow>::kinds(kinds);
            }

            fn read(
                columns: &mut std::vec::IntoIter<Option<$crate::Value>>,
            ) -> diesel::QueryResult<Self> {
                let count = $row::COLUMNS.len();
                let own: Vec<_> = columns.by_ref().take(count).collect();
                if own.iter().all(Option::is_none) {
                    return Ok(None);
                }
                $crate::from_row::FromRow::read(&mut own.into_iter()).map(Some)
            }
        }
    };
}

/// Defines a row type of this crate. Called as `form_columns!(define_cold_row! FormRow)`.
macro_rules! define_cold_row {
    (
        ($(#[$attribute:meta])* $row:ident)
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        #[derive(Clone, PartialEq)]
        $(#[$attribute])*
        pub(crate) struct $row {
            $(pub(crate) $column: $rust $(<$rust_of>)?,)+
        }

        impl $row {
            pub(crate) const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),+];
        }

        impl $crate::cold_value::RowValues for $row {
            fn values(&self) -> Vec<(&'static str, $crate::Value)> {
                vec![$((stringify!($column), self.$column.clone().into()),)+]
            }
        }

        read_row! {
            ($row)
            $($column: $rust $(<$rust_of>)? = $sql $(<$sql_of>)?,)+
        }
    };
}
