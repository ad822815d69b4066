//! Limits of the APIs.

use std::time::Duration;

use pressline_http::in_flight::InFlightLimit;
use pressline_http::limit::RateLimit;
use pressline_http::request_limits::RequestLimitSettings;

/// Limits of one API. Each API has its own listener and its own limits.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Time limit for receiving a request body; the call gets `request_timeout` afterwards.
    pub body_deadline: Duration,
    /// Maximum total size of all request bodies in progress, in bytes.
    pub body_budget: usize,
    /// Limit on the requests of each caller; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Maximum age of check results that `/readyz` may reuse. Probes need no signature, so a flood
    /// of them must cost nothing.
    pub readiness_age: Duration,
    /// Limits on the concurrent calls of each caller. A call above a limit waits, or gets
    /// `rate_limited`.
    pub in_flight: InFlightLimit,
    /// Maximum total memory of large responses in progress, in bytes. A response that does not fit
    /// is replaced by `unavailable`.
    pub response_budget: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            body_deadline: Duration::from_secs(10),
            // 64 of the largest bodies. 1,000 clients that stall keep a server at 186 MiB.
            body_budget: 64 * 1024 * 1024,
            rate_limit: Some(RateLimit::default()),
            in_flight: InFlightLimit::default(),
            readiness_age: Duration::from_secs(1),
            // With 64 concurrent pages of a hundred orders of 1 MiB, a server stays under 350 MiB.
            response_budget: 256 * 1024 * 1024,
        }
    }
}

impl Settings {
    pub(super) fn request_limits(&self) -> RequestLimitSettings {
        RequestLimitSettings {
            rate_limit: self.rate_limit,
            in_flight: self.in_flight,
            body_budget: self.body_budget,
            body_deadline: self.body_deadline,
        }
    }
}
