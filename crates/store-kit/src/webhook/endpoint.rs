//! Statements that add, find, replace and remove endpoints.

use pressline_backoffice::webhook::{
    EndpointOwner, EndpointRecord, EndpointState, SubscriptionStart,
};
use pressline_domain::store::{MasterKeyId, StoreKey};
use pressline_domain::value::id::EndpointId;

use super::hearing::{begin_subscriptions, change_scope};
use super::row::{SecretRow, endpoint_values, group_by_endpoint, state_values};
use crate::cold_store::Db;
use crate::cold_value::{RowValues as _, Values};
use crate::failure::Failure;
use crate::sealing_key::claim_key;

pub(super) fn find(db: &mut Db<'_>, id: EndpointId) -> Result<Option<EndpointRecord>, Failure> {
    let rows = db.load(
        "SELECT webhook_endpoints.*, webhook_secrets.*
         FROM webhook_endpoints
         LEFT JOIN webhook_secrets ON webhook_secrets.endpoint_id = webhook_endpoints.endpoint_id
         WHERE webhook_endpoints.endpoint_id = :endpoint_id
         ORDER BY webhook_secrets.position",
        &[("endpoint_id", id.into())],
    )?;
    Ok(group_by_endpoint(rows)?.pop())
}

/// Returns all endpoints of `owner` with their secrets, oldest endpoint first.
pub(super) fn list(db: &mut Db<'_>, owner: EndpointOwner) -> Result<Vec<EndpointRecord>, Failure> {
    let text = format!(
        "SELECT webhook_endpoints.*, webhook_secrets.*
         FROM webhook_endpoints
         LEFT JOIN webhook_secrets ON webhook_secrets.endpoint_id = webhook_endpoints.endpoint_id
         WHERE webhook_endpoints.store_id {}
         ORDER BY webhook_endpoints.created_at, webhook_endpoints.endpoint_id,
             webhook_secrets.position",
        is_owner(owner)
    );
    let rows = db.load(&text, &owner_value(owner))?;
    Ok(group_by_endpoint(rows)?)
}

/// Returns endpoints of all owners with ids greater than `after`, sorted by id.
pub(super) fn page(
    db: &mut Db<'_>,
    after: Option<EndpointId>,
    limit: u32,
) -> Result<Vec<EndpointRecord>, Failure> {
    // Every id is greater than the empty string.
    let after = after.map_or_else(String::new, |id| id.to_string());
    let rows = db.load(
        "SELECT webhook_endpoints.*, webhook_secrets.*
         FROM webhook_endpoints
         LEFT JOIN webhook_secrets ON webhook_secrets.endpoint_id = webhook_endpoints.endpoint_id
         WHERE webhook_endpoints.endpoint_id IN (
             SELECT endpoint_id
             FROM webhook_endpoints
             WHERE endpoint_id > :after
             ORDER BY endpoint_id
             LIMIT :limit)
         ORDER BY webhook_endpoints.endpoint_id, webhook_secrets.position",
        &[("after", after.clone().into()), ("limit", limit.into())],
    )?;
    Ok(group_by_endpoint(rows)?)
}

/// Adds the endpoint in `record`, with its secrets and subscriptions. The subscriptions start after
/// the latest events of their stores. Returns `false` if the owner already has `most` endpoints.
pub(super) fn add(db: &mut Db<'_>, record: &EndpointRecord, most: usize) -> Result<bool, Failure> {
    // Locking the master key's row also serialises transactions that add endpoints, so that each of
    // them counts the endpoints of the previous transaction.
    claim(
        db,
        record.secrets.iter().map(|secret| secret.key.sealed_with),
    )?;
    let owner = record.endpoint.scope.owner();
    let count = format!(
        "SELECT COUNT(*) FROM webhook_endpoints WHERE store_id {}",
        is_owner(owner)
    );
    let counted = db.load::<i64>(&count, &owner_value(owner))?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    if counted.first().is_none_or(|count| *count >= most) {
        return Ok(false);
    }
    db.execute(
        "INSERT INTO webhook_endpoints ({webhook_endpoints})
         VALUES ({:webhook_endpoints})",
        &endpoint_values(record)?,
    )?;
    add_secrets(db, record)?;
    begin_subscriptions(db, record, SubscriptionStart::Now)?;
    Ok(true)
}

