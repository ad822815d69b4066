//! Stores the results of a delivery run.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{
    Delivery, EndpointChange, OpenMessage, RecordResult, SubscriptionKey, SubscriptionOutcome,
};
use pressline_domain::value::Timestamp;
use serde_json::json;

use super::endpoint::{find, set_state};
use super::row::DeliveryRow;
use super::subscription_values::of_subscription;
use crate::cold_store::Db;
use crate::dialect::Texts;
use crate::event::append_endpoint_event;
use crate::failure::Failure;
use crate::json;
use crate::sql::Value;

/// Unless the result is [`RecordResult::Done`], the caller must roll back the transaction.
pub(super) fn record(
    db: &mut Db<'_>,
    outcome: &SubscriptionOutcome,
) -> Result<RecordResult, Failure> {
    // First, because `move_cursor` also locks the subscription.
    if !move_cursor(db, outcome)? {
        return Ok(RecordResult::LeaseLost);
    }
    let subscription = outcome.subscription.key;
    if let Some(change) = &outcome.endpoint
        && !set_state(db, subscription.endpoint, change.state, change.expected)?
    {
        return Ok(RecordResult::EndpointChanged);
    }
    change_messages(db, outcome)?;
    supersede(db, subscription, &outcome.deliveries)?;
    add_deliveries(db, &superseded(&outcome.deliveries))?;
    // Last, because the new event locks the store's event counter, which orders need too.
    if let Some(disabled) = outcome.endpoint.and_then(|change| change.announced) {
        let event = disabled.event(subscription.endpoint);
        append_endpoint_event(db, subscription.store, &event)?;
    }
    Ok(RecordResult::Done)
}

/// Returns `true` if an earlier attempt to store `outcome` was committed although it returned an
/// error. Looks up the first delivery or, without deliveries, the endpoint's state.
pub(super) fn is_recorded(db: &mut Db<'_>, outcome: &SubscriptionOutcome) -> Result<bool, Failure> {
    let subscription = outcome.subscription.key;
    if let Some(first) = outcome.deliveries.first() {
        let ids = db.load::<String>(
            "SELECT delivery_id
             FROM webhook_deliveries
             WHERE store_id = :store_id
               AND delivery_id = :delivery_id",
            &of_subscription(subscription, [("delivery_id", first.id.into())]),
        )?;
        return Ok(!ids.is_empty());
    }
    let Some(EndpointChange {
        state, expected, ..
    }) = &outcome.endpoint
    else {
        // Nothing to compare: storing the results again has the same effect.
        return Ok(false);
    };
    Ok(find(db, subscription.endpoint)?.is_some_and(|record| {
        record.version == expected.saturating_add(1) && record.state == *state
    }))
}

/// Leaves deliveries that the log already contains unchanged.
pub(super) fn add_deliveries(db: &mut Db<'_>, deliveries: &[Delivery]) -> Result<(), Failure> {
    if deliveries.is_empty() {
        return Ok(());
    }
    let delivery_rows: Vec<DeliveryRow> = deliveries.iter().map(DeliveryRow::new).collect();
    let text = Texts {
        postgres: include_str!("sql/add_deliveries.postgres.sql"),
        sqlite: include_str!("sql/add_deliveries.sqlite.sql"),
    };
    let rows = [("rows", json::write(&delivery_rows)?.into())];
    db.run(text, &rows)
}

/// Locks the subscription. Returns `false` if it no longer has the lease of `outcome`.
fn move_cursor(db: &mut Db<'_>, outcome: &SubscriptionOutcome) -> Result<bool, Failure> {
    let until = outcome.leased_until.map(Timestamp::as_millis);
    let moved = db.execute(
        "UPDATE webhook_subscriptions
         SET
             cursor = :cursor,
             leased_until = :until,
             served_at = :at,
             restarts = CASE WHEN cursor = :cursor AND :is_held = 1 THEN restarts ELSE 0 END
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND lease = :lease",
        &of_subscription(
            outcome.subscription.key,
            [
                ("cursor", outcome.subscription.cursor.into()),
                ("until", until.into()),
                ("is_held", i64::from(until.is_some()).into()),
                ("at", outcome.at.into()),
                ("lease", outcome.subscription.lease.into()),
            ],
        ),
    )?;
    Ok(moved > 0)
}

