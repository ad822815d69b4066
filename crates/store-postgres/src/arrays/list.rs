//! Arrays in the columns of a row, in PostgreSQL's binary form.

use std::ops::Deref;

use diesel::result::{Error as DieselError, QueryResult};
use pressline_store_kit::{Columns, FromRow};

/// Array in a column. NULL is an empty list. An element is a record if `T` has several columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List<T>(Vec<T>);

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> From<List<T>> for Vec<T> {
    fn from(list: List<T>) -> Self {
        list.0
    }
}

impl<T: FromRow> FromRow for List<T> {
    const WIDTH: usize = 1;

    fn read(columns: &mut dyn Columns) -> QueryResult<Self> {
        let bytes = columns.binary()?;
        let elements = bytes
            .as_deref()
            .map(elements)
            .transpose()?
            .into_iter()
            .flatten();
        let values = elements.map(|element| match T::WIDTH {
            1 => T::read(&mut Fields::new(vec![element])),
            _ => T::read(&mut Fields::new(fields(element.ok_or_else(broken)?)?)),
        });
        values.collect::<QueryResult<_>>().map(Self)
    }

    fn names(field: &'static str, names: &mut Vec<&'static str>) {
        names.push(field);
    }
}

/// Returns the elements of an array in binary form; `None` for NULL.
fn elements(bytes: &[u8]) -> QueryResult<Vec<Option<&[u8]>>> {
    let mut input = Input(bytes);
    let dimensions = input.integer()?;
    let (_may_be_null, _type) = (input.integer()?, input.integer()?);
    if dimensions == 0 {
        return Ok(Vec::new());
    }
    let (length, _first) = (input.integer()?, input.integer()?);
    (0..length).map(|_| input.value()).collect()
}

/// Returns the fields of a record in binary form; `None` for NULL.
fn fields(bytes: &[u8]) -> QueryResult<Vec<Option<&[u8]>>> {
    let mut input = Input(bytes);
    let length = input.integer()?;
    let field = |_| {
        let _type = input.integer()?;
        input.value()
    };
    (0..length).map(field).collect()
}

struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    fn integer(&mut self) -> QueryResult<i32> {
        let (integer, rest) = self.0.split_first_chunk().ok_or_else(broken)?;
        self.0 = rest;
        Ok(i32::from_be_bytes(*integer))
    }

    /// Reads a length and as many bytes; a negative length stands for NULL.
    fn value(&mut self) -> QueryResult<Option<&'b [u8]>> {
        let Ok(length) = usize::try_from(self.integer()?) else {
            return Ok(None);
        };
        let (value, rest) = self.0.split_at_checked(length).ok_or_else(broken)?;
        self.0 = rest;
        Ok(Some(value))
    }
}

/// Columns of an element: one for a value, several for a record.
struct Fields<'b> {
    fields: std::vec::IntoIter<Option<&'b [u8]>>,
}

impl<'b> Fields<'b> {
    fn new(fields: Vec<Option<&'b [u8]>>) -> Self {
        Self {
            fields: fields.into_iter(),
        }
    }

    fn next(&mut self) -> QueryResult<Option<&'b [u8]>> {
        self.fields.next().ok_or_else(broken)
    }

    fn number<const N: usize>(&mut self) -> QueryResult<Option<[u8; N]>> {
        let number = self.next()?.map(<[u8; N]>::try_from).transpose();
        number.map_err(|error| DieselError::DeserializationError(error.into()))
    }
}

impl Columns for Fields<'_> {
    fn text(&mut self) -> QueryResult<Option<String>> {
        let text = self
            .next()?
            .map(|text| str::from_utf8(text).map(str::to_owned));
        text.transpose()
            .map_err(|error| DieselError::DeserializationError(error.into()))
    }

    fn big_int(&mut self) -> QueryResult<Option<i64>> {
        Ok(self.number()?.map(i64::from_be_bytes))
    }

    fn integer(&mut self) -> QueryResult<Option<i32>> {
        Ok(self.number()?.map(i32::from_be_bytes))
    }

    fn small_int(&mut self) -> QueryResult<Option<i16>> {
        Ok(self.number()?.map(i16::from_be_bytes))
    }

    fn boolean(&mut self) -> QueryResult<Option<bool>> {
        Ok(self.number()?.map(|[byte]: [u8; 1]| byte != 0))
    }

    fn binary(&mut self) -> QueryResult<Option<Vec<u8>>> {
        Ok(self.next()?.map(<[u8]>::to_vec))
    }

    fn skip_nulls(&mut self, count: usize) -> bool {
        let next = self.fields.as_slice().iter().take(count);
        let all_null = next.clone().count() == count && next.clone().all(Option::is_none);
        if all_null && let Some(last) = count.checked_sub(1) {
            self.fields.nth(last);
        }
        all_null
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn broken() -> DieselError {
    DieselError::DeserializationError("the array is not in PostgreSQL's binary form".into())
}
