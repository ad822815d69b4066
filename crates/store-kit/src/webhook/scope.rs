//! Starts and ends subscriptions when the scope of an endpoint changes.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{EndpointRecord, EndpointScope, SubscriptionStart};
use pressline_domain::error::RepositoryError;

use super::subscription_values::number;
use crate::cold_store::Db;
use crate::dialect::Texts;
use crate::failure::Failure;
use crate::json;
use crate::sql::Values;

/// Begins the subscriptions of the scope that do not exist.
const BEGIN_MISSING: Texts = Texts {
    postgres: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO NOTHING",
    sqlite: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id IN (SELECT value FROM json_each(:stores))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO NOTHING",
};

/// Begins the subscriptions of the scope, and restarts the existing ones.
const BEGIN_OR_RESTART: Texts = Texts {
    postgres: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO UPDATE
         SET cursor = excluded.cursor, subscribed = true, lease = webhook_subscriptions.lease + 1,
             leased_until = NULL, next_due = NULL",
    sqlite: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id IN (SELECT value FROM json_each(:stores))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO UPDATE
         SET cursor = excluded.cursor, subscribed = true, lease = webhook_subscriptions.lease + 1,
             leased_until = NULL, next_due = NULL",
};

/// Begins the subscriptions of the scope, and restarts the ended ones.
const BEGIN_OR_RESTART_ENDED: Texts = Texts {
    postgres: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO UPDATE
         SET cursor = excluded.cursor, subscribed = true, lease = webhook_subscriptions.lease + 1,
             leased_until = NULL, next_due = NULL
         WHERE NOT webhook_subscriptions.subscribed",
    sqlite: "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT store_id, :endpoint_id, COALESCE(:after, last_sequence), 1
         FROM event_counters
         WHERE :all_stores
            OR store_id IN (SELECT value FROM json_each(:stores))
         ORDER BY store_id
         ON CONFLICT (store_id, endpoint_id) DO UPDATE
         SET cursor = excluded.cursor, subscribed = true, lease = webhook_subscriptions.lease + 1,
             leased_until = NULL, next_due = NULL
         WHERE NOT webhook_subscriptions.subscribed",
};

/// Ends the subscriptions outside the scope. A new `lease` number refuses the results of the workers
/// that still hold a lease.
const END_OTHERS: Texts = Texts {
    postgres: "UPDATE webhook_subscriptions
         SET subscribed = false, lease = lease + 1, leased_until = NULL
         WHERE endpoint_id = :endpoint_id
           AND subscribed
           AND NOT (
               :all_stores
               OR store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
           )",
    sqlite: "UPDATE webhook_subscriptions
         SET subscribed = false, lease = lease + 1, leased_until = NULL
         WHERE endpoint_id = :endpoint_id
           AND subscribed
           AND NOT (
               :all_stores
               OR store_id IN (SELECT value FROM json_each(:stores))
           )",
};

/// Deletes the messages of the endpoint, and clears `next_attempt_at` of the deliveries. First locks
/// the subscriptions, so that no concurrent result adds a message.
const DROP_ALL_MESSAGES: [&str; 3] = [
    "UPDATE webhook_subscriptions
     SET next_due = NULL
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
       )",
    "DELETE FROM webhook_messages
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
       )",
    "UPDATE webhook_deliveries
     SET next_attempt_at = NULL
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
       )
       AND next_attempt_at IS NOT NULL",
];

/// Like [`DROP_ALL_MESSAGES`], for ended subscriptions only.
const DROP_ENDED_MESSAGES: [&str; 3] = [
    "UPDATE webhook_subscriptions
     SET next_due = NULL
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
             AND NOT webhook_subscriptions.subscribed
       )",
    "DELETE FROM webhook_messages
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
             AND NOT webhook_subscriptions.subscribed
       )",
    "UPDATE webhook_deliveries
     SET next_attempt_at = NULL
     WHERE endpoint_id = :endpoint_id
       AND store_id IN (
           SELECT webhook_subscriptions.store_id
           FROM webhook_subscriptions
           WHERE webhook_subscriptions.endpoint_id = :endpoint_id
             AND NOT webhook_subscriptions.subscribed
       )
       AND next_attempt_at IS NOT NULL",
];

/// Starts or restarts the endpoint's subscriptions at `start`, without messages and lease holders.
pub(super) fn begin_subscriptions(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    start: SubscriptionStart,
) -> Result<(), Failure> {
    let of_endpoint = [("endpoint_id", record.endpoint.id.into())];
    for text in DROP_ALL_MESSAGES {
        db.execute(text, &of_endpoint)?;
    }
    let after = match start {
        SubscriptionStart::Now => None,
        SubscriptionStart::After(sequence) => Some(number(sequence)),
    };
    upsert_subscriptions(db, record, after, BEGIN_OR_RESTART)
}

pub(super) fn change_scope(
    db: &mut Db<'_>,
    before: &EndpointScope,
    record: &EndpointRecord,
) -> Result<(), Failure> {
    if *before == record.endpoint.scope {
        return Ok(());
    }
    if *before == EndpointScope::AllStores {
        // Adds subscriptions to stores created after the endpoint that no worker has leased yet.
        upsert_subscriptions(db, record, Some(0), BEGIN_MISSING)?;
    }
    db.execute(END_OTHERS, &of_scope(record)?)?;
    let of_endpoint = [("endpoint_id", record.endpoint.id.into())];
    for text in DROP_ENDED_MESSAGES {
        db.execute(text, &of_endpoint)?;
    }
    // Active subscriptions are unchanged.
    upsert_subscriptions(db, record, None, BEGIN_OR_RESTART_ENDED)
}

/// New subscriptions start after the event with the sequence number `after`; `None` starts after
/// the latest event of the store. `text` says what happens to existing subscriptions.
fn upsert_subscriptions(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    after: Option<i64>,
    text: Texts,
) -> Result<(), Failure> {
    let mut values = of_scope(record)?;
    values.push(("after", after.into()));
    db.run(text, &values)
}

fn of_scope(record: &EndpointRecord) -> Result<Values<'static>, RepositoryError> {
    let stores = match &record.endpoint.scope {
        EndpointScope::Store(store) => BTreeSet::from([*store]),
        EndpointScope::Stores(stores) => stores.clone(),
        // The parameter `all_stores` makes the list irrelevant.
        EndpointScope::AllStores => BTreeSet::new(),
    };
    let of_all_stores = record.endpoint.scope == EndpointScope::AllStores;
    Ok(vec![
        ("endpoint_id", record.endpoint.id.into()),
        ("stores", json::write(&stores)?.into()),
        ("all_stores", of_all_stores.into()),
    ])
}
