//! Texts and parameters of the overview's and the reports' statements.

use std::collections::BTreeMap;

use pressline_domain::error::Result;
use serde::Serialize;

use crate::cold_store::Db;
use crate::cold_value::Values;
use crate::dialect::Dialect;
use crate::json;

#[derive(Debug, Clone, Copy)]
pub(super) struct Texts {
    pub(super) dialect: &'static Dialect,
    /// Whether each statement reads only `:store_id`; required if the tables are distributed.
    pub(super) one_by_one: bool,
}

#[derive(Serialize)]
pub(super) struct OverviewInput {
    pub(super) store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
}

impl Texts {
    pub(super) fn new(db: &Db<'_>) -> Self {
        Self {
            dialect: db.dialect,
            one_by_one: db.is_distributed,
        }
    }

    pub(super) fn text(self, text: &str, columns: &[(&str, &str)]) -> String {
        let store = if self.one_by_one {
            ":store_id"
        } else {
            "given.store_id"
        };
        let text = text.replace("{given}", &(self.dialect.rows)(columns));
        text.replace("{store}", store)
    }

    /// Returns a list per store, by ascending id, if `one_by_one` is set; otherwise a single list.
    pub(super) fn parameters(self, rows: Vec<OverviewInput>) -> Result<Vec<Values>> {
        let mut portions: BTreeMap<String, Vec<OverviewInput>> = BTreeMap::new();
        for row in rows {
            let store_id = self.one_by_one.then(|| row.store_id.clone());
            // Without `one_by_one`, all rows share the empty key.
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
