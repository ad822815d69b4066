//! Values of parameters.

/// A value of a parameter. Owned, so that a statement has no lifetime: a bound on all its lifetimes
/// is more than the compiler can prove of diesel's traits.
#[derive(Debug, Clone)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number of 64 bits.
    BigInt(i64),
    /// A number of 64 bits, or NULL.
    OptionalBigInt(Option<i64>),
    /// A number of 32 bits.
    Integer(i32),
    /// A truth value.
    Bool(bool),
    /// Bytes.
    Binary(Vec<u8>),
    /// A text or NULL.
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
