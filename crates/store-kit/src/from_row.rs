//! Values of columns, and rows of them.

use std::vec::IntoIter;

use diesel::QueryResult;
use diesel::result::Error as DieselError;

use crate::cold_value::Value;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A number of 64 bits.
    BigInt,
    /// A number of 32 bits.
    Integer,
    /// A truth value.
    Bool,
    /// Bytes.
    Binary,
}

/// A value of one or several columns.
pub trait FromRow: Sized {
    /// Appends the kinds of the columns.
    fn kinds(kinds: &mut Vec<Kind>);

    /// Takes the columns from the front.
    ///
    /// # Errors
    /// If one of them is missing, NULL or of another kind.
    fn read(columns: &mut IntoIter<Option<Value>>) -> QueryResult<Self>;
}

pub(crate) fn unreadable() -> DieselError {
    DieselError::DeserializationError("a column is missing or of another type".into())
}

macro_rules! read_values {
    ($($rust:ty = $kind:ident,)+) => {
        $(
            impl FromRow for $rust {
                fn kinds(kinds: &mut Vec<Kind>) {
                    kinds.push(Kind::$kind);
                }

                fn read(columns: &mut IntoIter<Option<Value>>) -> QueryResult<Self> {
                    Option::<Self>::read(columns)?.ok_or_else(unreadable)
                }
            }

            impl FromRow for Option<$rust> {
                fn kinds(kinds: &mut Vec<Kind>) {
                    <$rust>::kinds(kinds);
                }

                fn read(columns: &mut IntoIter<Option<Value>>) -> QueryResult<Self> {
                    match columns.next() {
                        Some(Some(Value::$kind(value))) => Ok(Some(value)),
                        Some(None) => Ok(None),
                        _ => Err(unreadable()),
                    }
                }
            }
        )+
    };
}

read_values! {
    String = Text,
    i64 = BigInt,
    i32 = Integer,
    bool = Bool,
    Vec<u8> = Binary,
}

macro_rules! read_tuples {
    ($(($($part:ident)+),)+) => {
        $(
            impl<$($part: FromRow),+> FromRow for ($($part,)+) {
                fn kinds(kinds: &mut Vec<Kind>) {
                    $($part::kinds(kinds);)+
                }

                fn read(columns: &mut IntoIter<Option<Value>>) -> QueryResult<Self> {
                    Ok(($($part::read(columns)?,)+))
                }
            }
        )+
    };
}

read_tuples! {
    (A B),
    (A B C),
    (A B C D E),
    (A B C D E F G H),
    (A B C D E F G H I),
    (A B C D E F G H I J K L M N O P),
}
