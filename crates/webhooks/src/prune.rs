//! Removing deliveries that are older than the log keeps them.

use std::sync::Arc;
use std::time::Duration;

use pressline_domain::runtime::Clock;
use pressline_domain::webhook::DeliveryLog;

const INTERVAL: Duration = Duration::from_secs(60);
/// How many at a time: few enough that writes of requests do not wait for them.
const BATCH: u32 = 500;
const PAUSE: Duration = Duration::from_millis(100);

/// Removes deliveries that are older than so many days, as long as it is polled.
pub(crate) async fn prune(log: Arc<dyn DeliveryLog>, clock: Arc<dyn Clock>, days: u32) {
    let age = i64::from(days) * 24 * 60 * 60 * 1000;
    loop {
        let before = clock.now().plus_millis(-age);
        match log.prune(before, BATCH).await {
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
