//! Values of statement parameters.

use pressline_backoffice::operator::SecretDigest;
use pressline_domain::store::MasterKeyId;
use pressline_domain::value::{
    DeliveryId, EndpointId, FormId, ItemId, KeyId, LeaseId, NoteId, OperatorId, OrderId, SessionId,
    StoreId, TaskId, Timestamp, TokenId, UploadId,
};

pub(crate) type Values = Vec<(&'static str, Value)>;

/// Value of a statement parameter. It is owned, so that statements have no lifetime: the compiler
/// cannot prove diesel's trait bounds for every lifetime.
#[derive(Debug, Clone)]
pub enum Value {
    /// String, for the SQL type `TEXT`.
    Text(String),
    /// 64-bit integer that is not NULL.
    BigInt(i64),
    /// 64-bit integer; `None` is NULL.
    OptionalBigInt(Option<i64>),
    /// 32-bit integer that is not NULL.
    Integer(i32),
    /// Boolean; in SQLite, the integer 0 or 1.
    Bool(bool),
    /// Bytes, for the SQL type `BYTEA` in PostgreSQL and `BLOB` in SQLite.
    Binary(Vec<u8>),
    /// String; `None` is NULL.
    OptionalText(Option<String>),
}

/// Row that can be written by a statement: each column becomes a parameter with the column's name.
pub(crate) trait RowValues {
    fn values(&self) -> Values;
}

macro_rules! from_column {
    ($($rust:ty = $variant:ident,)+) => {
        $(
            impl From<$rust> for Value {
                fn from(column: $rust) -> Self {
                    Self::$variant(column.into())
                }
            }
        )+
    };
}

from_column! {
    String = Text,
    &str = Text,
    Option<String> = OptionalText,
    i64 = BigInt,
    u32 = BigInt,
    Option<i64> = OptionalBigInt,
    i32 = Integer,
    bool = Bool,
    Vec<u8> = Binary,
}

macro_rules! from_id {
    ($($id:ident)+) => {
        $(
            impl From<$id> for Value {
                fn from(id: $id) -> Self {
                    Self::Text(id.to_string())
                }
            }
        )+
    };
}

from_id! {
    DeliveryId EndpointId FormId ItemId KeyId LeaseId MasterKeyId NoteId OperatorId OrderId
    SessionId StoreId TaskId TokenId UploadId
}

/// Numbers greater than `i64::MAX` become `i64::MAX`.
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::BigInt(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        Self::BigInt(time.as_millis())
    }
}

impl From<Option<Timestamp>> for Value {
    fn from(time: Option<Timestamp>) -> Self {
        Self::OptionalBigInt(time.map(Timestamp::as_millis))
    }
}

impl From<SecretDigest> for Value {
    fn from(digest: SecretDigest) -> Self {
        Self::Binary(digest.as_bytes().to_vec())
    }
}
