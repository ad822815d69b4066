//! Values of a statement's parameters.

use std::borrow::Cow;

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::AstPass;
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Binary, Bool, HasSqlType, Integer, Nullable, SmallInt, Text};
use pressline_backoffice::operator::SecretDigest;
use pressline_domain::store::MasterKeyId;
use pressline_domain::value::{
    DeliveryId, EndpointId, FormId, ItemId, KeyId, LeaseId, NoteId, OperatorId, OrderId, SessionId,
    StoreId, TaskId, Timestamp, TokenId, UploadId,
};

/// Names and values of a statement's parameters.
pub type Values<'v, A = NoArray> = Vec<(&'static str, Value<'v, A>)>;

/// Value of a parameter. `None` is NULL. `A` is the type of arrays, which only PostgreSQL has.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'v, A = NoArray> {
    /// String, for the SQL type `TEXT`.
    Text(Option<Cow<'v, str>>),
    /// 64-bit integer.
    BigInt(Option<i64>),
    /// 32-bit integer.
    Integer(Option<i32>),
    /// 16-bit integer.
    SmallInt(Option<i16>),
    /// Boolean; in SQLite, the integer 0 or 1.
    Bool(Option<bool>),
    /// Bytes, for the SQL type `BYTEA` in PostgreSQL and `BLOB` in SQLite.
    Binary(Option<Cow<'v, [u8]>>),
    /// Array.
    Array(A),
}

/// SQL type of a column, and of the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants of `Value` describe the types")]
pub enum Kind {
    Text,
    BigInt,
    Integer,
    SmallInt,
    Bool,
    Binary,
}

/// Arrays as parameters of statements.
///
/// A value can be one array, the columns of rows as an array each, or the columns of one row. The
/// columns of the value `items` are the parameters `:items_sku`, `:items_quantity`, …
pub trait Arrays {
    /// Returns the position of the column `column`; `""` stands for a value that is one array. Looks
    /// first at the position `near`.
    fn position(&self, column: &str, near: usize) -> Option<usize>;
}

/// Arrays as parameters of statements for the database `DB`.
pub trait BindArray<DB: Backend>: Arrays {
    /// Appends the array of the column at the position `column` as a parameter to `out`.
    ///
    /// # Errors
    /// Returns an error if the array cannot be bound.
    fn bind<'b>(&'b self, column: usize, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()>;
}

/// Type of the arrays of a statement without arrays. It has no values.
#[derive(Debug, Clone, PartialEq)]
pub enum NoArray {}

impl Arrays for NoArray {
    fn position(&self, _: &str, _: usize) -> Option<usize> {
        match *self {}
    }
}

impl<DB: Backend> BindArray<DB> for NoArray {
    fn bind<'b>(&'b self, _: usize, _: &mut AstPass<'_, 'b, DB>) -> QueryResult<()> {
        match *self {}
    }
}

impl<A> Value<'_, A> {
    /// Appends the value, or its column at the position `column`, as a parameter to `out`.
    ///
    /// # Errors
    /// Returns an error if the value cannot be bound.
    pub fn bind<'b, DB>(&'b self, column: usize, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()>
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
        A: BindArray<DB>,
    {
        match self {
            Self::Text(Some(text)) => out.push_bind_param::<Text, str>(text),
            Self::Text(None) => out.push_bind_param::<Nullable<Text>, _>(&None::<&'static str>),
            Self::BigInt(number) => out.push_bind_param::<Nullable<BigInt>, _>(number),
            Self::Integer(number) => out.push_bind_param::<Nullable<Integer>, _>(number),
            Self::SmallInt(number) => out.push_bind_param::<Nullable<SmallInt>, _>(number),
            Self::Bool(value) => out.push_bind_param::<Nullable<Bool>, _>(value),
            Self::Binary(Some(bytes)) => out.push_bind_param::<Binary, [u8]>(bytes),
            Self::Binary(None) => {
                out.push_bind_param::<Nullable<Binary>, _>(&None::<&'static [u8]>)
            }
            Self::Array(array) => array.bind(column, out),
        }
    }

    /// Returns the value with a copy of the text or bytes.
    pub fn into_owned(self) -> Value<'static, A> {
        match self {
            Self::Text(text) => Value::Text(text.map(|text| Cow::Owned(text.into_owned()))),
            Self::BigInt(number) => Value::BigInt(number),
            Self::Integer(number) => Value::Integer(number),
            Self::SmallInt(number) => Value::SmallInt(number),
            Self::Bool(value) => Value::Bool(value),
            Self::Binary(bytes) => Value::Binary(bytes.map(|bytes| Cow::Owned(bytes.into_owned()))),
            Self::Array(array) => Value::Array(array),
        }
    }
}

