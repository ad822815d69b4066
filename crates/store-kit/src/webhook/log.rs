//! Adds, finds and resends deliveries, and removes old deliveries from the delivery log.

use std::collections::BTreeMap;
use std::slice::from_ref;

use async_trait::async_trait;
use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointOwner, EndpointRecord, RecoverFrom,
    SubscriptionKey,
};
use pressline_domain::error::Result;
use pressline_domain::value::{DeliveryId, Timestamp};

use super::endpoint::owner_value;
use super::record::add_deliveries;
use super::recover::{recover, recoverable};
use super::row::DeliveryRow;
use super::search::{NO_STORE, SLACK, lowest_id, search};
use super::subscription_values::of_subscription;
use crate::cold_store::{Access, ColdStore, Db};
use crate::dialect::Texts;
use crate::failure::Failure;
use crate::json;
use crate::sql::{Value, Values};

type OldestRow = (String, Option<String>);

/// Id and store id of a delivery.
type OldDelivery = (String, String);

/// Returns `true` if the event and the subscription exist. `of_event` has the parameters that name
/// both. An endpoint of all stores needs no subscription to the event's store yet.
fn can_resend(db: &mut Db<'_>, of_event: &[(&'static str, Value<'_>)]) -> Result<bool, Failure> {
    let sequences = db.load::<i64>(
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
                     AND subscription.subscribed
               )
           )",
        of_event,
    )?;
    Ok(!sequences.is_empty())
}

/// Returns up to `limit` deliveries that started before `before`, oldest first.
fn old_deliveries(
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
        if last.is_some_and(|(last, _)| Some(last) < head.as_ref()) {
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
        old.extend(ids.into_iter().map(|id| (id, store_id.clone())));
        old.sort();
        old.truncate(limit);
    }
    Ok(old)
}

/// Returns the stores with deliveries that started before `before`, each with the id of its first
/// delivery, sorted by the id. [`NO_STORE`], for deliveries of no store, comes first.
fn oldest_of_stores(db: &mut Db<'_>, before: Timestamp) -> Result<Vec<OldestRow>, Failure> {
    let oldest_rows = db.load::<OldestRow>(
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
             FROM event_counters AS of_store
         ) AS heads
         WHERE head IS NOT NULL
         ORDER BY head",
        &before_time(before),
    )?;
    // Test deliveries of the print shop's endpoints belong to no store.
    let tests = (NO_STORE.to_owned(), None);
    Ok([tests].into_iter().chain(oldest_rows).collect())
}

fn remove_deliveries(db: &mut Db<'_>, old: &[OldDelivery]) -> Result<u64, Failure> {
    let mut removed = 0;
    let mut by_store: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, store_id) in old {
        by_store.entry(store_id).or_default().push(id);
    }
    let text = Texts {
        postgres: "DELETE FROM webhook_deliveries
             WHERE store_id = :store_id
               AND delivery_id = ANY(ARRAY(SELECT json_array_elements_text(:ids::json)))",
        sqlite: "DELETE FROM webhook_deliveries
             WHERE store_id = :store_id
               AND delivery_id IN (SELECT value FROM json_each(:ids))",
    };
    for (store_id, ids) in by_store {
        let values = [
            ("store_id", store_id.into()),
            ("ids", json::text_list(&ids)?.into()),
        ];
        removed += db.execute(text, &values)? as u64;
    }
    Ok(removed)
}

fn before_time(before: Timestamp) -> Values<'static> {
    // Ids sort by creation time, which may differ from `started_at` by up to `SLACK`.
    let highest = lowest_id(before.as_millis().saturating_add(SLACK));
    vec![("before", before.into()), ("highest", highest.into())]
}

#[async_trait]
impl DeliveryLog for ColdStore {
    #[tracing::instrument(name = "db.delivery.add", level = "debug", skip_all)]
    async fn add(&self, delivery: &Delivery) -> Result<()> {
        let delivery = delivery.clone();
        self.call(Access::Transaction, move |db| {
            add_deliveries(db, from_ref(&delivery))
        })
        .await
    }

    #[tracing::instrument(name = "db.delivery.search", level = "debug", skip_all)]
    async fn search(
        &self,
        owner: EndpointOwner,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>> {
        let filter = filter.clone();
        let access = match owner {
            EndpointOwner::Store(store) => Access::Search(store),
            EndpointOwner::Shop => Access::Read,
        };
        self.call(access, move |db| search(db, owner, &filter, before, limit))
            .await
    }

    #[tracing::instrument(name = "db.delivery.find", level = "debug", skip_all)]
    async fn find(&self, owner: EndpointOwner, id: DeliveryId) -> Result<Option<Delivery>> {
        self.call(Access::Read, move |db| {
            let text = match owner {
                EndpointOwner::Store(_) => {
                    "SELECT
                         store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid,
                         order_id, attempt, error, http_status, response, started_at, duration_ms,
                         next_attempt_at
                     FROM webhook_deliveries
                     WHERE store_id = :owner
                       AND delivery_id = :delivery_id
                       AND endpoint_id IN (
                           SELECT endpoint_id
                           FROM webhook_endpoints
                           WHERE webhook_endpoints.store_id = :owner
                       )"
                }
                EndpointOwner::Shop => {
                    "SELECT
                         store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid,
                         order_id, attempt, error, http_status, response, started_at, duration_ms,
                         next_attempt_at
                     FROM webhook_deliveries
                     WHERE store_id IN (SELECT store_id FROM stores UNION ALL SELECT :nil)
                       AND delivery_id = :delivery_id
                       AND endpoint_id IN (
                           SELECT endpoint_id
                           FROM webhook_endpoints
                           WHERE webhook_endpoints.store_id IS NULL
                       )"
                }
            };
            let mut values = owner_value(owner);
            values.push(("nil", NO_STORE.into()));
            values.push(("delivery_id", id.into()));
            let first = db.first::<DeliveryRow>(text, &values)?;
            Ok(first.map(DeliveryRow::restore).transpose()?)
        })
        .await
    }

    #[tracing::instrument(name = "db.delivery.resend", level = "debug", skip_all)]
    async fn resend(
        &self,
        subscription: SubscriptionKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool> {
        self.call(Access::Transaction, move |db| {
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
                   AND subscribed
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
        })
        .await
    }

    /// Uses a transaction per batch, so that order writes wait for one batch at most.
    #[tracing::instrument(name = "db.delivery.recover", level = "debug", skip_all)]
    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64> {
        let record = endpoint.clone();
        let plans = self.call(Access::Read, move |db| {
            recoverable(db, &record, from, oldest)
        });
        let mut count = 0;
        for plan in plans.await? {
            for batch in plan.batches() {
                let types = endpoint.endpoint.types.clone();
                let recover = move |db: &mut Db<'_>| recover(db, batch, &types, now);
                count += self.call(Access::Transaction, recover).await?;
            }
        }
        Ok(count)
    }

    #[tracing::instrument(name = "db.delivery.prune", level = "debug", skip_all)]
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64> {
        // Found before the transaction, so that orders wait only for the deletion.
        let find = move |db: &mut Db<'_>| old_deliveries(db, before, limit);
        let old = self.call(Access::Read, find).await?;
        if old.is_empty() {
            return Ok(0);
        }
        let remove = move |db: &mut Db<'_>| remove_deliveries(db, &old);
        self.call(Access::Transaction, remove).await
    }
}
