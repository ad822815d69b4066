//! Implements the webhook ports: endpoints, subscriptions and the delivery log.

use std::collections::BTreeSet;
use std::slice::from_ref;

use async_trait::async_trait;
use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointOwner, EndpointRecord, Lag,
    OpenMessage, RecordResult, RecoverFrom, Subscription, SubscriptionClock, SubscriptionKey,
    SubscriptionOutcome, SubscriptionRepository, SubscriptionStart,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::id::{DeliveryId, EndpointId, OrderId, StoreId};
use pressline_domain::value::time::Timestamp;

use super::recover::RecoverBatch;
use super::{clock, endpoint, lag, log, message, record, recover, search, subscription};
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;

#[async_trait]
impl EndpointDirectory for ColdStore {
    #[tracing::instrument(name = "db.endpoint.add", level = "debug", skip_all)]
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool> {
        let record = record.clone();
        self.call(Access::AcrossStores, move |db| {
            Ok(is_stored(db, &record)? || endpoint::add(db, &record, most)?)
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.find", level = "debug", skip_all)]
    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>> {
        self.call(Access::Read, move |db| endpoint::find(db, id))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.list", level = "debug", skip_all)]
    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>> {
        self.call(Access::Read, move |db| endpoint::list(db, owner))
            .await
    }

    #[tracing::instrument(name = "db.endpoint.page", level = "debug", skip_all)]
    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>> {
        self.call(Access::Read, move |db| endpoint::page(db, after, limit))
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
            if is_stored(db, &record)? || endpoint::replace(db, &record, expected, start)? {
                return Ok(());
            }
            // The error rolls back the changes of the subscriptions.
            Err(RepositoryError::Stale.into())
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.remove", level = "debug", skip_all)]
    async fn remove(&self, id: EndpointId) -> Result<bool> {
        self.call(Access::AcrossStores, move |db| {
            // An earlier attempt may have removed the endpoint.
            Ok(endpoint::remove(db, id)? || db.in_doubt)
        })
        .await
    }

    #[tracing::instrument(name = "db.endpoint.lag", level = "debug", skip_all)]
    async fn lag(&self, id: EndpointId) -> Result<Lag> {
        self.call(Access::Read, move |db| lag::lag(db, id)).await
    }
}

/// Returns `true` if the call is in doubt and the stored endpoint equals `record`.
fn is_stored(db: &mut Db<'_>, record: &EndpointRecord) -> Result<bool, Failure> {
    if !db.in_doubt {
        return Ok(false);
    }
    Ok(endpoint::find(db, record.endpoint.id)?.as_ref() == Some(record))
}

#[async_trait]
impl SubscriptionClock for ColdStore {
    #[tracing::instrument(name = "db.subscription.advance", level = "debug", skip_all)]
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            if db.in_doubt {
                // Advancing twice would move the times too far.
                let unknown = "the result of the commit was lost";
                return Err(RepositoryError::Timeout(unknown.into()).into());
            }
            clock::advance(db, store, seconds)
        })
        .await
    }
}

#[async_trait]
impl SubscriptionRepository for ColdStore {
    #[tracing::instrument(name = "db.subscription.with_news", level = "debug", skip_all)]
    async fn with_pending_events(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SubscriptionKey>> {
        self.call(Access::Read, move |db| {
            subscription::with_pending_events(db, now, limit)
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.lease", level = "debug", skip_all)]
    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>> {
        self.call(Access::Transaction, move |db| {
            subscription::lease(db, subscription, now, until)
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.due", level = "debug", skip_all)]
    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>> {
        self.call(Access::Read, move |db| {
            message::due(db, subscription, now, limit)
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.oldest", level = "debug", skip_all)]
    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>> {
        self.call(Access::Read, move |db| message::oldest(db, subscription))
            .await
    }

    #[tracing::instrument(name = "db.subscription.blocked", level = "debug", skip_all)]
    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        let orders = orders.clone();
        self.call(Access::Read, move |db| {
            message::blocked(db, subscription, &orders)
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.record", level = "debug", skip_all)]
    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult> {
        let outcome = outcome.clone();
        let recorded = self.call(Access::Transaction, move |db| {
            if db.in_doubt && record::is_recorded(db, &outcome)? {
                return Ok(RecordResult::Done);
            }
            match record::record(db, &outcome)? {
                // The error rolls back the changes made so far.
                RecordResult::EndpointChanged => Err(RepositoryError::Stale.into()),
                recorded => Ok(recorded),
            }
        });
        match recorded.await {
            Err(RepositoryError::Stale) => Ok(RecordResult::EndpointChanged),
            recorded => recorded,
        }
    }

    #[tracing::instrument(name = "db.subscription.end_leases", level = "debug", skip_all)]
    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            subscription::end_leases(db, now)
        })
        .await
    }
}

#[async_trait]
impl DeliveryLog for ColdStore {
    #[tracing::instrument(name = "db.delivery.add", level = "debug", skip_all)]
    async fn add(&self, delivery: &Delivery) -> Result<()> {
        let delivery = delivery.clone();
        self.call(Access::Transaction, move |db| {
            record::add_deliveries(db, from_ref(&delivery))
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
    ) -> Result<Vec<Delivery>> {
        let filter = filter.clone();
        let access = match owner {
            EndpointOwner::Store(store) => Access::Search(store),
            EndpointOwner::Shop => Access::Read,
        };
        self.call(access, move |db| {
            search::search(db, owner, &filter, before, limit)
        })
        .await
    }

    #[tracing::instrument(name = "db.delivery.find", level = "debug", skip_all)]
    async fn find(&self, owner: EndpointOwner, id: DeliveryId) -> Result<Option<Delivery>> {
        self.call(Access::Read, move |db| search::find_delivery(db, owner, id))
            .await
    }

    #[tracing::instrument(name = "db.delivery.resend", level = "debug", skip_all)]
    async fn resend(
        &self,
        subscription: SubscriptionKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool> {
        self.call(Access::Transaction, move |db| {
            log::resend(db, subscription, sequence, now)
        })
        .await
    }

    /// Works in batches with a transaction each, so that order writes wait for one batch at most.
    #[tracing::instrument(name = "db.delivery.recover", level = "debug", skip_all)]
    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64> {
        let record = endpoint.clone();
        let plans = self.call(Access::Read, move |db| {
            recover::recoverable(db, &record, from, oldest)
        });
        let mut count = 0;
        for plan in plans.await? {
            for batch in RecoverBatch::new(plan, endpoint, now) {
                let recover = move |db: &mut Db<'_>| recover::recover(db, &batch);
                count += self.call(Access::Transaction, recover).await?;
            }
        }
        Ok(count)
    }

    #[tracing::instrument(name = "db.delivery.prune", level = "debug", skip_all)]
    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64> {
        // Found before the transaction, so that orders wait only for the deletion.
        let find = move |db: &mut Db<'_>| log::old_deliveries(db, before, limit);
        let old = self.call(Access::Read, find).await?;
        if old.is_empty() {
            return Ok(0);
        }
        let remove = move |db: &mut Db<'_>| log::remove_deliveries(db, &old);
        self.call(Access::Transaction, remove).await
    }
}
