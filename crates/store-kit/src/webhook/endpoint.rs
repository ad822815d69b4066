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
use crate::failure::Failure;
use crate::sealing_key::{Lock, claim_key};
use crate::sql::{Row as _, Value, Values};

fn records(
    db: &mut Db<'_>,
    text: &'static str,
    values: &[(&'static str, Value<'_>)],
) -> Result<Vec<EndpointRecord>, Failure> {
    Ok(group_by_endpoint(db.load(text, values)?)?)
}

pub(super) fn find(db: &mut Db<'_>, id: EndpointId) -> Result<Option<EndpointRecord>, Failure> {
    let text = include_str!("sql/endpoint.sql");
    Ok(records(db, text, &[("endpoint_id", id.into())])?.pop())
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
    for id in sealed_with {
        claim_key(db, id, Lock::Exclusive)?;
    }
    Ok(())
}

fn add_secrets(db: &mut Db<'_>, record: &EndpointRecord) -> Result<(), Failure> {
    for secret in SecretRow::new(record) {
        db.execute(
            "INSERT INTO webhook_secrets (
                 endpoint_id, key_id, position, sealed, sealed_with, created_at, expires_at
             )
             VALUES (
                 :endpoint_id, :key_id, :position, :sealed, :sealed_with, :created_at, :expires_at
             )",
            &secret.parameters(),
        )?;
    }
    Ok(())
}

pub(super) fn owner_value(owner: EndpointOwner) -> Values<'static> {
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
            let count = match owner {
                EndpointOwner::Store(_) => {
                    "SELECT COUNT(*) FROM webhook_endpoints WHERE store_id = :owner"
                }
                EndpointOwner::Shop => {
                    "SELECT COUNT(*) FROM webhook_endpoints WHERE store_id IS NULL"
                }
            };
            let counted = db.load::<i64>(count, &owner_value(owner))?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            if counted.first().is_none_or(|count| *count >= most) {
                return Ok(false);
            }
            db.execute(
                "INSERT INTO webhook_endpoints (
                     endpoint_id, store_id, stores, url, types, payload, description, created_at,
                     updated_at, disabled_reason, disabled_at, failures, failing_since,
                     paused_until, probing_store, probing_attempts, sandbox_action, sandbox_seconds,
                     version
                 )
                 VALUES (
                     :endpoint_id, :store_id, :stores, :url, :types, :payload, :description,
                     :created_at, :updated_at, :disabled_reason, :disabled_at, :failures,
                     :failing_since, :paused_until, :probing_store, :probing_attempts,
                     :sandbox_action, :sandbox_seconds, :version
                 )",
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
            let text = match owner {
                EndpointOwner::Store(_) => include_str!("sql/endpoints_of_store.sql"),
                EndpointOwner::Shop => include_str!("sql/endpoints_of_shop.sql"),
            };
            records(db, text, &owner_value(owner))
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
                include_str!("sql/endpoints_after.sql"),
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
