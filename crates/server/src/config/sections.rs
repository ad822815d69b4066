//! The sections of the configuration, and the bounds of their values.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

use pressline_backoffice::production::Steps;
use pressline_host::settings::SettingsError;
use pressline_kit::url::Network;
use serde::{Deserialize, Serialize};

use super::egress;

/// Key, minimum and maximum. Each of the `http.workers` is a thread with its own memory.
pub(super) const BOUNDS: [(&str, i64, i64); 19] = [
    ("http.workers", 0, 512),
    ("http.body_deadline_seconds", 1, 600),
    ("http.keep_alive_seconds", 1, 3600),
    ("http.shutdown_seconds", 0, 3600),
    ("database.pool_size", 2, 500),
    ("database.writers", 1, 64),
    ("database.pool_wait_ms", 1, 2000),
    ("database.backlog_ms", 1, 60_000),
    ("database.statement_timeout_ms", 1, 600_000),
    ("operator.per_minute", 1, 60_000_000),
    ("rate_limit.per_minute", 1, 60_000_000),
    ("rate_limit.burst", 1, 1_000_000),
    ("in_flight.calls", 1, 10_000),
    ("in_flight.searches", 1, 10_000),
    ("in_flight.large", 1, 10_000),
    ("events.waiting_polls", 1, 10_000),
    ("egress.ports", 1, 65_535),
    ("webhooks.timeout_seconds", 1, 60),
    ("webhooks.log_days", 1, 3650),
];

pub(super) const CHOICES: [(&str, &[&str]); 2] = [
    ("database.distribution", &["auto", "none", "citus"]),
    ("log.format", &["auto", "text", "json"]),
];

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Http {
    pub(crate) listen: String,
    pub(crate) workers: usize,
    pub(crate) body_deadline_seconds: u64,
    pub(crate) keep_alive_seconds: u64,
    pub(crate) shutdown_seconds: u64,
    pub(crate) trusted_proxies: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Operator {
    pub(crate) listen: String,
    pub(crate) public_url: String,
    pub(crate) plain_http: bool,
    pub(crate) per_minute: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) url_file: String,
    pub(crate) migrate: bool,
    pub(crate) pool_size: u32,
    pub(crate) writers: usize,
    pub(crate) pool_wait_ms: u64,
    pub(crate) backlog_ms: u64,
    pub(crate) statement_timeout_ms: u64,
    pub(crate) distribution: Cluster,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cluster {
    Auto,
    None,
    Citus,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Auth {
    pub(crate) master_key: String,
    pub(crate) master_key_file: String,
    pub(crate) previous_master_key: String,
    pub(crate) previous_master_key_file: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RateLimit {
    pub(crate) enabled: bool,
    pub(crate) per_minute: u32,
    pub(crate) burst: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InFlight {
    pub(crate) calls: usize,
    pub(crate) searches: usize,
    pub(crate) large: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) cooling_off: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Production {
    pub(crate) steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Events {
    pub(crate) waiting_polls: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Webhooks {
    pub(crate) timeout_seconds: u64,
    pub(crate) log_days: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Demo {
    pub(crate) orders: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Log {
    pub(crate) level: String,
    pub(crate) format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Auto,
    Text,
    Json,
}

impl LogFormat {
    /// Returns `true` for `Auto` unless standard error is a terminal.
    pub(crate) fn is_json(self) -> bool {
        match self {
            Self::Auto => !stderr().is_terminal(),
            Self::Text => false,
            Self::Json => true,
        }
    }
}

impl Http {
    pub(crate) fn trusted_proxies(&self) -> Result<Vec<Network>, SettingsError> {
        egress::parsed_networks("http.trusted_proxies", &self.trusted_proxies)
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth")
            .field("master_key_file", &self.master_key_file)
            .field("previous_master_key_file", &self.previous_master_key_file)
            .finish_non_exhaustive()
    }
}

impl Production {
    pub(crate) fn steps(&self) -> Result<Steps, SettingsError> {
        Steps::parse(&self.steps).map_err(|error| SettingsError::new("production.steps", error))
    }
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
