//! The log of deliveries in SQLite.

use std::slice::from_ref;

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::DeliveryId;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointOwner, EndpointRecord, LaneKey, RecoverFrom,
};
use pressline_store_kit::RecoverBatch;

use super::webhooks;
use crate::SqliteStore;

#[async_trait]
impl DeliveryLog for SqliteStore {
    #[tracing::instrument(name = "db.delivery.add", level = "debug", skip_all)]
    async fn add(&self, delivery: &Delivery) -> Result<(), RepositoryError> {
        let delivery = delivery.clone();
        self.change_alone(move |connection| {
            webhooks(connection).add_deliveries(from_ref(&delivery))
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
    ) -> Result<Vec<Delivery>, RepositoryError> {
        let filter = filter.clone();
        let search = move |connection: &mut SqliteConnection| {
            webhooks(connection).search(owner, &filter, before, limit)
        };
        match owner {
            EndpointOwner::Store(store) => self.readers.search(&store.to_string(), search).await,
            EndpointOwner::Shop => self.readers.call(search).await,
        }
    }

    #[tracing::instrument(name = "db.delivery.find", level = "debug", skip_all)]
    async fn find(
        &self,
        owner: EndpointOwner,
        id: DeliveryId,
    ) -> Result<Option<Delivery>, RepositoryError> {
        self.readers
            .call(move |connection| webhooks(connection).find_delivery(owner, id))
            .await
    }

    #[tracing::instrument(name = "db.delivery.resend", level = "debug", skip_all)]
    async fn resend(
        &self,
        lane: LaneKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool, RepositoryError> {
        self.change_alone(move |connection| webhooks(connection).resend(lane, sequence, now))
            .await
    }

    /// In several transactions, so that orders do not wait for all of it.
    #[tracing::instrument(name = "db.delivery.recover", level = "debug", skip_all)]
    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, RepositoryError> {
        let record = endpoint.clone();
        let plans = self
            .readers
            .call(move |connection| webhooks(connection).recoverable(&record, from, oldest));
        let mut count = 0;
        for plan in plans.await? {
            for batch in RecoverBatch::of(plan, endpoint, now) {
                let recovered =
                    self.change_alone(move |connection| webhooks(connection).recover(&batch));
                count += recovered.await?;
            }
        }
        Ok(count)
    }

    #[tracing::instrument(name = "db.delivery.prune", level = "debug", skip_all)]
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        // Found by a connection that reads, so that orders wait for the removal alone.
        let old = self
            .readers
            .call(move |connection| webhooks(connection).old_deliveries(before, limit));
        let old = old.await?;
        if old.is_empty() {
            return Ok(0);
        }
        self.change_alone(move |connection| webhooks(connection).remove_deliveries(&old))
            .await
    }
}
