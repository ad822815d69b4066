//! Measures the backlog of an endpoint: the number of events, and the time of the oldest event.

use pressline_backoffice::webhook::Lag;
use pressline_domain::value::{EndpointId, Timestamp};

use super::subscription_values::unsigned;
use crate::cold_store::Db;
use crate::failure::Failure;

pub(super) type LagRow = (i64, Option<i64>);

const HAS_SUBSCRIPTION: &str =
    "store_id IN (SELECT store_id FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id)";

/// Counts the events after the cursors of the endpoint's subscriptions, and the endpoint's open
/// messages. The oldest event of a subscription is the event with the lowest sequence number.
pub(super) fn lag(db: &mut Db<'_>, id: EndpointId) -> Result<Lag, Failure> {
    let mut values = vec![("endpoint_id", id.into())];
    let owner = db.first::<Option<String>>(
        "SELECT store_id FROM webhook_endpoints WHERE endpoint_id = :endpoint_id",
        &values,
    )?;
    // A store's endpoint has a single subscription; nothing else is read for it.
    let (of_counter, of_message) = match owner.flatten() {
        Some(owner) => {
            values.push(("owner", owner.into()));
            ("counter.store_id = :owner", "store_id = :owner")
        }
        None => ("true", HAS_SUBSCRIPTION),
    };
    let after_cursors = after_cursors(db.dialect.counters, of_counter);
    let messages = open_messages(of_message);
    let mut lag = Lag::default();
    for text in [&after_cursors, &messages] {
        for (events, oldest) in db.load::<LagRow>(text, &values)? {
            lag.events = lag.events.saturating_add(unsigned(events));
            let oldest = oldest.map(Timestamp::from_millis);
            lag.oldest = lag.oldest.into_iter().chain(oldest).min();
        }
    }
    Ok(lag)
}

/// Selects the event counters to read by the SQL condition `of_counter`.
fn after_cursors(counters: &str, of_counter: &str) -> String {
    format!(
        "SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT), MIN(happened_at)
         FROM (
             SELECT
                 counter.last_sequence - COALESCE(subscription.cursor, 0)
                 -- Without the sequences that were skipped after a restore.
                 - COALESCE(
                     (
                         SELECT SUM(
                             skipped.last_sequence
                             - CASE
                                 WHEN skipped.after_sequence > COALESCE(subscription.cursor, 0)
                                 THEN skipped.after_sequence
                                 ELSE COALESCE(subscription.cursor, 0)
                             END
                         )
                         FROM skipped_counters AS skipped
                         WHERE skipped.store_id = counter.store_id
                           AND skipped.last_sequence > COALESCE(subscription.cursor, 0)
                     ),
                     0
                 ) AS events,
                 -- Looked up by its key: a join could read all events.
                 (
                     SELECT order_events.happened_at
                     FROM order_events
                     WHERE order_events.store_id = counter.store_id
                       AND order_events.sequence > COALESCE(subscription.cursor, 0)
                     ORDER BY order_events.sequence
                     LIMIT 1
                 ) AS happened_at
             FROM webhook_endpoints AS endpoint
             CROSS JOIN {counters} AS counter
             LEFT JOIN webhook_subscriptions AS subscription
                 ON subscription.store_id = counter.store_id AND subscription.endpoint_id = endpoint.endpoint_id
             WHERE endpoint.endpoint_id = :endpoint_id
               AND {of_counter}
               AND counter.last_sequence > COALESCE(subscription.cursor, 0)
               AND (
                   subscription.subscribed
                   -- A store that was created after an endpoint of all stores.
                   OR subscription.endpoint_id IS NULL
                      AND endpoint.store_id IS NULL
                      AND endpoint.stores IS NULL
               )
         ) AS behind"
    )
}

/// Selects the messages by the SQL condition `of_message` on their store.
fn open_messages(of_message: &str) -> String {
    format!(
        "SELECT CAST(COALESCE(SUM(messages), 0) AS BIGINT), MIN(happened_at)
         FROM (
             SELECT
                 open.messages,
                 (
                     SELECT order_events.happened_at
                     FROM order_events
                     WHERE order_events.store_id = open.store_id
                       AND order_events.sequence = open.first
                 ) AS happened_at
             FROM (
                 SELECT store_id, COUNT(*) AS messages, MIN(sequence) AS first
                 FROM webhook_messages
                 WHERE endpoint_id = :endpoint_id
                   AND {of_message}
                 GROUP BY store_id
             ) AS open
         ) AS behind"
    )
}
