//! How the worker works.

use std::time::Duration;

/// How the worker works.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Time for a request, from its beginning until the response has been read.
    pub timeout: Duration,
    /// How long deliveries are kept.
    pub log_days: u32,
    /// How long the requests that are being sent may take when the worker stops.
    pub stop_within: Duration,
}

impl Default for Settings {
    /// 15 s, 30 days, 5 s.
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(15),
            log_days: 30,
            stop_within: Duration::from_secs(5),
        }
    }
}

/// What a lease lasts longer than a request: time to load and to record.
const BESIDES: Duration = Duration::from_secs(15);

impl Settings {
    /// Returns how long a lease lasts. Each outcome renews it.
    pub(crate) fn lease(&self) -> Duration {
        self.timeout + BESIDES
    }

    /// Returns how much of a lease must be left to send a batch: the time of its requests, and some to record it.
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
