//! Lanes in SQLite.

use std::collections::BTreeSet;

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{
    Lane, LaneKey, LaneOutcome, LaneRepository, OpenMessage, Recorded,
};

use super::webhooks;
use crate::SqliteStore;

#[async_trait]
impl LaneRepository for SqliteStore {
    #[tracing::instrument(name = "db.lane.with_news", level = "debug", skip_all)]
    async fn with_news(&self, now: Timestamp, limit: u32) -> Result<Vec<LaneKey>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).with_news(now, limit))
            .await
    }

    #[tracing::instrument(name = "db.lane.lease", level = "debug", skip_all)]
    async fn lease(
        &self,
        lane: LaneKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Lane>, RepositoryError> {
        self.change_alone(move |connection| webhooks(connection).lease(lane, now, until))
            .await
    }

    #[tracing::instrument(name = "db.lane.due", level = "debug", skip_all)]
    async fn due(
        &self,
        lane: LaneKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).due(lane, now, limit))
            .await
    }

    #[tracing::instrument(name = "db.lane.oldest", level = "debug", skip_all)]
    async fn oldest(&self, lane: LaneKey) -> Result<Option<OpenMessage>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).oldest(lane))
            .await
    }

    #[tracing::instrument(name = "db.lane.blocked", level = "debug", skip_all)]
    async fn blocked(
        &self,
        lane: LaneKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>, RepositoryError> {
        let orders = orders.clone();
        self.readers
            .call(move |connection| webhooks(connection).blocked(lane, &orders))
            .await
    }

    #[tracing::instrument(name = "db.lane.record", level = "debug", skip_all)]
    async fn record(&self, outcome: &LaneOutcome) -> Result<Recorded, RepositoryError> {
        let outcome = outcome.clone();
        let recorded = self.change_alone(move |connection| {
            match webhooks(connection).record(&outcome)? {
                // Undoes what was changed so far.
                Recorded::EndpointChanged => Err(RepositoryError::Stale.into()),
                recorded => Ok(recorded),
            }
        });
        match recorded.await {
            Err(RepositoryError::Stale) => Ok(Recorded::EndpointChanged),
            recorded => recorded,
        }
    }

    #[tracing::instrument(name = "db.lane.end_leases", level = "debug", skip_all)]
    async fn end_leases(&self) -> Result<(), RepositoryError> {
        self.change_alone(|connection| webhooks(connection).end_leases())
            .await
    }
}
