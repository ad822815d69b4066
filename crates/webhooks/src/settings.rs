//! Settings of the worker.

use std::time::Duration;

/// Settings of the [`Worker`](crate::Worker).
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Timeout of a request until its response was read: the setting `webhooks.timeout_seconds`.
    pub timeout: Duration,
    /// Retention time of the delivery log, in days: the setting `webhooks.log_days`.
    pub log_days: u32,
    /// Maximum time for running requests after [`Worker::run`](crate::Worker::run) must stop.
    pub stop_within: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(15),
            log_days: 30,
            stop_within: Duration::from_secs(5),
        }
    }
}

/// Time of a lease in addition to `timeout`, for loading events and recording results.
const BESIDES: Duration = Duration::from_secs(15);

impl Settings {
    pub(crate) fn lease(&self) -> Duration {
        self.timeout + BESIDES
    }

    /// Returns the lease time to send a batch: `timeout`, and 5 s to record the results.
    pub(crate) fn needed(&self) -> Duration {
        self.timeout + BESIDES / 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_outlasts_a_batch_whatever_the_timeout_is() {
        for seconds in [1, 15, 600] {
            let settings = Settings {
                timeout: Duration::from_secs(seconds),
                ..Settings::default()
            };
            assert!(settings.needed() > settings.timeout, "time to record");
            assert!(settings.lease() > settings.needed(), "one batch fits");
        }
    }
}