/// Replaces the stored endpoint that has the id of `record`. Subscriptions start and end as the
/// scope changes. If `start` is `Some`, all subscriptions of the endpoint restart at `start`.
/// Returns `false` if the endpoint does not have version `expected`; the transaction must then be
/// rolled back.
pub(super) fn replace(
    db: &mut Db<'_>,
    record: &EndpointRecord,
    expected: u32,
    start: Option<SubscriptionStart>,
) -> Result<bool, Failure> {
    let id = record.endpoint.id;
    let Some(before) = find(db, id)? else {
        return Ok(false);
    };
    let secrets = record.secrets.iter().map(|secret| &secret.key);
    let is_new = |key: &&StoreKey| before.secrets.iter().all(|known| known.key.id != key.id);
    // New secrets only: a secret that could not be resealed keeps its old master key.
    claim(db, secrets.filter(is_new).map(|key| key.sealed_with))?;
    // Lock order: subscriptions before their endpoint.
    change_scope(db, &before.endpoint.scope, record)?;
    if let Some(start) = start {
        begin_subscriptions(db, record, start)?;
    }
    let mut values = endpoint_values(record)?;
    values.push(("expected", expected.into()));
    let changed = db.execute(
        "UPDATE webhook_endpoints
         SET stores = :stores, url = :url, types = :types, payload = :payload,
             description = :description, updated_at = :updated_at,
             disabled_reason = :disabled_reason, disabled_at = :disabled_at,
             failures = :failures, failing_since = :failing_since,
             paused_until = :paused_until, probing_store = :probing_store,
             probing_attempts = :probing_attempts, sandbox_action = :sandbox_action,
             sandbox_seconds = :sandbox_seconds, version = version + 1
         WHERE endpoint_id = :endpoint_id
           AND version = :expected",
        &values,
    )?;
    if changed == 0 {
        return Ok(false);
    }
    db.execute(
        "DELETE FROM webhook_secrets WHERE endpoint_id = :endpoint_id",
        &[("endpoint_id", id.into())],
    )?;
    add_secrets(db, record)?;
    Ok(true)
}

/// Also removes the subscriptions, messages and secrets of the endpoint.
pub(super) fn remove(db: &mut Db<'_>, id: EndpointId) -> Result<bool, Failure> {
    let of_endpoint = [("endpoint_id", id.into())];
    // Taking the leases first: a worker that stores a result has then finished or finds its lease
    // lost.
    db.execute(
        "UPDATE webhook_subscriptions SET lease = lease + 1 WHERE endpoint_id = :endpoint_id",
        &of_endpoint,
    )?;
    for text in [
        "DELETE FROM webhook_messages
         WHERE endpoint_id = :endpoint_id
           AND store_id IN (SELECT store_id FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id)",
        "DELETE FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id",
        "DELETE FROM webhook_secrets WHERE endpoint_id = :endpoint_id",
    ] {
        db.execute(text, &of_endpoint)?;
    }
    let removed = db.execute(
        "DELETE FROM webhook_endpoints WHERE endpoint_id = :endpoint_id",
        &of_endpoint,
    )?;
    Ok(removed > 0)
}

/// Returns `false` if the endpoint does not have version `expected`.
pub(super) fn set_state(
    db: &mut Db<'_>,
    id: EndpointId,
    state: EndpointState,
    expected: u32,
) -> Result<bool, Failure> {
    let mut values = state_values(&state);
    values.push(("endpoint_id", id.into()));
    values.push(("expected", expected.into()));
    let changed = db.execute(
        "UPDATE webhook_endpoints
         SET disabled_reason = :disabled_reason, disabled_at = :disabled_at,
             failures = :failures, failing_since = :failing_since,
             paused_until = :paused_until, probing_store = :probing_store,
             probing_attempts = :probing_attempts, sandbox_action = :sandbox_action,
             sandbox_seconds = :sandbox_seconds, version = version + 1
         WHERE endpoint_id = :endpoint_id
           AND version = :expected",
        &values,
    )?;
    Ok(changed > 0)
}

fn claim(db: &mut Db<'_>, sealed_with: impl Iterator<Item = MasterKeyId>) -> Result<(), Failure> {
    let lock = db.dialect.locks.exclusive;
    for id in sealed_with {
        claim_key(db, id, lock)?;
    }
    Ok(())
}

fn add_secrets(db: &mut Db<'_>, record: &EndpointRecord) -> Result<(), Failure> {
    for secret in SecretRow::new(record) {
        db.execute(
            "INSERT INTO webhook_secrets ({webhook_secrets})
             VALUES ({:webhook_secrets})",
            &secret.values(),
        )?;
    }
    Ok(())
}

pub(super) fn is_owner(owner: EndpointOwner) -> &'static str {
    match owner {
        EndpointOwner::Store(_) => "= :owner",
        EndpointOwner::Shop => "IS NULL",
    }
}

pub(super) fn owner_value(owner: EndpointOwner) -> Values {
    match owner {
        EndpointOwner::Store(store) => vec![("owner", store.into())],
        EndpointOwner::Shop => Vec::new(),
    }
}
