//! Values of statement parameters.

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
    fn values(&self) -> Vec<(&'static str, Value)>;
}

macro_rules! from_column {
    ($($rust:ty = $variant:ident,)+) => {
        $(
            impl From<$rust> for Value {
                fn from(column: $rust) -> Self {
                    Self::$variant(column)
                }
            }
        )+
    };
}

from_column! {
    String = Text,
    Option<String> = OptionalText,
    i64 = BigInt,
    Option<i64> = OptionalBigInt,
    i32 = Integer,
    bool = Bool,
    Vec<u8> = Binary,
}

impl Value {
    pub(crate) fn text(value: &str) -> Self {
        Self::Text(value.to_owned())
    }

    pub(crate) fn binary(value: &[u8]) -> Self {
        Self::Binary(value.to_owned())
    }
}