/// Copies the borrowed values of `values`, for work that may outlive the borrow.
pub(crate) fn owned<A>(values: Values<'_, A>) -> Values<'static, A> {
    let values = values.into_iter();
    values
        .map(|(name, value)| (name, value.into_owned()))
        .collect()
}

macro_rules! from_column {
    ($($rust:ty: $variant:ident($column:ident) = $value:expr,)+) => {
        $(
            impl<'v, A> From<$rust> for Value<'v, A> {
                fn from($column: $rust) -> Self {
                    Self::$variant($value)
                }
            }
        )+
    };
}

from_column! {
    &'v str: Text(text) = Some(Cow::Borrowed(text)),
    &'v String: Text(text) = Some(Cow::Borrowed(text)),
    String: Text(text) = Some(Cow::Owned(text)),
    Option<&'v str>: Text(text) = text.map(Cow::Borrowed),
    &'v Option<String>: Text(text) = text.as_deref().map(Cow::Borrowed),
    Option<String>: Text(text) = text.map(Cow::Owned),
    i64: BigInt(number) = Some(number),
    &'v i64: BigInt(number) = Some(*number),
    Option<i64>: BigInt(number) = number,
    &'v Option<i64>: BigInt(number) = *number,
    u32: BigInt(number) = Some(i64::from(number)),
    // Numbers greater than `i64::MAX` become `i64::MAX`.
    u64: BigInt(number) = Some(i64::try_from(number).unwrap_or(i64::MAX)),
    Timestamp: BigInt(time) = Some(time.as_millis()),
    Option<Timestamp>: BigInt(time) = time.map(Timestamp::as_millis),
    i32: Integer(number) = Some(number),
    &'v i32: Integer(number) = Some(*number),
    &'v Option<i32>: Integer(number) = *number,
    i16: SmallInt(number) = Some(number),
    &'v i16: SmallInt(number) = Some(*number),
    bool: Bool(value) = Some(value),
    &'v bool: Bool(value) = Some(*value),
    Option<bool>: Bool(value) = value,
    &'v [u8]: Binary(bytes) = Some(Cow::Borrowed(bytes)),
    &'v Vec<u8>: Binary(bytes) = Some(Cow::Borrowed(bytes)),
    Vec<u8>: Binary(bytes) = Some(Cow::Owned(bytes)),
    SecretDigest: Binary(digest) = Some(Cow::Owned(digest.as_bytes().to_vec())),
    DeliveryId: Text(id) = Some(Cow::Owned(id.to_string())),
    EndpointId: Text(id) = Some(Cow::Owned(id.to_string())),
    FormId: Text(id) = Some(Cow::Owned(id.to_string())),
    ItemId: Text(id) = Some(Cow::Owned(id.to_string())),
    KeyId: Text(id) = Some(Cow::Owned(id.to_string())),
    LeaseId: Text(id) = Some(Cow::Owned(id.to_string())),
    MasterKeyId: Text(id) = Some(Cow::Owned(id.to_string())),
    NoteId: Text(id) = Some(Cow::Owned(id.to_string())),
    OperatorId: Text(id) = Some(Cow::Owned(id.to_string())),
    OrderId: Text(id) = Some(Cow::Owned(id.to_string())),
    SessionId: Text(id) = Some(Cow::Owned(id.to_string())),
    StoreId: Text(id) = Some(Cow::Owned(id.to_string())),
    TaskId: Text(id) = Some(Cow::Owned(id.to_string())),
    TokenId: Text(id) = Some(Cow::Owned(id.to_string())),
    UploadId: Text(id) = Some(Cow::Owned(id.to_string())),
}
