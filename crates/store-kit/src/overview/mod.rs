//! The statements of the overview and of reports, the same for both databases. Only calls of operators send them, and they read
//! rows by their keys, and ranges of keys: given orders, the orders of some days, and the last hours.

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

/// The overview that a connection reads. `F` is the error of the connection.
#[derive(Debug)]
pub struct OverviewReader<'c, C, F> {
    connection: &'c mut C,
    texts: OverviewTexts,
    failure: PhantomData<F>,
}

/// How the statements name their rows.
#[derive(Debug, Clone, Copy)]
pub struct OverviewTexts {
    /// Rows named `given`, of the JSON list of objects in the parameter `:rows`, with columns of these names and types.
    pub rows: fn(&[(&str, &str)]) -> String,
    /// Whether each statement is about one store, which it names: where the tables are distributed.
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
    /// Returns the overview of a connection.
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

    /// Returns one list of parameters for all `rows`, or one for each store in ascending order of store ids.
    fn parameters(self, rows: Vec<OverviewInput>) -> Result<Vec<Values>, RepositoryError> {
        let mut portions: BTreeMap<String, Vec<OverviewInput>> = BTreeMap::new();
        for row in rows {
            let store_id = self.one_by_one.then(|| row.store_id.clone());
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
