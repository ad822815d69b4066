//! Texts and parameters of the overview's and the reports' statements.

use std::collections::BTreeMap;

use pressline_domain::error::Result;
use serde::Serialize;

use crate::cold_store::Db;
use crate::cold_value::Values;
use crate::json;

#[derive(Serialize)]
pub(super) struct OverviewInput {
    pub(super) store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
}

impl Db<'_> {
    /// Fills the rows with `columns` and the store into `text`. If the tables are distributed, the
    /// statement reads only the store that the parameter `:store_id` names.
    pub(super) fn overview_text(&self, text: &str, columns: &[(&str, &str)]) -> String {
        let store = if self.is_distributed {
            ":store_id"
        } else {
            "given.store_id"
        };
        let text = text.replace("{given}", &(self.dialect.rows)(columns));
        text.replace("{store}", store)
    }

    /// Returns the parameter lists for reading `rows` with a statement: a list per store if the
    /// tables are distributed, in ascending order of store ids; otherwise a single list.
    pub(super) fn overview_parameters(&self, rows: Vec<OverviewInput>) -> Result<Vec<Values>> {
        let mut portions: BTreeMap<String, Vec<OverviewInput>> = BTreeMap::new();
        for row in rows {
            let store_id = self.is_distributed.then(|| row.store_id.clone());
            // If the tables are not distributed, all rows share the empty key.
            let portion = portions.entry(store_id.unwrap_or_default());
            portion.or_default().push(row);
        }
        let portions = portions.into_iter().map(|(store_id, rows)| {
            Ok(vec![
                ("store_id", store_id.into()),
                ("rows", json::write(&rows)?.into()),
            ])
        });
        portions.collect()
    }
}
