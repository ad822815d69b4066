//! Resends events, and removes old deliveries from the delivery log.

use std::collections::BTreeMap;

use pressline_backoffice::webhook::SubscriptionKey;
use pressline_domain::value::time::Timestamp;

use super::search::{NO_STORE, SLACK, lowest_id};
use super::subscription_values::of_subscription;
use crate::cold_store::Db;
use crate::cold_value::{Value, Values};
use crate::failure::Failure;
use crate::json;

pub(super) type OldestRow = (String, Option<String>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OldDelivery {
    id: String,
    store_id: String,
}

/// Adds a message for the event with the sequence number `sequence`, due at `now`. Adds no message
/// if the subscription's cursor has not reached the event, because the event is still to be sent.
/// Returns `false` if the store has no event with this number, or if the subscription does not
/// exist.
pub(super) fn resend(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    sequence: u64,
    now: Timestamp,
) -> Result<bool, Failure> {
    let of_event = of_subscription(
        subscription,
        [("sequence", sequence.into()), ("now", now.into())],
    );
    if !can_resend(db, &of_event)? {
        return Ok(false);
    }
    // Locks the subscription. Events after its cursor will be sent anyway.
    let is_reached = db.execute(
        "UPDATE webhook_subscriptions
         SET next_due = CASE WHEN next_due < :now THEN next_due ELSE :now END
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND heard
           AND cursor >= :sequence",
        &of_event,
    )? > 0;
    if is_reached {
        db.execute(
            "INSERT INTO webhook_messages (
                 store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
             )
             SELECT store_id, :endpoint_id, sequence, order_uuid, 0, :now, false
             FROM order_events
             WHERE store_id = :store_id
               AND sequence = :sequence
             ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
             SET attempts = 0, due = excluded.due, waits = false",
            &of_event,
        )?;
    }
    Ok(true)
}

/// Returns `true` if the event and the subscription exist. `of_event` has the parameters that name
/// both. An endpoint of all stores needs no subscription to the event's store yet.
fn can_resend(db: &mut Db<'_>, of_event: &[(&'static str, Value)]) -> Result<bool, Failure> {
    let found = db.load::<i64>(
        "SELECT order_events.sequence
         FROM order_events
         CROSS JOIN webhook_endpoints AS endpoint
         WHERE order_events.store_id = :store_id
           AND order_events.sequence = :sequence
           AND endpoint.endpoint_id = :endpoint_id
           AND (
               endpoint.store_id IS NULL AND endpoint.stores IS NULL
               OR EXISTS (
                   SELECT 1
                   FROM webhook_subscriptions AS subscription
                   WHERE subscription.store_id = :store_id
                     AND subscription.endpoint_id = :endpoint_id
                     AND subscription.heard
               )
           )",
        of_event,
    )?;
    Ok(!found.is_empty())
}

/// Returns up to `limit` deliveries that started before `before`, oldest first.
pub(super) fn old_deliveries(
    db: &mut Db<'_>,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<OldDelivery>, Failure> {
    let oldest = oldest_of_stores(db, before)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut old: Vec<OldDelivery> = Vec::new();
    for (store_id, head) in oldest {
        // Heads are sorted: once the page is full, later stores have no older deliveries.
        let last = old.get(limit.saturating_sub(1));
        if last.is_some_and(|last| Some(&last.id) < head.as_ref()) {
            break;
        }
        let mut values = before_time(before);
        values.push(("store_id", store_id.clone().into()));
        values.push(("limit", (limit as u64).into()));
        let ids = db.load::<String>(
            "SELECT delivery_id
             FROM webhook_deliveries
             WHERE store_id = :store_id
               AND delivery_id < :highest
               AND started_at < :before
             ORDER BY delivery_id
             LIMIT :limit",
            &values,
        )?;
        let store_id = || store_id.clone();
        old.extend(ids.into_iter().map(|id| OldDelivery {
            id,
            store_id: store_id(),
        }));
        old.sort();
        old.truncate(limit);
    }
    Ok(old)
}

/// Returns the stores with deliveries that started before `before`, each with the id of its first
/// delivery, sorted by the id. [`NO_STORE`], for deliveries of no store, comes first.
fn oldest_of_stores(db: &mut Db<'_>, before: Timestamp) -> Result<Vec<OldestRow>, Failure> {
    let text = format!(
        "SELECT store_id, head
         FROM (
             SELECT
                 of_store.store_id,
                 (
                     SELECT MIN(webhook_deliveries.delivery_id)
                     FROM webhook_deliveries
                     WHERE webhook_deliveries.store_id = of_store.store_id
                       AND webhook_deliveries.delivery_id < :highest
                       AND webhook_deliveries.started_at < :before
                 ) AS head
             FROM {counters} AS of_store
         ) AS heads
         WHERE head IS NOT NULL
         ORDER BY head",
        counters = db.dialect.counters
    );
    let found = db.load::<OldestRow>(&text, &before_time(before))?;
    // Test deliveries of the print shop's endpoints belong to no store.
    let tests = (NO_STORE.to_owned(), None);
    Ok([tests].into_iter().chain(found).collect())
}

pub(super) fn remove_deliveries(db: &mut Db<'_>, old: &[OldDelivery]) -> Result<u64, Failure> {
    let mut removed = 0;
    let mut by_store: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for OldDelivery { id, store_id } in old {
        by_store.entry(store_id).or_default().push(id);
    }
    let text = format!(
        "DELETE FROM webhook_deliveries
         WHERE store_id = :store_id
           AND delivery_id {}",
        db.dialect.in_texts(":ids")
    );
    for (store_id, ids) in by_store {
        let values = [
            ("store_id", store_id.into()),
            ("ids", json::text_list(&ids)?.into()),
        ];
        removed += db.execute(&text, &values)? as u64;
    }
    Ok(removed)
}

fn before_time(before: Timestamp) -> Values {
    // Ids sort by creation time, which may differ from `started_at` by up to `SLACK`.
    let highest = lowest_id(before.as_millis().saturating_add(SLACK));
    vec![("before", before.into()), ("highest", highest.into())]
}
