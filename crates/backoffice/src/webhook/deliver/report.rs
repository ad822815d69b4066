//! Reports of attempts, made by workers.

use crate::webhook::delivery::{DeliveryResult, SentEvent};
use pressline_domain::value::id::DeliveryId;
use pressline_domain::value::time::Timestamp;

/// A worker's report about an attempt to send an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptReport {
    /// Id of the attempt in the log.
    pub id: DeliveryId,
    /// Event of the attempt.
    pub event: SentEvent,
    /// Success or failure, with the response.
    pub result: DeliveryResult,
    /// Pause requested by the response in `Retry-After`, in seconds; `None` if it requests no
    /// pause.
    pub retry_after: Option<u32>,
    /// Start of the attempt.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub duration_ms: u32,
    /// Any random number: it spreads the times of retries by up to 20 %.
    pub jitter: u32,
}

impl AttemptReport {
    /// Returns the end of the attempt: `started_at` plus `duration_ms`.
    pub fn ended_at(&self) -> Timestamp {
        self.started_at.plus_millis(i64::from(self.duration_ms))
    }
}
