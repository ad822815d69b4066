//! Moving what is due later at a store's own endpoints nearer.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;

use super::Webhooks;
use crate::cold::{Cold, Value, execute};

impl<C, F> Webhooks<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
{
    /// Moves due messages, next attempts, pauses and the beginning of failures back by a number of
    /// seconds.
    ///
    /// # Errors
    /// As the database fails.
    pub fn advance(&mut self, store: StoreId, seconds: u32) -> Result<(), F> {
        let values = [
            ("store_id", Value::text(&store.to_string())),
            ("millis", Value::BigInt(i64::from(seconds) * 1000)),
        ];
        // In the order in which an outcome locks: lanes first, then the endpoint.
        for (table, columns) in [
            ("webhook_lanes", "next_due = next_due - :millis"),
            ("webhook_messages", "due = due - :millis"),
            (
                "webhook_deliveries",
                "next_attempt_at = next_attempt_at - :millis",
            ),
        ] {
            let text = format!(
                "UPDATE {table}
                 SET {columns}
                 WHERE store_id = :store_id
                   AND endpoint_id IN (
                       SELECT endpoint_id FROM webhook_endpoints WHERE store_id = :store_id
                   )"
            );
            execute(self.connection, &text, &values)?;
        }
        execute(
            self.connection,
            "UPDATE webhook_endpoints
             SET paused_until = paused_until - :millis, failing_since = failing_since - :millis,
                 version = version + 1
             WHERE store_id = :store_id",
            &values,
        )?;
        Ok(())
    }
}
