//! Arrays: as parameters of statements, and as columns of rows.
//!
//! A statement reads or writes any number of rows with one text, because the rows are arrays:
//!
//! ```text
//! DELETE FROM changed_words
//! USING UNNEST(:ids::TEXT[], :replaced::BIGINT[]) AS given(id, version)     array(Kind::Text, &ids), …
//!
//! INSERT INTO prices (sku, amount)
//! SELECT * FROM UNNEST(:prices_sku::TEXT[], :prices_amount::BIGINT[])       rows(&prices)
//! ```
//!
//! [`array()`] makes one array. [`rows`] makes an array for each column of rows: the value `prices` of
//! rows with the columns `sku` and `amount` has the parameters `:prices_sku` and `:prices_amount`.
//! [`row`] makes parameters with the same names for the columns of one row. None of them copies
//! texts. The casts let psql prepare the text without knowing the values.
//!
//! A column that is an array, such as `ARRAY(SELECT ROW(sku, amount) FROM …)`, is read into a
//! [`List`]: its elements are values, or structs with `#[derive(Row)]` for records.

mod list;

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{self, BigInt, Binary, Bool, HasSqlType, Integer, SmallInt, Text};
pub(crate) use list::List;
pub(crate) use pressline_store_kit::Kind;
use pressline_store_kit::{
    self as kit, Arrays, BindArray, FromRow, NoArray, Row, Sql, SqlConnection,
};

/// Value of a parameter, which can be an array.
pub(crate) type Value<'v> = kit::Value<'v, Array<'v>>;
/// Names and values of a statement's parameters.
pub(crate) type Values<'v> = kit::Values<'v, Array<'v>>;

/// Array, or the columns of rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array<'v> {
    /// Names and values. A single array has no name.
    columns: Vec<(&'static str, Column<'v>)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Column<'v> {
    /// Column of rows.
    Elements(Elements<'v>),
    /// Column of one row.
    Value(kit::Value<'v>),
}

#[derive(Debug, Clone, PartialEq)]
struct Elements<'v> {
    kind: Kind,
    /// `None` if the whole array is NULL.
    values: Option<Vec<kit::Value<'v>>>,
}

/// Returns an array as a parameter. The elements must have the type `kind`, or be NULL.
pub(crate) fn array<'v, T: Into<kit::Value<'v>>>(
    kind: Kind,
    elements: impl IntoIterator<Item = T>,
) -> Value<'v> {
    array_or_null(kind, Some(elements))
}

/// Returns an array as a parameter, or NULL. Same as [`array()`] otherwise.
pub(crate) fn array_or_null<'v, T: Into<kit::Value<'v>>>(
    kind: Kind,
    elements: Option<impl IntoIterator<Item = T>>,
) -> Value<'v> {
    let values = elements.map(|elements| elements.into_iter().map(Into::into).collect());
    let elements = Elements { kind, values };
    Value::Array(Array {
        columns: vec![("", Column::Elements(elements))],
    })
}

/// Returns an array for each column of `rows`, as a parameter.
pub(crate) fn rows<'v, R: Row + 'v>(rows: impl IntoIterator<Item = &'v R>) -> Value<'v> {
    let mut values_by_column: Vec<Vec<kit::Value<'v>>> =
        R::COLUMNS.iter().map(|_| Vec::new()).collect();
    for row in rows {
        for (column, value) in values_by_column.iter_mut().zip(row.values::<NoArray>()) {
            column.push(value);
        }
    }
    let columns = R::COLUMNS
        .iter()
        .zip(values_by_column)
        .map(|((name, kind), values)| {
            let elements = Elements {
                kind: *kind,
                values: Some(values),
            };
            (*name, Column::Elements(elements))
        });
    Value::Array(Array {
        columns: columns.collect(),
    })
}

/// Returns the columns of `row`, as a parameter.
pub(crate) fn row<R: Row>(row: &R) -> Value<'_> {
    let columns = R::COLUMNS
        .iter()
        .zip(row.values::<NoArray>())
        .map(|((name, _), value)| (*name, Column::Value(value)));
    Value::Array(Array {
        columns: columns.collect(),
    })
}

impl Arrays for Array<'_> {
    fn position(&self, column: &str, near: usize) -> Option<usize> {
        let is_wanted = |(name, _): &(&str, Column<'_>)| *name == column;
        if self.columns.get(near).is_some_and(is_wanted) {
            return Some(near);
        }
        self.columns.iter().position(is_wanted)
    }
}

impl BindArray<Pg> for Array<'_> {
    fn bind<'b>(&'b self, column: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match self.columns.get(column) {
            Some((_, Column::Elements(elements))) => elements.bind(out),
            Some((_, Column::Value(value))) => value.bind(0, out),
            None => Ok(()),
        }
    }
}

impl Elements<'_> {
    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match self.kind {
            Kind::Text => out.push_bind_param::<sql_types::Array<Text>, _>(self),
            Kind::BigInt => out.push_bind_param::<sql_types::Array<BigInt>, _>(self),
            Kind::Integer => out.push_bind_param::<sql_types::Array<Integer>, _>(self),
            Kind::SmallInt => out.push_bind_param::<sql_types::Array<SmallInt>, _>(self),
            Kind::Bool => out.push_bind_param::<sql_types::Array<Bool>, _>(self),
            Kind::Binary => out.push_bind_param::<sql_types::Array<Binary>, _>(self),
        }
    }
}

