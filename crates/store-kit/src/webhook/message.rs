//! Reading the open messages of a lane.

use std::collections::BTreeSet;

use diesel::connection::LoadConnection;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{LaneKey, OpenMessage};

use super::{Webhooks, of_lane};
use crate::cold::{Cold, Value, load};
use crate::corrupt::StoredRow;
use crate::json;

/// Sequence, order, attempts, due time, and whether it waits.
pub(super) type MessageSql = (BigInt, Nullable<Text>, BigInt, BigInt, Bool);
pub(super) type MessageRow = (i64, Option<String>, i64, i64, bool);

impl<C, F> Webhooks<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    for<'q> Cold<Text>: LoadQuery<'q, C, String>,
    for<'q> Cold<MessageSql>: LoadQuery<'q, C, MessageRow>,
{
    /// Returns messages of a lane that are due, of each order the first one.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn due(
        &mut self,
        lane: LaneKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>, F> {
        let rows = load::<MessageSql, MessageRow, _>(
            self.connection,
            "SELECT sequence, order_uuid, attempts, due, waits
             FROM webhook_messages AS message
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND due <= :now
               -- Looked up message by message, until there are enough: a join would read all that are due.
               AND (
                   SELECT MIN(earlier.sequence)
                   FROM webhook_messages AS earlier
                   WHERE earlier.store_id = :store_id
                     AND earlier.endpoint_id = :endpoint_id
                     AND earlier.order_uuid = message.order_uuid
                     AND earlier.sequence < message.sequence
                     AND earlier.due <= :now
               ) IS NULL
             ORDER BY due, sequence
             LIMIT :limit",
            &of_lane(
                lane,
                [
                    ("now", Value::BigInt(now.as_millis())),
                    ("limit", Value::BigInt(i64::from(limit))),
                ],
            ),
        )?;
        let messages = rows.into_iter().map(|row| restored(lane, row));
        Ok(messages.collect::<Result<_, _>>()?)
    }

    /// Returns the message of a lane with the lowest sequence.
    ///
    /// # Errors
    /// As [`due`](Self::due).
    pub fn oldest(&mut self, lane: LaneKey) -> Result<Option<OpenMessage>, F> {
        let rows = load::<MessageSql, MessageRow, _>(
            self.connection,
            "SELECT sequence, order_uuid, attempts, due, waits
             FROM webhook_messages
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
             ORDER BY sequence
             LIMIT 1",
            &of_lane(lane, []),
        )?;
        let first = rows.into_iter().next();
        Ok(first.map(|row| restored(lane, row)).transpose()?)
    }

    /// Returns which of these orders have messages in a lane.
    ///
    /// # Errors
    /// As [`due`](Self::due).
    pub fn blocked(
        &mut self,
        lane: LaneKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>, F> {
        let ids: Vec<String> = orders.iter().map(OrderId::to_string).collect();
        let text = format!(
            "SELECT DISTINCT order_uuid
             FROM webhook_messages
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND order_uuid {}",
            self.dialect.in_texts(":orders")
        );
        let values = of_lane(lane, [("orders", Value::Text(json::write(&ids)?))]);
        let found = load::<Text, String, _>(self.connection, &text, &values)?;
        let found: BTreeSet<String> = found.into_iter().collect();
        let is_found = |order: &&OrderId| found.contains(&order.to_string());
        Ok(orders.iter().filter(is_found).copied().collect())
    }
}

/// Returns the message of a row.
fn restored(
    lane: LaneKey,
    (sequence, order, attempts, due, waits): MessageRow,
) -> Result<OpenMessage, RepositoryError> {
    let (store_id, endpoint_id) = (lane.store.to_string(), lane.endpoint.to_string());
    let place = sequence.to_string();
    let stored = StoredRow("webhook_messages", &[&store_id, &endpoint_id, &place]);
    Ok(OpenMessage {
        sequence: stored.read("sequence", u64::try_from(sequence))?,
        order: stored.read_option("order_uuid", order.as_deref(), str::parse)?,
        attempts: stored.read("attempts", u32::try_from(attempts))?,
        due: Timestamp::from_millis(due),
        waits,
    })
}
