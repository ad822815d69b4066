//! Runs the statements of the store kit in SQLite.

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Access, Backend, Dialect, RowLocks, Work};

use crate::SqliteStore;

pub(crate) const DIALECT: Dialect = Dialect {
    // Only one connection writes at a time, so that rows need no locks.
    locks: RowLocks {
        shared: "",
        exclusive: "",
    },
    counters: "store_counters",
    begin_store: "INSERT INTO order_chunks (store_id, from_id) VALUES (:store_id, '')",
    in_texts: "IN (SELECT value FROM json_each({}))",
    in_numbers: "IN (SELECT value FROM json_each({}))",
    rows,
};

fn rows(columns: &[(&str, &str)]) -> String {
    let columns = columns
        .iter()
        .map(|(name, _)| format!("value ->> '{name}' AS {name}"));
    let columns: Vec<String> = columns.collect();
    format!(
        "(SELECT {} FROM json_each(:rows)) AS given",
        columns.join(", ")
    )
}

#[async_trait]
impl Backend for SqliteStore {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    async fn run(&self, access: Access, mut work: Work) -> Result<(), RepositoryError> {
        match access {
            Access::Read => {
                self.readers
                    .call(move |connection| work(connection, false))
                    .await
            }
            Access::Search(store) => {
                self.readers
                    .search(&store.to_string(), move |connection| {
                        work(connection, false)
                    })
                    .await
            }
            // All alike, because the only writing connection runs each in a transaction.
            Access::Change | Access::Transaction | Access::AcrossStores | Access::Unlimited => {
                self.change_alone(move |connection| work(connection, false))
                    .await
            }
        }
    }
}
