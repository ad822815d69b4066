//! Starts and ends subscriptions when the scope of an endpoint changes.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{EndpointRecord, EndpointScope, SubscriptionStart};
use pressline_domain::error::RepositoryError;

use super::subscription_values::number;
use crate::cold_store::Db;
use crate::cold_value::Values;
use crate::failure::Failure;
use crate::json;

/// Starts or restarts the endpoint's subscriptions at `start`, without messages and lease holders.
pub(super) fn begin_subscriptions(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    start: SubscriptionStart,
) -> Result<(), Failure> {
    drop_messages(db, record, "true")?;
    let after = match start {
        SubscriptionStart::Now => None,
        SubscriptionStart::After(sequence) => Some(number(sequence)),
    };
    upsert_subscriptions(db, record, after, BEGIN_AGAIN)
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
        upsert_subscriptions(db, record, Some(0), "NOTHING")?;
    }
    // A new `lease` number refuses the results of the workers that still hold a lease.
    let text = format!(
        "UPDATE webhook_subscriptions
         SET subscribed = false, lease = lease + 1, leased_until = NULL
         WHERE endpoint_id = :endpoint_id
           AND subscribed
           AND NOT {}",
        is_of_scope(db, "webhook_subscriptions.store_id")
    );
    db.execute(&text, &of_scope(record)?)?;
    drop_messages(db, record, "NOT webhook_subscriptions.subscribed")?;
    // Active subscriptions are unchanged.
    let begin = format!("{BEGIN_AGAIN} WHERE NOT webhook_subscriptions.subscribed");
    upsert_subscriptions(db, record, None, &begin)
}

/// New subscriptions start after the event with the sequence number `after`; `None` starts after
/// the latest event of the store. `conflict` is the SQL action for existing subscriptions.
fn upsert_subscriptions(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    after: Option<i64>,
    conflict: &str,
) -> Result<(), Failure> {
    let text = format!(
        "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease)
         SELECT counter.store_id, :endpoint_id, COALESCE(:after, counter.last_sequence), 1
         FROM {} AS counter
         WHERE {}
         ORDER BY counter.store_id
         ON CONFLICT (store_id, endpoint_id) DO {conflict}",
        db.dialect.counters,
        is_of_scope(db, "counter.store_id")
    );
    let mut values = of_scope(record)?;
    values.push(("after", after.into()));
    db.run(&text, &values)
}

/// Also clears `next_attempt_at` of the deliveries. `subscriptions` is an SQL condition.
fn drop_messages(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    subscriptions: &str,
) -> Result<(), Failure> {
    let of_endpoint = [("endpoint_id", record.endpoint.id.into())];
    let of_subscriptions = format!(
        "WHERE endpoint_id = :endpoint_id
           AND store_id IN (
               SELECT webhook_subscriptions.store_id
               FROM webhook_subscriptions
               WHERE webhook_subscriptions.endpoint_id = :endpoint_id
                 AND {subscriptions}
           )"
    );
    // Locks the subscriptions, so that no concurrent result adds a message.
    let lock = format!("UPDATE webhook_subscriptions SET next_due = NULL {of_subscriptions}");
    db.execute(&lock, &of_endpoint)?;
    let delete = format!("DELETE FROM webhook_messages {of_subscriptions}");
    db.execute(&delete, &of_endpoint)?;
    let clear = format!(
        "UPDATE webhook_deliveries
         SET next_attempt_at = NULL
         {of_subscriptions}
           AND next_attempt_at IS NOT NULL"
    );
    db.run(&clear, &of_endpoint)
}

/// Returns the SQL condition that the scope from [`of_scope`] contains the store id in `column`.
fn is_of_scope(db: &Db<'_>, column: &str) -> String {
    let in_list = db.dialect.in_texts(":stores");
    format!("(:all_stores OR {column} {in_list})")
}

/// SQL conflict action that restarts a subscription that already exists.
const BEGIN_AGAIN: &str = "UPDATE
             SET cursor = excluded.cursor, subscribed = true, lease = webhook_subscriptions.lease + 1,
                 leased_until = NULL, next_due = NULL";

fn of_scope(record: &EndpointRecord) -> Result<Values, RepositoryError> {
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
