//! Webhooks in PostgreSQL. The statements are those of the store kit.

mod directory;
mod lanes;
mod log;

use diesel::Connection;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{WebhookDialect, Webhooks};

use crate::PostgresStore;
use crate::error::Failure;
use crate::store::LOCKS;

pub(crate) const DIALECT: WebhookDialect = WebhookDialect {
    counters: "event_counters",
    // An array, by whose elements an index is read.
    in_texts: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)))",
    in_numbers: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)::bigint))",
    rows,
};

fn webhooks(connection: &mut PgConnection) -> Webhooks<'_, PgConnection, Failure> {
    Webhooks::new(connection, LOCKS, &DIALECT)
}

impl PostgresStore {
    /// Does work in one transaction. It may be done twice, if the result of its commit was lost.
    async fn in_transaction<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut PgConnection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        self.pool
            .call(move |connection, _| connection.transaction(|connection| work(connection)))
            .await
    }
}

/// Lets Citus change the tables that every node has a copy of after those of several stores, in this transaction.
pub(crate) fn one_by_one(connection: &mut PgConnection, distributed: bool) -> Result<(), Failure> {
    if distributed {
        connection.batch_execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")?;
    }
    Ok(())
}

/// Rows of a JSON list of objects.
fn rows(columns: &[(&str, &str)]) -> String {
    let columns = columns.iter().map(|(name, kind)| format!("{name} {kind}"));
    let columns: Vec<String> = columns.collect();
    format!(
        "json_to_recordset(:rows::json) AS given({})",
        columns.join(", ")
    )
}
