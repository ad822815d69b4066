//! Reports of attempts.

use crate::webhook::delivery::{DeliveryResult, SentEvent};
use pressline_domain::id::DeliveryId;
use pressline_domain::time::Timestamp;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptReport {
    /// Id for the log.
    pub id: DeliveryId,
    /// The event.
    pub event: SentEvent,
    /// What came of it.
    pub result: DeliveryResult,
    /// The pause that the response asks for in `Retry-After`, in seconds.
    pub retry_after: Option<u32>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// A random number, which spreads the next attempts.
    pub jitter: u32,
}

impl AttemptReport {
    /// Returns when the attempt ended.
    pub fn ended_at(&self) -> Timestamp {
        self.started_at.plus_millis(i64::from(self.duration_ms))
    }
}
