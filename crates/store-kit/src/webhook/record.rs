//! Storing what came of a worker's look at a lane.

use std::collections::BTreeSet;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{BigInt, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{
    Delivery, EndpointChange, LaneKey, LaneOutcome, OpenMessage, Recorded,
};
use serde::Serialize;

use super::endpoint::EndpointSql;
use super::row::{DeliveryRow, EndpointRow, SecretRow};
use super::{Webhooks, number, of_lane};
use crate::cold::{Cold, Value, execute, load};
use crate::event::append_endpoint_event;
use crate::json;

/// A message as the statement takes it.
#[derive(Serialize)]
struct GivenMessage {
    sequence: i64,
    order_uuid: Option<String>,
    attempts: u32,
    due: i64,
    waits: bool,
}

/// The columns of [`GivenMessage`].
const MESSAGE: [(&str, &str); 5] = [
    ("sequence", "bigint"),
    ("order_uuid", "text"),
    ("attempts", "bigint"),
    ("due", "bigint"),
    ("waits", "boolean"),
];

impl<C, F> Webhooks<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<Text>: LoadQuery<'q, C, String>,
    for<'q> Cold<BigInt>: LoadQuery<'q, C, i64>,
    for<'q> Cold<EndpointSql>: LoadQuery<'q, C, (EndpointRow, Option<SecretRow>)>,
{
    /// Stores an outcome within a transaction, which must be undone if this returns anything but
    /// [`Recorded::Done`].
    ///
    /// # Errors
    /// As the database fails.
    pub fn record(&mut self, outcome: &LaneOutcome) -> Result<Recorded, F> {
        if !self.move_cursor(outcome)? {
            return Ok(Recorded::LeaseLost);
        }
        let lane = outcome.lane.key;
        if let Some(change) = &outcome.endpoint
            && !self.set_state(lane.endpoint, change.state, change.expected)?
        {
            return Ok(Recorded::EndpointChanged);
        }
        self.change_messages(outcome)?;
        self.supersede(lane, &outcome.deliveries)?;
        self.add_deliveries(&superseded(&outcome.deliveries))?;
        // Last, because it locks the counter of the store's events.
        if let Some(disabled) = outcome.endpoint.and_then(|change| change.announced) {
            let event = disabled.event(lane.endpoint);
            let counters = self.dialect.counters;
            append_endpoint_event::<_, F>(self.connection, counters, lane.store, &event)?;
        }
        Ok(Recorded::Done)
    }

    /// Returns whether an outcome was stored, by its first delivery or by the endpoint's state: an earlier
    /// try may have been committed although it failed.
    ///
    /// # Errors
    /// As the database fails.
    pub fn is_recorded(&mut self, outcome: &LaneOutcome) -> Result<bool, F> {
        let lane = outcome.lane.key;
        if let Some(first) = outcome.deliveries.first() {
            let found = load::<Text, String, _>(
                self.connection,
                "SELECT delivery_id
                 FROM webhook_deliveries
                 WHERE store_id = :store_id
                   AND delivery_id = :delivery_id",
                &of_lane(lane, [("delivery_id", Value::text(&first.id.to_string()))]),
            )?;
            return Ok(!found.is_empty());
        }
        let Some(EndpointChange {
            state, expected, ..
        }) = &outcome.endpoint
        else {
            // It can be stored again.
            return Ok(false);
        };
        let found = self.find(lane.endpoint)?;
        Ok(found.is_some_and(|record| {
            record.version == expected.saturating_add(1) && record.state == *state
        }))
    }

    /// Adds attempts to the log. One that is in it is left as it is.
    ///
    /// # Errors
    /// As the database fails.
    pub fn add_deliveries(&mut self, deliveries: &[Delivery]) -> Result<(), F> {
        if deliveries.is_empty() {
            return Ok(());
        }
        let rows: Vec<DeliveryRow> = deliveries.iter().map(DeliveryRow::of).collect();
        let text = format!(
            "INSERT INTO webhook_deliveries ({{webhook_deliveries}})
             SELECT {{given.webhook_deliveries}}
             FROM {}
             WHERE true
             ON CONFLICT (store_id, delivery_id) DO NOTHING",
            (self.dialect.rows)(&DeliveryRow::TYPES)
        );
        let rows = [("rows", Value::Text(json::write(&rows)?))];
        execute(self.connection, &text, &rows)?;
        Ok(())
    }

    /// Moves the cursor of a lane and its lease. Locks the lane. Returns false if the lease is not the
    /// latest one.
    fn move_cursor(&mut self, outcome: &LaneOutcome) -> Result<bool, F> {
        let until = outcome.leased_until.map(Timestamp::as_millis);
        let moved = execute(
            self.connection,
            "UPDATE webhook_lanes
             SET cursor = :cursor, leased_until = :until, served_at = :at
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND lease = :lease",
            &of_lane(
                outcome.lane.key,
                [
                    ("cursor", Value::BigInt(number(outcome.lane.cursor))),
                    ("until", Value::OptionalBigInt(until)),
                    ("at", Value::BigInt(outcome.at.as_millis())),
                    ("lease", Value::BigInt(number(outcome.lane.lease))),
                ],
            ),
        )?;
        Ok(moved > 0)
    }

    /// Stores the messages of an outcome. A healthy lane has none.
    fn change_messages(&mut self, outcome: &LaneOutcome) -> Result<(), F> {
        let lane = outcome.lane.key;
        if outcome.open.is_empty() && outcome.settled.is_empty() && outcome.released.is_empty() {
            return Ok(());
        }
        if !outcome.settled.is_empty() {
            let text = format!(
                "DELETE FROM webhook_messages
                 WHERE store_id = :store_id
                   AND endpoint_id = :endpoint_id
                   AND sequence {}",
                self.dialect.in_numbers(":settled")
            );
            let settled = Value::Text(json::write(&outcome.settled)?);
            execute(
                self.connection,
                &text,
                &of_lane(lane, [("settled", settled)]),
            )?;
        }
        self.open_messages(lane, &outcome.open)?;
        self.release(outcome)?;
        execute(
            self.connection,
            "UPDATE webhook_lanes
             SET next_due = (
                 SELECT MIN(due)
                 FROM webhook_messages AS message
                 WHERE message.store_id = :store_id
                   AND message.endpoint_id = :endpoint_id
             )
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id",
            &of_lane(lane, []),
        )?;
        Ok(())
    }

    /// Adds messages, or gives them other values.
    fn open_messages(&mut self, lane: LaneKey, open: &[OpenMessage]) -> Result<(), F> {
        if open.is_empty() {
            return Ok(());
        }
        let rows: Vec<GivenMessage> = open.iter().map(GivenMessage::of).collect();
        let text = format!(
            "INSERT INTO webhook_messages (
                 store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
             )
             SELECT :store_id, :endpoint_id, sequence, order_uuid, attempts, due, waits
             FROM {}
             WHERE true
             ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
             SET attempts = excluded.attempts, due = excluded.due, waits = excluded.waits",
            (self.dialect.rows)(&MESSAGE)
        );
        let rows = Value::Text(json::write(&rows)?);
        execute(self.connection, &text, &of_lane(lane, [("rows", rows)]))?;
        Ok(())
    }

    /// Makes the first message of each released order due, if it waits.
    fn release(&mut self, outcome: &LaneOutcome) -> Result<(), F> {
        if outcome.released.is_empty() {
            return Ok(());
        }
        let orders: Vec<String> = outcome.released.iter().map(OrderId::to_string).collect();
        let text = format!(
            "UPDATE webhook_messages
             SET waits = false, due = :at
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND waits
               AND sequence IN (
                   SELECT MIN(message.sequence)
                   FROM webhook_messages AS message
                   WHERE message.store_id = :store_id
                     AND message.endpoint_id = :endpoint_id
                     AND message.order_uuid {}
                   GROUP BY message.order_uuid
               )",
            self.dialect.in_texts(":orders")
        );
        let values = of_lane(
            outcome.lane.key,
            [
                ("at", Value::BigInt(outcome.at.as_millis())),
                ("orders", Value::Text(json::write(&orders)?)),
            ],
        );
        execute(self.connection, &text, &values)?;
        Ok(())
    }

    /// Clears the next attempts of earlier deliveries of the same events.
    fn supersede(&mut self, lane: LaneKey, deliveries: &[Delivery]) -> Result<(), F> {
        let sequences = deliveries
            .iter()
            .filter_map(|delivery| delivery.event.sequence);
        let sequences: Vec<u64> = sequences.collect();
        if sequences.is_empty() {
            return Ok(());
        }
        let text = format!(
            "UPDATE webhook_deliveries
             SET next_attempt_at = NULL
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND next_attempt_at IS NOT NULL
               AND sequence {}",
            self.dialect.in_numbers(":sequences")
        );
        let sequences = Value::Text(json::write(&sequences)?);
        execute(
            self.connection,
            &text,
            &of_lane(lane, [("sequences", sequences)]),
        )?;
        Ok(())
    }
}

/// Returns deliveries of which only the last one of each event has a next attempt.
fn superseded(deliveries: &[Delivery]) -> Vec<Delivery> {
    let mut later = BTreeSet::new();
    let mut kept = deliveries.to_vec();
    for delivery in kept.iter_mut().rev() {
        let sequence = delivery.event.sequence;
        if sequence.is_some_and(|sequence| !later.insert(sequence)) {
            delivery.next_attempt_at = None;
        }
    }
    kept
}

impl GivenMessage {
    fn of(message: &OpenMessage) -> Self {
        Self {
            sequence: number(message.sequence),
            order_uuid: message.order.map(|order| order.to_string()),
            attempts: message.attempts,
            due: message.due.as_millis(),
            waits: message.waits,
        }
    }
}
