//! Endpoints in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::webhook::{
    EndpointDirectory, EndpointOwner, EndpointRecord, Lag, LaneClock, LaneStart,
};

use super::{one_by_one, webhooks};
use crate::PostgresStore;
use crate::error::Failure;

#[async_trait]
impl EndpointDirectory for PostgresStore {
    #[tracing::instrument(name = "db.endpoint.add", level = "debug", skip_all)]
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool, RepositoryError> {
        let (record, pool) = (record.clone(), Arc::clone(&self.pool));
        self.pool
            .call(move |connection, in_doubt| {
                if in_doubt && is_stored(connection, &record)? {
                    return Ok(true);
                }
                connection.transaction(|connection| {
                    one_by_one(connection, pool.is_distributed())?;
                    webhooks(connection).add(&record, most)
                })
            })
            .await
    }

    #[tracing::instrument(name = "db.endpoint.find", level = "debug", skip_all)]
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| webhooks(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.list", level = "debug", skip_all)]
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| webhooks(connection).list(owner))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.page", level = "debug", skip_all)]
    async fn page(
        &self,
        after: Option<EndpointId>,
        limit: u32,
    ) -> Result<Vec<EndpointRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| webhooks(connection).page(after, limit))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.replace", level = "debug", skip_all)]
    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<LaneStart>,
    ) -> Result<(), RepositoryError> {
        let mut record = record.clone();
        record.version = expected.saturating_add(1);
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, in_doubt| {
                if in_doubt && is_stored(connection, &record)? {
                    return Ok(());
                }
                connection.transaction(|connection| {
                    one_by_one(connection, pool.is_distributed())?;
                    match webhooks(connection).replace(&record, expected, start)? {
                        true => Ok(()),
                        // Undoes what was changed of the lanes.
                        false => Err(RepositoryError::Stale.into()),
                    }
                })
            })
            .await
    }

    #[tracing::instrument(name = "db.endpoint.remove", level = "debug", skip_all)]
    async fn remove(&self, id: EndpointId) -> Result<bool, RepositoryError> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, in_doubt| {
                let remove = |connection: &mut PgConnection| {
                    one_by_one(connection, pool.is_distributed())?;
                    webhooks(connection).remove(id)
                };
                Ok(connection.transaction(remove)? || in_doubt)
            })
            .await
    }

    #[tracing::instrument(name = "db.endpoint.lag", level = "debug", skip_all)]
    async fn lag(&self, id: EndpointId) -> Result<Lag, RepositoryError> {
        self.pool
            .call(move |connection, _| webhooks(connection).lag(id))
            .await
    }
}

#[async_trait]
impl LaneClock for PostgresStore {
    #[tracing::instrument(name = "db.lane.advance", level = "debug", skip_all)]
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, in_doubt| {
                if in_doubt {
                    // Twice would be too far.
                    let unknown = "the result of the commit was lost";
                    return Err(RepositoryError::Timeout(unknown.into()).into());
                }
                connection.transaction(|connection| webhooks(connection).advance(store, seconds))
            })
            .await
    }
}

/// Whether the endpoint is stored as it is here: an earlier try, whose end is not known, was committed.
fn is_stored(connection: &mut PgConnection, record: &EndpointRecord) -> Result<bool, Failure> {
    Ok(webhooks(connection).find(record.endpoint.id)?.as_ref() == Some(record))
}
