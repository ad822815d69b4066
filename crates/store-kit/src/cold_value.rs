//! Values of statement parameters.

/// Value of a statement parameter. It is owned, so that statements have no lifetime: the compiler
/// cannot prove diesel's trait bounds for every lifetime.
#[derive(Debug, Clone)]
pub enum Value {
    /// String.
    Text(String),
    /// 64-bit integer.
    BigInt(i64),
    /// 64-bit integer; `None` is NULL.
    OptionalBigInt(Option<i64>),
    /// 32-bit integer.
    Integer(i32),
    /// Boolean.
    Bool(bool),
    /// Bytes.
    Binary(Vec<u8>),
    /// String; `None` is NULL.
    OptionalText(Option<String>),
}

impl Value {
    pub(crate) fn text(value: &str) -> Self {
        Self::Text(value.to_owned())
    }

    pub(crate) fn binary(value: &[u8]) -> Self {
        Self::Binary(value.to_owned())
    }
}
