//! Resends events that an endpoint has not accepted, in batches of one subscription.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{EndpointRecord, RecoverFrom, SubscriptionKey};
use pressline_domain::event::EventType;
use pressline_domain::value::Timestamp;

use super::subscription::subscription_key;
use super::subscription_values::{of_subscription, unsigned};
use crate::cold_store::Db;
use crate::dialect::Texts;
use crate::failure::Failure;
use crate::json;

/// Maximum number of events to resend per transaction.
const BATCH: u64 = 2_000;
/// Maximum time, in milliseconds, by which an event can be older than an event with a lower
/// sequence number: a change waits for its transaction, and servers' clocks differ.
const DISORDER: i64 = 600_000;

/// Subscription with a range of events that may have to be resent.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecoverPlan {
    subscription: SubscriptionKey,
    /// Sequence number just before the first event of the range.
    after: u64,
    /// Sequence number of the last event of the range.
    until: u64,
    since: Timestamp,
}

impl RecoverPlan {
    /// Splits the range into batches of up to [`BATCH`] events, in ascending order.
    pub(super) fn batches(self) -> impl Iterator<Item = Self> {
        let step = usize::try_from(BATCH).unwrap_or(usize::MAX);
        let starts = (self.after..self.until).step_by(step);
        starts.map(move |after| Self {
            after,
            until: self.until.min(after.saturating_add(BATCH)),
            ..self
        })
    }
}

/// Returns at most one range per subscription of `endpoint`. A range may begin with events older
/// than `from` and `oldest` allow: `recover` leaves these events out.
pub(super) fn recoverable(
    db: &mut Db<'_>,
    endpoint: &EndpointRecord,
    from: RecoverFrom,
    oldest: Timestamp,
) -> Result<Vec<RecoverPlan>, Failure> {
    let (after, since) = match from {
        RecoverFrom::After(sequence) => (sequence, oldest),
        RecoverFrom::Since(moment) => (0, oldest.max(moment)),
    };
    // Excludes subscriptions with a latest event that is too old.
    let earliest = since.as_millis().saturating_sub(DISORDER);
    let rows = db.load::<(String, String, i64)>(
        "SELECT subscription.store_id, subscription.endpoint_id, order_events.sequence
         FROM webhook_subscriptions AS subscription
         JOIN event_counters AS counter ON counter.store_id = subscription.store_id
         JOIN order_events
             ON order_events.store_id = subscription.store_id
             AND order_events.sequence = CASE
                 WHEN subscription.cursor < counter.last_sequence THEN subscription.cursor
                 ELSE counter.last_sequence
             END
         WHERE subscription.endpoint_id = :endpoint_id
           AND subscription.subscribed
           AND order_events.sequence > :after
           AND order_events.happened_at >= :earliest",
        &[
            ("endpoint_id", endpoint.endpoint.id.into()),
            ("after", after.into()),
            ("earliest", earliest.into()),
        ],
    )?;
    // The cursor's event or the latest event, whichever comes first, ends the range.
    let mut plans = Vec::with_capacity(rows.len());
    for (store, id, last) in rows {
        let subscription = subscription_key(&(store, id))?;
        let until = unsigned(last);
        plans.push(RecoverPlan {
            subscription,
            after: last_before(db, subscription, (after, until), earliest)?,
            until,
            since,
        });
    }
    Ok(plans)
}

/// Returns the sequence number of the last event, from `low` to `high`, that happened before
/// `earliest` (Unix milliseconds); `low` if no event after `low` did. Uses a binary search: times
/// have no index, but events are almost in order of time.
fn last_before(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    (mut low, mut high): (u64, u64),
    earliest: i64,
) -> Result<u64, Failure> {
    while low < high {
        let middle = low + (high - low) / 2;
        let happened = db.load::<i64>(
            "SELECT happened_at
             FROM order_events
             WHERE store_id = :store_id
               AND sequence = :sequence",
            &of_subscription(subscription, [("sequence", (middle + 1).into())]),
        )?;
        // A missing event does not count as too old.
        if happened.first().is_some_and(|time| *time < earliest) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Adds messages for the events of a range, without the events that the endpoint accepted once, even
/// if a later attempt failed.
const ADD_MESSAGES: Texts = Texts {
    postgres: "INSERT INTO webhook_messages (
             store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
         )
         SELECT store_id, :endpoint_id, sequence, order_uuid, 0, :now, false
         FROM order_events
         WHERE store_id = :store_id
           AND sequence > :after
           AND sequence <= :until
           AND happened_at >= :since
           AND (:all_types OR kind = ANY(ARRAY(SELECT json_array_elements_text(:types::json))))
           AND NOT EXISTS (
               SELECT 1
               FROM webhook_deliveries AS taken
               WHERE taken.store_id = :store_id
                 AND taken.endpoint_id = :endpoint_id
                 AND taken.sequence = order_events.sequence
                 -- Bounds a plan that reads all deliveries of the subscription to the batch.
                 AND taken.sequence > :after
                 AND taken.sequence <= :until
                 AND taken.error IS NULL
           )
         ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
         SET attempts = 0, due = excluded.due, waits = false",
    sqlite: "INSERT INTO webhook_messages (
             store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
         )
         SELECT store_id, :endpoint_id, sequence, order_uuid, 0, :now, false
         FROM order_events
         WHERE store_id = :store_id
           AND sequence > :after
           AND sequence <= :until
           AND happened_at >= :since
           AND (:all_types OR kind IN (SELECT value FROM json_each(:types)))
           AND NOT EXISTS (
               SELECT 1
               FROM webhook_deliveries AS taken
               WHERE taken.store_id = :store_id
                 AND taken.endpoint_id = :endpoint_id
                 AND taken.sequence = order_events.sequence
                 -- Bounds a plan that reads all deliveries of the subscription to the batch.
                 AND taken.sequence > :after
                 AND taken.sequence <= :until
                 AND taken.error IS NULL
           )
         ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
         SET attempts = 0, due = excluded.due, waits = false",
};

/// Adds due messages for the events of `plan` that the endpoint has not accepted. `types` are the
/// types of the events to resend; empty for all types.
pub(super) fn recover(
    db: &mut Db<'_>,
    plan: RecoverPlan,
    types: &BTreeSet<EventType>,
    now: Timestamp,
) -> Result<u64, Failure> {
    let values = of_subscription(
        plan.subscription,
        [
            ("after", plan.after.into()),
            ("until", plan.until.into()),
            ("since", plan.since.into()),
            ("now", now.into()),
            ("all_types", types.is_empty().into()),
            ("types", json::write(types)?.into()),
        ],
    );
    // Locks the subscription. Its owner may have moved the cursor back meanwhile; then nothing is
    // added.
    let locked = db.execute(
        "UPDATE webhook_subscriptions
         SET next_due = CASE WHEN next_due < :now THEN next_due ELSE :now END
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND subscribed
           AND cursor >= :until",
        &values,
    )?;
    if locked == 0 {
        return Ok(0);
    }
    Ok(db.execute(ADD_MESSAGES, &values)? as u64)
}