/// A healthy subscription has no messages to change.
fn change_messages(db: &mut Db<'_>, outcome: &SubscriptionOutcome) -> Result<(), Failure> {
    let subscription = outcome.subscription.key;
    if outcome.open.is_empty() && outcome.settled.is_empty() && outcome.released.is_empty() {
        return Ok(());
    }
    if !outcome.settled.is_empty() {
        let text = Texts {
            postgres:
                "DELETE FROM webhook_messages
                 WHERE store_id = :store_id
                   AND endpoint_id = :endpoint_id
                   AND sequence = ANY(ARRAY(SELECT json_array_elements_text(:settled::json)::bigint))",
            sqlite:
                "DELETE FROM webhook_messages
                 WHERE store_id = :store_id
                   AND endpoint_id = :endpoint_id
                   AND sequence IN (SELECT value FROM json_each(:settled))",
        };
        let settled = Value::from(json::write(&outcome.settled)?);
        db.execute(text, &of_subscription(subscription, [("settled", settled)]))?;
    }
    open_messages(db, subscription, &outcome.open)?;
    release(db, outcome)?;
    db.run(
        "UPDATE webhook_subscriptions
         SET next_due = (
             SELECT MIN(due)
             FROM webhook_messages AS message
             WHERE message.store_id = :store_id
               AND message.endpoint_id = :endpoint_id
         )
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id",
        &of_subscription(subscription, []),
    )
}

fn open_messages(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    open: &[OpenMessage],
) -> Result<(), Failure> {
    if open.is_empty() {
        return Ok(());
    }
    let row = |message: &OpenMessage| {
        json!({
            "sequence": message.sequence,
            "order_uuid": message.order,
            "attempts": message.attempts,
            "due": message.due.as_millis(),
            "waits": message.waits,
        })
    };
    let message_rows: Vec<_> = open.iter().map(row).collect();
    let text = Texts {
        postgres: include_str!("sql/open_messages.postgres.sql"),
        sqlite: include_str!("sql/open_messages.sqlite.sql"),
    };
    let rows = Value::from(json::write(&message_rows)?);
    db.run(text, &of_subscription(subscription, [("rows", rows)]))
}

/// Makes the first message of each order in `outcome.released` due at `outcome.at` if the message
/// waits for an earlier event.
fn release(db: &mut Db<'_>, outcome: &SubscriptionOutcome) -> Result<(), Failure> {
    if outcome.released.is_empty() {
        return Ok(());
    }
    let text = Texts {
        postgres:
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
                     AND message.order_uuid = ANY(ARRAY(SELECT json_array_elements_text(:orders::json)))
                   GROUP BY message.order_uuid
               )",
        sqlite:
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
                     AND message.order_uuid IN (SELECT value FROM json_each(:orders))
                   GROUP BY message.order_uuid
               )",
    };
    let values = of_subscription(
        outcome.subscription.key,
        [
            ("at", outcome.at.into()),
            ("orders", json::write(&outcome.released)?.into()),
        ],
    );
    db.run(text, &values)
}

/// Clears `next_attempt_at` of the stored deliveries of the same events.
fn supersede(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    deliveries: &[Delivery],
) -> Result<(), Failure> {
    let numbers: Vec<u64> = deliveries
        .iter()
        .filter_map(|delivery| delivery.event.sequence)
        .collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let text = Texts {
        postgres:
            "UPDATE webhook_deliveries
             SET next_attempt_at = NULL
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND next_attempt_at IS NOT NULL
               AND sequence = ANY(ARRAY(SELECT json_array_elements_text(:sequences::json)::bigint))",
        sqlite: "UPDATE webhook_deliveries
             SET next_attempt_at = NULL
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
               AND next_attempt_at IS NOT NULL
               AND sequence IN (SELECT value FROM json_each(:sequences))",
    };
    let sequences = Value::from(json::write(&numbers)?);
    db.run(
        text,
        &of_subscription(subscription, [("sequences", sequences)]),
    )
}

/// Only the last delivery of each event keeps its `next_attempt_at`.
fn superseded(deliveries: &[Delivery]) -> Vec<Delivery> {
    let mut later = BTreeSet::new();
    let mut updated = deliveries.to_vec();
    for delivery in updated.iter_mut().rev() {
        let sequence = delivery.event.sequence;
        if sequence.is_some_and(|sequence| !later.insert(sequence)) {
            delivery.next_attempt_at = None;
        }
    }
    updated
}