/// Writes PostgreSQL's binary form of an array: number of dimensions, whether an element may be
/// NULL, type, length, first index; then each element as its length and bytes.
impl<ST> ToSql<sql_types::Array<ST>, Pg> for Elements<'_>
where
    Pg: HasSqlType<ST>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let Some(values) = &self.values else {
            return Ok(IsNull::Yes);
        };
        let kind = <Pg as HasSqlType<ST>>::metadata(out.metadata_lookup()).oid()?;
        let dimensions: i32 = if values.is_empty() { 0 } else { 1 };
        let mut bytes = Vec::with_capacity(20 + 16 * values.len());
        bytes.extend(dimensions.to_be_bytes());
        bytes.extend(1_i32.to_be_bytes());
        bytes.extend(kind.to_be_bytes());
        if !values.is_empty() {
            bytes.extend(i32::try_from(values.len())?.to_be_bytes());
            bytes.extend(1_i32.to_be_bytes());
        }
        for value in values {
            write_element(value, &mut bytes)?;
        }
        std::io::Write::write_all(out, &bytes)?;
        Ok(IsNull::No)
    }
}

fn write_element(value: &kit::Value<'_>, out: &mut Vec<u8>) -> serialize::Result {
    let number: [u8; 8];
    let bytes = match value {
        kit::Value::Text(text) => text.as_deref().map(str::as_bytes),
        kit::Value::Binary(bytes) => bytes.as_deref(),
        kit::Value::BigInt(Some(value)) => {
            number = value.to_be_bytes();
            Some(number.as_slice())
        }
        kit::Value::Integer(Some(value)) => {
            number = i64::from(*value).to_be_bytes();
            number.get(4..)
        }
        kit::Value::SmallInt(Some(value)) => {
            number = i64::from(*value).to_be_bytes();
            number.get(6..)
        }
        kit::Value::Bool(Some(value)) => {
            number = i64::from(*value).to_be_bytes();
            number.get(7..)
        }
        kit::Value::BigInt(None)
        | kit::Value::Integer(None)
        | kit::Value::SmallInt(None)
        | kit::Value::Bool(None) => None,
        kit::Value::Array(never) => match *never {},
    };
    let length = bytes.map_or(Ok(-1), |bytes| i32::try_from(bytes.len()))?;
    out.extend(length.to_be_bytes());
    out.extend(bytes.unwrap_or_default());
    Ok(IsNull::No)
}
/// Runs the statement and returns the number of changed rows.
pub(crate) fn run<'s>(
    connection: &mut PgConnection,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s>)],
) -> QueryResult<usize> {
    let connection: &mut dyn SqlConnection<Array<'s>> = connection;
    kit::run(connection, text, values)
}

/// Returns the rows of the statement.
pub(crate) fn load<'s, R: FromRow>(
    connection: &mut PgConnection,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s>)],
) -> QueryResult<Vec<R>> {
    let connection: &mut dyn SqlConnection<Array<'s>> = connection;
    kit::load(connection, text, values)
}

/// Returns the first row of the statement; `None` without rows.
pub(crate) fn load_first<'s, R: FromRow>(
    connection: &mut PgConnection,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s>)],
) -> QueryResult<Option<R>> {
    let connection: &mut dyn SqlConnection<Array<'s>> = connection;
    kit::load_first(connection, text, values)
}
#[cfg(test)]
mod tests {
    use diesel::connection::Connection;
    use pressline_testkit::Postgres;

    use super::*;

    #[derive(Debug, Clone, PartialEq, kit::Row)]
    struct Sample {
        text: Option<String>,
        big: i64,
        integer: Option<i32>,
        small: i16,
        flag: bool,
        bytes: Vec<u8>,
    }

    #[test]
    fn rows_become_arrays_and_arrays_become_rows() {
        let database = Postgres::shared().unwrap().create_database().unwrap();
        let mut connection = PgConnection::establish(database.url()).unwrap();
        let first = Sample {
            text: Some("é".to_owned()),
            big: -1,
            integer: None,
            small: -2,
            flag: true,
            bytes: vec![0, 255],
        };
        let second = Sample {
            text: None,
            big: i64::MAX,
            integer: Some(i32::MIN),
            small: 3,
            flag: false,
            bytes: Vec::new(),
        };
        let samples = [first, second];
        let text = Sql::new(
            "SELECT ARRAY_AGG(ROW(text, big, integer, small, flag, bytes) ORDER BY place) AS samples,
                :none::TEXT[] AS none, :empty::INTEGER[] AS empty, :null::BIGINT[] AS null
             FROM UNNEST(:given_text, :given_big, :given_integer, :given_small, :given_flag,
                     :given_bytes)
                 WITH ORDINALITY AS given(text, big, integer, small, flag, bytes, place)",
        );
        let values = [
            ("none", array(Kind::Text, [Some("a"), None])),
            ("empty", array(Kind::Integer, [0_i32; 0])),
            ("null", array_or_null(Kind::BigInt, None::<[i64; 1]>)),
            ("given", rows(&samples)),
        ];
        type Read = (List<Sample>, List<Option<String>>, List<i32>, List<i64>);
        let read: Option<Read> = load_first(&mut connection, &text, &values).unwrap();
        let (read, none, empty, null) = read.unwrap();
        assert_eq!(*read, samples);
        assert_eq!(*none, [Some("a".to_owned()), None]);
        assert!(empty.is_empty() && null.is_empty());
    }
}
