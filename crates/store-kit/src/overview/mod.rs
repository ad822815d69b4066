//! Statements of the overview and of reports, the same for both databases.
//!
//! Only operators' calls send them. They read by keys and key ranges: given orders, the orders of
//! some days, and the last hours.

mod hours;
mod orders;
mod row;
mod statements;

pub use statements::{overview_statements, placed_statement};

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::Serialize;

use crate::cold_value::Value;
use crate::json;
use pressline_domain::error::RepositoryError;

/// Reads the overview on a connection. `F` is the error type of the reader.
#[derive(Debug)]
pub struct OverviewReader<'c, C, F> {
    connection: &'c mut C,
    texts: OverviewTexts,
    failure: PhantomData<F>,
}

/// Placeholders of the statements.
#[derive(Debug, Clone, Copy)]
pub struct OverviewTexts {
    /// Returns a table expression named `given`: the rows of the JSON array of objects in the
    /// parameter `:rows`. The argument lists the names and SQL types of the columns.
    pub rows: fn(&[(&str, &str)]) -> String,
    /// Whether each statement reads a single store, the parameter `:store_id`. Required if the
    /// tables are distributed.
    pub one_by_one: bool,
}

type Values = Vec<(&'static str, Value)>;

#[derive(Serialize)]
struct OverviewInput {
    store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
}

impl<'c, C, F> OverviewReader<'c, C, F> {
    /// Creates a reader for `connection`.
    pub fn new(connection: &'c mut C, texts: OverviewTexts) -> Self {
        Self {
            connection,
            texts,
            failure: PhantomData,
        }
    }
}

impl OverviewTexts {
    fn text(self, text: &str, columns: &[(&str, &str)]) -> String {
        let store = if self.one_by_one {
            ":store_id"
        } else {
            "given.store_id"
        };
        let text = text.replace("{given}", &(self.rows)(columns));
        text.replace("{store}", store)
    }

    /// Returns one parameter list for all `rows`, or with `one_by_one` a list per store, in
    /// ascending order of store ids.
    fn parameters(self, rows: Vec<OverviewInput>) -> Result<Vec<Values>, RepositoryError> {
        let mut portions: BTreeMap<String, Vec<OverviewInput>> = BTreeMap::new();
        for row in rows {
            let store_id = self.one_by_one.then(|| row.store_id.clone());
            // Without `one_by_one`, all rows share the empty key.
            let portion = portions.entry(store_id.unwrap_or_default());
            portion.or_default().push(row);
        }
        let portions = portions.into_iter().map(|(store_id, rows)| {
            Ok(vec![
                ("store_id", Value::Text(store_id)),
                ("rows", Value::Text(json::write(&rows)?)),
            ])
        });
        portions.collect()
    }
}
