//! Endpoints in SQLite.

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::webhook::{
    EndpointDirectory, EndpointOwner, EndpointRecord, Lag, LaneClock, LaneStart,
};

use super::webhooks;
use crate::SqliteStore;

#[async_trait]
impl EndpointDirectory for SqliteStore {
    #[tracing::instrument(name = "db.endpoint.add", level = "debug", skip_all)]
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool, RepositoryError> {
        let record = record.clone();
        self.change_alone(move |connection| webhooks(connection).add(&record, most))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.find", level = "debug", skip_all)]
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.list", level = "debug", skip_all)]
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).list(owner))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.page", level = "debug", skip_all)]
    async fn page(
        &self,
        after: Option<EndpointId>,
        limit: u32,
    ) -> Result<Vec<EndpointRecord>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).page(after, limit))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.replace", level = "debug", skip_all)]
    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<LaneStart>,
    ) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.change_alone(move |connection| {
            match webhooks(connection).replace(&record, expected, start)? {
                true => Ok(()),
                false => Err(RepositoryError::Stale.into()),
            }
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.remove", level = "debug", skip_all)]
    async fn remove(&self, id: EndpointId) -> Result<bool, RepositoryError> {
        self.change_alone(move |connection| webhooks(connection).remove(id))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.lag", level = "debug", skip_all)]
    async fn lag(&self, id: EndpointId) -> Result<Lag, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).lag(id))
            .await
    }
}

#[async_trait]
impl LaneClock for SqliteStore {
    #[tracing::instrument(name = "db.lane.advance", level = "debug", skip_all)]
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| webhooks(connection).advance(store, seconds))
            .await
    }
}
