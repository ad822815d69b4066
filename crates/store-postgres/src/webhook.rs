//! Runs the statements of the store kit in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::Connection;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Access, Backend, Dialect, RowLocks, Work, blocking};

use crate::PostgresStore;
use crate::error::{Failure, repository};
use crate::session::{Plans, without_time_limit};

pub(crate) const DIALECT: Dialect = Dialect {
    locks: RowLocks {
        shared: "FOR SHARE",
        exclusive: "FOR UPDATE",
    },
    counters: "event_counters",
    begin_store: "INSERT INTO event_counters (store_id, last_sequence) VALUES (:store_id, 0)",
    // An array rather than a subquery, because the planner reads an index by its elements.
    in_texts: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)))",
    in_numbers: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)::bigint))",
    rows,
};

fn rows(columns: &[(&str, &str)]) -> String {
    let columns = columns.iter().map(|(name, kind)| format!("{name} {kind}"));
    let columns: Vec<String> = columns.collect();
    format!(
        "json_to_recordset(:rows::json) AS given({})",
        columns.join(", ")
    )
}

#[async_trait]
impl Backend for PostgresStore {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    async fn run(&self, access: Access, mut work: Work) -> Result<(), RepositoryError> {
        match access {
            Access::Read | Access::Change => {
                self.pool
                    .call(move |connection, in_doubt| work(connection, in_doubt))
                    .await
            }
            Access::Search(store) => {
                self.pool
                    .search(&store.to_string(), move |connection| {
                        work(connection, false)
                    })
                    .await
            }
            Access::Transaction => {
                self.pool
                    .call(move |connection, in_doubt| {
                        connection.transaction(|connection| work(connection, in_doubt))
                    })
                    .await
            }
            Access::AcrossStores => {
                let pool = Arc::clone(&self.pool);
                self.pool
                    .call(move |connection, in_doubt| {
                        connection.transaction(|connection| {
                            one_by_one(connection, pool.is_distributed())?;
                            work(connection, in_doubt)
                        })
                    })
                    .await
            }
            Access::Unlimited => self.run_unlimited(work).await,
        }
    }
}

impl PostgresStore {
    /// Runs `work` in a transaction on a connection outside the pool, without the time limits of a
    /// call.
    async fn run_unlimited(&self, mut work: Work) -> Result<(), RepositoryError> {
        let manager = self.pool.manager();
        blocking(move || {
            let mut connection = manager
                .open(Plans::Auto)
                .map_err(|error| RepositoryError::Unavailable(error.into()))?;
            let done = connection.transaction(|connection| {
                without_time_limit(connection)?;
                work(connection, false)
            });
            done.map_err(|failure| repository(failure, false))
        })
        .await
    }
}

/// Lets Citus change reference tables after tables of several stores, in this transaction. Does
/// nothing unless `distributed`.
fn one_by_one(connection: &mut PgConnection, distributed: bool) -> Result<(), Failure> {
    if distributed {
        connection.batch_execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")?;
    }
    Ok(())
}
