//! The statements of the overview, the same for both databases. Only calls of operators send them, and they read rows by
//! their keys, and ranges of keys: those of given orders, and those of the last hours.

mod hours;
mod orders;
mod row;

pub use hours::{overview_parcels, overview_placed};
pub use orders::{overview_documents, overview_lines};

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::Serialize;

use crate::cold::Value;
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

/// A row that a statement is given.
#[derive(Serialize)]
struct Given {
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
    /// Returns how a statement names the store of its rows.
    fn store(self) -> &'static str {
        if self.one_by_one {
            ":store_id"
        } else {
            "given.store_id"
        }
    }

    /// Returns the parameters of each statement about these rows: of one for all of them, or of one for each store, in
    /// ascending order of the stores' ids.
    fn parameters(
        self,
        rows: Vec<Given>,
    ) -> Result<Vec<Vec<(&'static str, Value)>>, RepositoryError> {
        let mut portions: BTreeMap<String, Vec<Given>> = BTreeMap::new();
        for row in rows {
            let portion = if self.one_by_one {
                row.store_id.clone()
            } else {
                String::new()
            };
            portions.entry(portion).or_default().push(row);
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
