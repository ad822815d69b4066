//! How a statement is written, given values, run and read. There is one way for all statements of
//! orders, products and stores; see the steps below before you write another.
//!
//! ```text
//! SELECT session_id, operator_id, digest          the text: a string in the code, or a .sql file
//! FROM operator_sessions
//! WHERE digest = :digest                          a parameter with a name
//! ```
//!
//! 1. **Text.** [`Sql`] is the text as it runs: each `:name` becomes `$1` in PostgreSQL and `?1`
//!    in SQLite. psql and sqlite3 know the same form of parameters (`\set name …`,
//!    `.parameter set :name …`), so that a text can be pasted there.
//! 2. **Values.** A list of names and [`Value`]s. Most types convert to a value by `into()`; a
//!    [`Row`] converts to a list with a parameter for each of its columns.
//!    Rows as arrays, for `UNNEST`, are a value too, see [`Arrays`].
//! 3. **Run.** [`run`], [`load`] and [`load_first`] take any [`SqlConnection`]. A connection prepares
//!    each text once.
//! 4. **Rows.** [`FromRow`] reads columns by position. Read a table's rows into a struct with
//!    `#[derive(Row)]`, a few columns into a tuple. Debug builds compare the names of the columns
//!    with the names of the fields, so that each test that runs a statement also checks that it
//!    returns what the struct expects.

mod columns;
mod from_row;
mod statement;
mod text;
mod value;

pub use columns::Columns;
pub use from_row::{Column, FromRow, Joined, Row};
pub use pressline_store_derive::Row;
pub use statement::{OnRow, SqlConnection, Statement, each_row, load, load_first, run};
pub use text::Sql;
pub use value::{Arrays, BindArray, Kind, NoArray, Value, Values};

pub(crate) use from_row::grouped;
pub(crate) use value::owned;
