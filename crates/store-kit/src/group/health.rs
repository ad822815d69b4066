//! Tracks whether writes work: from the results of recent writes, and from probes.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_kit::lock;

use super::job::JobResult;

/// Time for which a successful write proves that writes work.
const PROVEN_FOR: Duration = Duration::from_secs(1);

/// Maximum time that writes may wait, for an import in another process or for earlier writes,
/// before they count as failing. An import of 100,000 products holds SQLite's lock for 10 s.
const BUSY_FOR: Duration = Duration::from_secs(30);

/// Amount of data that a probe writes to check the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeSize {
    /// 16 bytes, to check that writes work at all.
    Small,
    /// 4 MiB, more than the largest order. Used after a failed write: on a full disk, a smaller
    /// probe may still fit into space that the database files already have.
    Large,
}

impl ProbeSize {
    /// Returns the number of bytes that a probe of this size writes.
    pub fn bytes(self) -> i32 {
        match self {
            Self::Small => 16,
            Self::Large => 4 * 1024 * 1024,
        }
    }
}

/// Result of a probe, which checks that the database accepts writes.
#[derive(Debug)]
pub enum ProbeResult {
    /// The probe was written, so that writes work.
    Written,
    /// Another process or transaction holds the write lock for too long.
    Busy(RepositoryError),
    /// The probe could not be written.
    Failed(RepositoryError),
}

/// A successful write counts only briefly; later, a probe checks whether writes work.
#[derive(Debug)]
pub(super) struct WriteHealth(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Time of the last successful write; before the first write, the time when the record began.
    succeeded: Instant,
    /// `true` if the last write succeeded; `false` before the first write.
    proven: bool,
    failing: bool,
}

impl Default for WriteHealth {
    fn default() -> Self {
        Self(Mutex::new(State {
            succeeded: Instant::now(),
            proven: false,
            failing: false,
        }))
    }
}

impl WriteHealth {
    pub(super) fn succeeded(&self) {
        *lock(&self.0) = State {
            succeeded: Instant::now(),
            proven: true,
            failing: false,
        };
    }

    /// A timeout counts as a failure only after [`BUSY_FOR`]: another writer may hold the lock.
    pub(super) fn failed(&self, error: &RepositoryError) {
        let mut state = lock(&self.0);
        state.proven = false;
        state.failing |= !matches!(error, RepositoryError::Timeout(_));
    }

    /// Returns `None` if the last write succeeded within [`PROVEN_FOR`]: no probe is needed.
    pub(super) fn needed(&self) -> Option<ProbeSize> {
        let state = lock(&self.0);
        if state.proven && state.succeeded.elapsed() < PROVEN_FOR {
            return None;
        }
        Some(if state.failing {
            ProbeSize::Large
        } else {
            ProbeSize::Small
        })
    }

    pub(super) fn note(&self, probed: ProbeResult) -> JobResult<()> {
        match probed {
            ProbeResult::Written => {
                self.succeeded();
                Ok(())
            }
            ProbeResult::Busy(error) => {
                let state = lock(&self.0);
                // Waiting for another writer is not a failure yet, and does not end one.
                if state.failing || state.succeeded.elapsed() >= BUSY_FOR {
                    return Err(error);
                }
                Ok(())
            }
            ProbeResult::Failed(error) => {
                self.failed(&error);
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unavailable() -> RepositoryError {
        RepositoryError::Unavailable("disk full".into())
    }

    #[test]
    fn only_a_recent_success_needs_no_probe() {
        let health = WriteHealth::default();
        assert_eq!(
            health.needed(),
            Some(ProbeSize::Small),
            "nothing was written yet"
        );
        health.succeeded();
        assert_eq!(health.needed(), None);
        lock(&health.0).succeeded -= PROVEN_FOR;
        assert_eq!(health.needed(), Some(ProbeSize::Small));
        health.succeeded();
        health.failed(&unavailable());
        assert_eq!(health.needed(), Some(ProbeSize::Large));
    }

    #[test]
    fn a_probe_that_is_written_ends_a_failure() {
        let health = WriteHealth::default();
        assert!(health.note(ProbeResult::Failed(unavailable())).is_err());
        assert!(health.note(ProbeResult::Written).is_ok());
        assert_eq!(health.needed(), None);
    }

    #[test]
    fn others_that_write_are_no_failure_for_a_while() {
        let health = WriteHealth::default();
        assert!(health.note(ProbeResult::Busy(unavailable())).is_ok());
        lock(&health.0).succeeded -= BUSY_FOR;
        assert!(health.note(ProbeResult::Busy(unavailable())).is_err());
    }

    #[test]
    fn others_that_write_do_not_end_a_failure() {
        let health = WriteHealth::default();
        health.failed(&RepositoryError::Timeout("locked".into()));
        assert!(health.note(ProbeResult::Busy(unavailable())).is_ok());
        health.failed(&unavailable());
        health.failed(&RepositoryError::Timeout("locked".into()));
        assert!(health.note(ProbeResult::Busy(unavailable())).is_err());
    }
}
