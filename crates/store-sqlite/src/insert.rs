//! Inserts many rows with few prepared statements.
//!
//! The text of an [`Insert`] is the statement for one row, as it runs in sqlite3:
//!
//! ```text
//! INSERT INTO fee_corrections (store_id, order_uuid, position, document)
//! VALUES (:store_id, :order_uuid, :position, :document)
//! ```
//!
//! For several rows, the group after `VALUES` is repeated. Three rows are inserted by
//!
//! ```text
//! INSERT INTO fee_corrections (store_id, order_uuid, position, document)
//! VALUES (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?)
//! ```
//!
//! Each statement has 32, 8, 3 or 1 rows, so that a connection prepares at most four statements for
//! a text: 42 rows take a statement of 32, one of 8 and two of 1. The values are a single list with
//! the values of all rows, row by row, in the order of the group.

use std::sync::OnceLock;

use diesel::result::{Error as DieselError, QueryResult};
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{Row, Sql, Value, Values};

use crate::sql::run;

/// Numbers of rows of the statements, the highest first.
const SIZES: [usize; 4] = [32, 8, 3, 1];

/// Statement that inserts or replaces rows.
pub(crate) struct Insert {
    text: &'static str,
    repeated: OnceLock<Option<Repeated>>,
}

struct Repeated {
    /// Names of the parameters of a row.
    names: Vec<&'static str>,
    /// Text of the statement for each of [`SIZES`].
    texts: [Sql; 4],
}

impl Insert {
    /// Creates the statement, for a `static`. `text` inserts one row. Clauses can follow its group.
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text,
            repeated: OnceLock::new(),
        }
    }

    /// Inserts the rows with `values`. Returns the number of written rows, without rows that a
    /// conflict clause skips.
    pub(crate) fn run(
        &self,
        connection: &mut SqliteConnection,
        values: &[(&'static str, Value<'_>)],
    ) -> QueryResult<usize> {
        let repeated = self
            .repeated
            .get_or_init(|| Repeated::new(self.text))
            .as_ref()
            .ok_or_else(|| self.unfit())?;
        let names = values.iter().zip(&repeated.names);
        let is_fit = names.fold(true, |is_fit, ((name, _), column)| is_fit && name == column);
        let width = repeated.names.len();
        // Values in another order would be bound to other columns.
        if !is_fit || !values.len().is_multiple_of(width) {
            return Err(self.unfit());
        }
        let (mut rest, mut inserted) = (values, 0);
        for (rows, text) in SIZES.into_iter().zip(&repeated.texts) {
            while let Some((chunk, after)) = rest.split_at_checked(rows * width) {
                inserted += run(connection, text, chunk)?;
                rest = after;
            }
        }
        Ok(inserted)
    }

    fn unfit(&self) -> DieselError {
        let message = format!("the values do not fit one row after another: {}", self.text);
        DieselError::QueryBuilderError(message.into())
    }
}

impl Repeated {
    /// Returns `None` if `text` has no group of parameters after `VALUES`.
    fn new(text: &'static str) -> Option<Self> {
        let (before, rest) = text.split_once("VALUES (")?;
        let (group, after) = rest.split_once(')')?;
        let names = group.split(',').map(|name| name.trim().strip_prefix(':'));
        let repeat = |rows: usize| {
            let groups = vec![format!("({group})"); rows].join(", ");
            Sql::from(format!("{before}VALUES {groups}{after}"))
        };
        Some(Self {
            names: names.collect::<Option<_>>()?,
            texts: SIZES.map(repeat),
        })
    }
}

/// Returns the values of `rows`, row by row.
pub(crate) fn values_of<'r, R: Row + 'r>(rows: impl IntoIterator<Item = &'r R>) -> Values<'r> {
    rows.into_iter().flat_map(Row::parameters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_a_row_is_repeated() {
        let text = "INSERT INTO t (a, b)\nVALUES (:a, :b)\nON CONFLICT (a) DO NOTHING";
        let repeated = Repeated::new(text).unwrap();
        assert_eq!(repeated.names, ["a", "b"]);
        assert_eq!(
            repeated.texts[2].as_str(),
            "INSERT INTO t (a, b)\nVALUES (:a, :b), (:a, :b), (:a, :b)\nON CONFLICT (a) DO NOTHING"
        );
    }

    #[test]
    fn values_in_another_order_are_refused() {
        static INSERT: Insert = Insert::new("INSERT INTO t (a, b) VALUES (:a, :b)");
        let mut connection = diesel::Connection::establish(":memory:").unwrap();
        for values in [
            vec![("b", 1.into()), ("a", 2.into())],
            vec![("a", 1.into())],
        ] {
            assert!(INSERT.run(&mut connection, &values).is_err());
        }
    }
}
