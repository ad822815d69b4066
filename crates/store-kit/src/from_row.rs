//! Reads values and rows from the columns that a statement returns.

use std::vec::IntoIter;

use diesel::QueryResult;
use diesel::result::Error as DieselError;

use crate::cold_value::Value;

/// Type of a column. The variants have the names of diesel's SQL types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Column read as a `String`.
    Text,
    /// Column read as an `i64`.
    BigInt,
    /// Column read as an `i32`.
    Integer,
    /// Column read as a `bool`.
    Bool,
    /// Column read as a `Vec<u8>`.
    Binary,
}

/// Type with values that can be read from one or several columns of a row.
pub trait FromRow: Sized {
    /// Appends the types of the value's columns to `kinds`.
    fn kinds(kinds: &mut Vec<Kind>);

    /// Takes the value's columns from the front of `columns`, and returns the value.
    ///
    /// # Errors
    /// Returns an error if a column is missing, NULL or of another type.
    fn read(columns: &mut IntoIter<Option<Value>>) -> QueryResult<Self>;
}

pub(crate) fn unreadable() -> DieselError {
    DieselError::DeserializationError("a column is missing or of another type".into())
}

/// Groups the children of adjacent rows with an equal parent.
pub(crate) fn grouped<P: PartialEq, C>(rows: Vec<(P, Option<C>)>) -> Vec<(P, Vec<C>)> {
    let mut groups: Vec<(P, Vec<C>)> = Vec::new();
    for (parent, child) in rows {
        match groups.last_mut() {
            Some((last, children)) if *last == parent => children.extend(child),
            _ => groups.push((parent, child.into_iter().collect())),
        }
    }
    groups
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
    (A B C D),
    (A B C D E),
}
