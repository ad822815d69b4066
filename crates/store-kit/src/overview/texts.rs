//! Texts and parameters of the overview's and the reports' statements.

use std::collections::BTreeMap;

use diesel::QueryResult;
use pressline_domain::error::Result;
use serde::Serialize;

use crate::cold_store::Db;
use crate::connection::StatementScope;
use crate::dialect::Texts;
use crate::json;
use crate::sql::{FromRow, Value, Values};

#[derive(Serialize)]
pub(super) struct OverviewInput {
    pub(super) store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
}

/// Statement that reads rows of the stores in the JSON array `:rows`.
pub(super) struct OverviewTexts {
    pub(super) of_any: Texts,
    /// Reads only the store that the parameter `:store_id` names, because other
    /// stores may be on other nodes.
    pub(super) of_store: &'static str,
}

impl Db<'_> {
    /// Loads the rows of a statement with one of the lists of [`overview_parameters`](Self::overview_parameters).
    pub(super) fn load_overview<R: FromRow>(
        &mut self,
        texts: &OverviewTexts,
        values: &[(&'static str, Value<'_>)],
    ) -> QueryResult<Vec<R>> {
        match self.scope {
            StatementScope::OneStore => self.load(texts.of_store, values),
            StatementScope::AnyStores => self.load(texts.of_any, values),
        }
    }

    /// Returns the parameter lists for reading `rows` with a statement: a list per store if a
    /// statement may use only one, in ascending order of store ids; otherwise a single list.
    pub(super) fn overview_parameters(
        &self,
        rows: Vec<OverviewInput>,
    ) -> Result<Vec<Values<'static>>> {
        let mut by_store: BTreeMap<String, Vec<OverviewInput>> = BTreeMap::new();
        for row in rows {
            let key = match self.scope {
                StatementScope::OneStore => row.store_id.clone(),
                StatementScope::AnyStores => String::new(),
            };
            by_store.entry(key).or_default().push(row);
        }
        let portions = by_store.into_iter().map(|(store_id, rows)| {
            Ok(vec![
                ("store_id", store_id.into()),
                ("rows", json::write(&rows)?.into()),
            ])
        });
        portions.collect()
    }
}
