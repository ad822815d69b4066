//! The log of deliveries in PostgreSQL.

use std::slice::from_ref;

use async_trait::async_trait;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::DeliveryId;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointOwner, EndpointRecord, LaneKey, RecoverFrom,
};
use pressline_store_kit::RecoverBatch;

use super::webhooks;
use crate::PostgresStore;

#[async_trait]
impl DeliveryLog for PostgresStore {
    #[tracing::instrument(name = "db.delivery.add", level = "debug", skip_all)]
    async fn add(&self, delivery: &Delivery) -> Result<(), RepositoryError> {
        let delivery = delivery.clone();
        self.in_transaction(move |connection| {
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
        let search = move |connection: &mut PgConnection| {
            webhooks(connection).search(owner, &filter, before, limit)
        };
        match owner {
            EndpointOwner::Store(store) => self.pool.search(&store.to_string(), search).await,
            EndpointOwner::Shop => {
                self.pool
                    .call(move |connection, _| search(connection))
                    .await
            }
        }
    }

    #[tracing::instrument(name = "db.delivery.find", level = "debug", skip_all)]
    async fn find(
        &self,
        owner: EndpointOwner,
        id: DeliveryId,
    ) -> Result<Option<Delivery>, RepositoryError> {
        self.pool
            .call(move |connection, _| webhooks(connection).find_delivery(owner, id))
            .await
    }

    #[tracing::instrument(name = "db.delivery.resend", level = "debug", skip_all)]
    async fn resend(
        &self,
        lane: LaneKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool, RepositoryError> {
        self.in_transaction(move |connection| webhooks(connection).resend(lane, sequence, now))
            .await
    }

    /// In several transactions, none of which holds locks for long.
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
            .pool
            .call(move |connection, _| webhooks(connection).recoverable(&record, from, oldest));
        let mut count = 0;
        for plan in plans.await? {
            for batch in RecoverBatch::of(plan, endpoint, now) {
                let recovered =
                    self.in_transaction(move |connection| webhooks(connection).recover(&batch));
                count += recovered.await?;
            }
        }
        Ok(count)
    }

    #[tracing::instrument(name = "db.delivery.prune", level = "debug", skip_all)]
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.in_transaction(move |connection| {
            let old = webhooks(connection).old_deliveries(before, limit)?;
            webhooks(connection).remove_deliveries(&old)
        })
        .await
    }
}
