//! Statements that add, find, replace and remove endpoints.

use async_trait::async_trait;
use pressline_backoffice::webhook::{
    EndpointDirectory, EndpointOwner, EndpointRecord, EndpointState, Lag, SubscriptionStart,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::store::{MasterKeyId, StoreKey};
use pressline_domain::value::EndpointId;

use super::lag::lag;
use super::row::{SecretRow, endpoint_values, group_by_endpoint, state_values};
use super::scope::{begin_subscriptions, change_scope};
use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::{RowValues as _, Value, Values};
use crate::failure::Failure;
use crate::sealing_key::claim_key;

/// Inserts `rest` after the joined tables in the statement.
fn records(
    db: &mut Db<'_>,
    rest: &str,
    values: &[(&'static str, Value)],
) -> Result<Vec<EndpointRecord>, Failure> {
    let text = format!(
        "SELECT webhook_endpoints.*, webhook_secrets.*
         FROM webhook_endpoints
         LEFT JOIN webhook_secrets ON webhook_secrets.endpoint_id = webhook_endpoints.endpoint_id
         {rest}"
    );
    Ok(group_by_endpoint(db.load(&text, values)?)?)
}

pub(super) fn find(db: &mut Db<'_>, id: EndpointId) -> Result<Option<EndpointRecord>, Failure> {
    let rest = "WHERE webhook_endpoints.endpoint_id = :endpoint_id
         ORDER BY webhook_secrets.position";
    Ok(records(db, rest, &[("endpoint_id", id.into())])?.pop())
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

#[async_trait]
impl EndpointDirectory for ColdStore {
    #[tracing::instrument(name = "db.endpoint.add", level = "debug", skip_all)]
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool> {
        let record = record.clone();
        self.call(Access::AcrossStores, move |db| {
            if is_stored(db, &record)? {
                return Ok(true);
            }
            // Locking the master key's row also serialises transactions that add endpoints, so that
            // each of them counts the endpoints of the previous transaction.
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
                &endpoint_values(&record)?,
            )?;
            add_secrets(db, &record)?;
            begin_subscriptions(db, &record, SubscriptionStart::Now)?;
            Ok(true)
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.find", level = "debug", skip_all)]
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>> {
        self.call(Access::Read, move |db| find(db, id)).await
    }

    #[tracing::instrument(name = "db.endpoint.list", level = "debug", skip_all)]
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>> {
        self.call(Access::Read, move |db| {
            let rest = format!(
                "WHERE webhook_endpoints.store_id {}
                 ORDER BY webhook_endpoints.created_at, webhook_endpoints.endpoint_id,
                     webhook_secrets.position",
                is_owner(owner)
            );
            records(db, &rest, &owner_value(owner))
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.page", level = "debug", skip_all)]
    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>> {
        // Every id is greater than the empty string.
        let after = after.map_or_else(String::new, |id| id.to_string());
        self.call(Access::Read, move |db| {
            records(
                db,
                "WHERE webhook_endpoints.endpoint_id IN (
                     SELECT endpoint_id
                     FROM webhook_endpoints
                     WHERE endpoint_id > :after
                     ORDER BY endpoint_id
                     LIMIT :limit)
                 ORDER BY webhook_endpoints.endpoint_id, webhook_secrets.position",
                &[("after", after.clone().into()), ("limit", limit.into())],
            )
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.replace", level = "debug", skip_all)]
    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<SubscriptionStart>,
    ) -> Result<()> {
        let mut record = record.clone();
        // The version after the write: `is_stored` compares the version, too.
        record.version = expected.saturating_add(1);
        self.call(Access::AcrossStores, move |db| {
            if is_stored(db, &record)? {
                return Ok(());
            }
            let stale = || Failure::from(RepositoryError::Stale);
            let id = record.endpoint.id;
            let before = find(db, id)?.ok_or_else(stale)?;
            let secrets = record.secrets.iter().map(|secret| &secret.key);
            let is_new =
                |key: &&StoreKey| before.secrets.iter().all(|known| known.key.id != key.id);
            // New secrets only: a secret that could not be resealed keeps its old master key.
            claim(db, secrets.filter(is_new).map(|key| key.sealed_with))?;
            // Lock order: subscriptions before their endpoint.
            change_scope(db, &before.endpoint.scope, &record)?;
            if let Some(start) = start {
                begin_subscriptions(db, &record, start)?;
            }
            let mut values = endpoint_values(&record)?;
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
                // The error rolls back the changes of the subscriptions.
                return Err(stale());
            }
            db.execute(
                "DELETE FROM webhook_secrets WHERE endpoint_id = :endpoint_id",
                &[("endpoint_id", id.into())],
            )?;
            add_secrets(db, &record)
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.remove", level = "debug", skip_all)]
    async fn remove(&self, id: EndpointId) -> Result<bool> {
        self.call(Access::AcrossStores, move |db| {
            let of_endpoint = [("endpoint_id", id.into())];
            // Taking the leases first: a worker that stores a result has then finished or finds its
            // lease lost.
            db.execute(
                "UPDATE webhook_subscriptions
                 SET lease = lease + 1
                 WHERE endpoint_id = :endpoint_id",
                &of_endpoint,
            )?;
            for text in [
                "DELETE FROM webhook_messages
                 WHERE endpoint_id = :endpoint_id
                   AND store_id IN (
                       SELECT store_id FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id
                   )",
                "DELETE FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id",
                "DELETE FROM webhook_secrets WHERE endpoint_id = :endpoint_id",
            ] {
                db.execute(text, &of_endpoint)?;
            }
            let removed = db.execute(
                "DELETE FROM webhook_endpoints WHERE endpoint_id = :endpoint_id",
                &of_endpoint,
            )?;
            // An earlier attempt may have removed the endpoint.
            Ok(removed > 0 || db.in_doubt)
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.lag", level = "debug", skip_all)]
    async fn lag(&self, id: EndpointId) -> Result<Lag> {
        self.call(Access::Read, move |db| lag(db, id)).await
    }
}

/// Returns `true` if the call is in doubt and the stored endpoint equals `record`.
fn is_stored(db: &mut Db<'_>, record: &EndpointRecord) -> Result<bool, Failure> {
    if !db.in_doubt {
        return Ok(false);
    }
    Ok(find(db, record.endpoint.id)?.as_ref() == Some(record))
}
