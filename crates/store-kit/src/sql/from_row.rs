//! Reads values from the columns of a row.

use diesel::QueryResult;
use diesel::result::Error as DieselError;

use super::columns::Columns;
use super::value::{Kind, Value, Values};

/// Type of a value in one or several columns of a row.
///
/// Implemented for the types of columns, `#[derive(Row)]`, tuples and the `Option` of a [`Joined`] row.
/// Use the `Option` for an outer join: a row of NULLs alone is `None`.
pub trait FromRow: Sized {
    /// Number of columns.
    const WIDTH: usize;

    /// Reads the value from the next columns.
    ///
    /// # Errors
    /// Returns an error if a column is missing, NULL or of another type.
    fn read(columns: &mut dyn Columns) -> QueryResult<Self>;

    /// Appends the expected names of the value's columns. `field` is the name if the value is a
    /// single column; empty if any name will do.
    fn names(field: &'static str, names: &mut Vec<&'static str>);
}

/// Struct with several columns, which an outer join can leave out. `#[derive(Row)]` implements it.
pub trait Joined: FromRow {}

/// Type of a single column.
pub trait Column: FromRow {
    /// SQL type of the column.
    const KIND: Kind;
}

/// Struct with a field for each column. Use the derive macro of the same name.
pub trait Row: Joined {
    /// Names and SQL types of the columns, in the order of the fields.
    const COLUMNS: &'static [(&'static str, Kind)];

    /// Returns the values of the columns, in the order of [`COLUMNS`](Self::COLUMNS).
    fn values<A>(&self) -> Vec<Value<'_, A>>;

    /// Returns the row as parameters with the names of the columns.
    fn parameters(&self) -> Values<'_> {
        let names = Self::COLUMNS.iter().map(|(name, _)| *name);
        names.zip(self.values()).collect()
    }
}

impl<R: Joined> FromRow for Option<R> {
    const WIDTH: usize = R::WIDTH;

    fn read(columns: &mut dyn Columns) -> QueryResult<Self> {
        match columns.skip_nulls(R::WIDTH) {
            true => Ok(None),
            false => R::read(columns).map(Some),
        }
    }

    fn names(field: &'static str, names: &mut Vec<&'static str>) {
        R::names(field, names);
    }
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

fn null() -> DieselError {
    DieselError::DeserializationError("a column is NULL".into())
}

macro_rules! read_columns {
    ($($rust:ty = $method:ident, $kind:ident;)+) => {
        $(
            impl FromRow for $rust {
                const WIDTH: usize = 1;

                fn read(columns: &mut dyn Columns) -> QueryResult<Self> {
                    columns.$method()?.ok_or_else(null)
                }

                fn names(field: &'static str, names: &mut Vec<&'static str>) {
                    names.push(field);
                }
            }

            impl FromRow for Option<$rust> {
                const WIDTH: usize = 1;

                fn read(columns: &mut dyn Columns) -> QueryResult<Self> {
                    columns.$method()
                }

                fn names(field: &'static str, names: &mut Vec<&'static str>) {
                    names.push(field);
                }
            }

            impl Column for $rust {
                const KIND: Kind = Kind::$kind;
            }

            impl Column for Option<$rust> {
                const KIND: Kind = Kind::$kind;
            }
        )+
    };
}

read_columns! {
    String = text, Text;
    i64 = big_int, BigInt;
    i32 = integer, Integer;
    i16 = small_int, SmallInt;
    bool = boolean, Bool;
    Vec<u8> = binary, Binary;
}

macro_rules! read_tuples {
    ($(($($part:ident)+),)+) => {
        $(
            impl<$($part: FromRow),+> FromRow for ($($part,)+) {
                const WIDTH: usize = 0 $(+ $part::WIDTH)+;

                fn read(columns: &mut dyn Columns) -> QueryResult<Self> {
                    Ok(($($part::read(columns)?,)+))
                }

                fn names(_: &'static str, names: &mut Vec<&'static str>) {
                    $($part::names("", names);)+
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
