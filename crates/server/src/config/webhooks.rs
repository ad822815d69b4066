//! The settings of webhooks.

use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Webhooks {
    pub(crate) timeout_seconds: u64,
    pub(crate) log_days: u32,
}

impl Webhooks {
    pub(crate) fn worker(&self) -> pressline_webhooks::Settings {
        pressline_webhooks::Settings {
            timeout: Duration::from_secs(self.timeout_seconds),
            log_days: self.log_days,
            ..pressline_webhooks::Settings::default()
        }
    }
}
