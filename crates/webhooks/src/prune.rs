//! Pruning of the delivery log.

use std::sync::Arc;
use std::time::Duration;

use pressline_backoffice::webhook::DeliveryLog;
use pressline_domain::runtime::Clock;

const INTERVAL: Duration = Duration::from_secs(60);
/// Maximum number of deliveries deleted per call, small enough not to delay the writes of requests.
const BATCH: u32 = 500;
const PAUSE: Duration = Duration::from_millis(100);

/// Deletes deliveries older than `days` days. Never returns.
pub(crate) async fn prune(log: Arc<dyn DeliveryLog>, clock: Arc<dyn Clock>, days: u32) {
    let age = i64::from(days) * 24 * 60 * 60 * 1000;
    loop {
        let before = clock.now().plus_millis(-age);
        match log.prune(before, BATCH).await {
            // After a full batch, more old deliveries are likely.
            Ok(removed) if removed >= u64::from(BATCH) => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            Ok(_) => {}
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(
                    error,
                    "old deliveries were not removed; the next attempt follows"
                );
            }
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use pressline_backoffice::webhook::{
        Delivery, DeliveryFilter, EndpointOwner, EndpointRecord, RecoverFrom, SubscriptionKey,
    };
    use pressline_domain::error::RepositoryError;
    use pressline_domain::value::{DeliveryId, Timestamp};
    use tokio::time::{Instant, timeout};

    use super::*;

    type Result<T> = std::result::Result<T, RepositoryError>;

    struct Log {
        old: Mutex<u64>,
        /// Index of the failing call, from 0; `None` if all succeed.
        failing: Option<usize>,
        calls: Mutex<Vec<(Instant, Timestamp)>>,
    }

    #[async_trait]
    impl DeliveryLog for Log {
        async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64> {
            let mut calls = self.calls.lock().unwrap();
            calls.push((Instant::now(), before));
            if self.failing == Some(calls.len() - 1) {
                return Err(RepositoryError::Unavailable("it is away".into()));
            }
            let mut old = self.old.lock().unwrap();
            let removed = (*old).min(u64::from(limit));
            *old -= removed;
            Ok(removed)
        }

        async fn add(&self, _: &Delivery) -> Result<()> {
            Ok(())
        }

        async fn search(
            &self,
            _: EndpointOwner,
            _: &DeliveryFilter,
            _: Option<DeliveryId>,
            _: u32,
        ) -> Result<Vec<Delivery>> {
            Ok(Vec::new())
        }

        async fn find(&self, _: EndpointOwner, _: DeliveryId) -> Result<Option<Delivery>> {
            Ok(None)
        }

        async fn resend(&self, _: SubscriptionKey, _: u64, _: Timestamp) -> Result<bool> {
            Ok(false)
        }

        async fn recover(
            &self,
            _: &EndpointRecord,
            _: RecoverFrom,
            _: Timestamp,
            _: Timestamp,
        ) -> Result<u64> {
            Ok(0)
        }
    }

    struct Fixed;

    impl Clock for Fixed {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(40 * 24 * 60 * 60 * 1000)
        }
    }

    /// Prunes for `seconds`. Returns the time of each call in milliseconds, and its `before`.
    async fn calls(old: u64, failing: Option<usize>, seconds: u64) -> Vec<(u128, Timestamp)> {
        let log = Arc::new(Log {
            old: Mutex::new(old),
            failing,
            calls: Mutex::default(),
        });
        let begin = Instant::now();
        let pruning = prune(log.clone(), Arc::new(Fixed), 30);
        assert!(
            timeout(Duration::from_secs(seconds), pruning)
                .await
                .is_err()
        );
        let calls = log.calls.lock().unwrap();
        let calls = calls.iter();
        calls
            .map(|(at, before)| ((*at - begin).as_millis(), *before))
            .collect()
    }

    fn times(calls: &[(u128, Timestamp)]) -> Vec<u128> {
        calls.iter().map(|(at, _)| *at).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn deliveries_older_than_the_days_are_removed_once_a_minute() {
        let calls = calls(0, None, 150).await;
        assert_eq!(times(&calls), [0, 60_000, 120_000]);
        let ten_days = Timestamp::from_millis(10 * 24 * 60 * 60 * 1000);
        assert!(calls.iter().all(|(_, before)| *before == ten_days));
    }

    #[tokio::test(start_paused = true)]
    async fn many_old_deliveries_are_removed_in_batches_with_pauses() {
        let calls = calls(1200, None, 50).await;
        assert_eq!(times(&calls), [0, 100, 200]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_log_that_fails_is_tried_again_a_minute_later() {
        let calls = calls(1200, Some(1), 65).await;
        assert_eq!(times(&calls), [0, 100, 60_100, 60_200]);
    }
}
