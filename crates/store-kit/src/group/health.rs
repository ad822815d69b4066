//! Whether writes work, known from the results of the last ones, and from probes where that is not
//! enough.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;

use super::job::Outcome;

/// How long a write that succeeded proves that writes work.
const PROVEN_FOR: Duration = Duration::from_secs(1);

/// How long writes may wait, for an import in another process or for those before them, before this
/// means that they do not work. An import of 100,000 products holds SQLite's lock for 10 s.
const BUSY_FOR: Duration = Duration::from_secs(30);

/// What a probe writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeSize {
    /// A few bytes, to find out whether writes work at all.
    Small,
    /// More than the largest order, after a failed write: on a full disk, less may still fit into room that the
    /// files of the database already have.
    Large,
}

impl ProbeSize {
    /// How many bytes to write.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Small => 16,
            Self::Large => 4 * 1024 * 1024,
        }
    }
}

/// The result of a probe.
#[derive(Debug)]
pub enum ProbeResult {
    /// It was written.
    Written,
    /// Another process or transaction is writing, and takes too long to wait for.
    Busy(RepositoryError),
    /// It could not be written.
    Failed(RepositoryError),
}

/// What is known of the last writes. A probe decides whether writes work, unless one succeeded just
/// now: a wrong state cannot last.
#[derive(Debug)]
pub(super) struct WriteHealth(Mutex<State>);

#[derive(Debug)]
struct State {
    /// The last time that a write succeeded, or the start.
    succeeded: Instant,
    /// Whether that is the outcome of the last write.
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
        *self.state() = State {
            succeeded: Instant::now(),
            proven: true,
            failing: false,
        };
    }

    pub(super) fn failed(&self) {
        let mut state = self.state();
        (state.proven, state.failing) = (false, true);
    }

    /// The size of the probe that is needed; none where a write succeeded just now.
    pub(super) fn needed(&self) -> Option<ProbeSize> {
        let state = self.state();
        if state.proven && state.succeeded.elapsed() < PROVEN_FOR {
            return None;
        }
        Some(if state.failing {
            ProbeSize::Large
        } else {
            ProbeSize::Small
        })
    }

    pub(super) fn note(&self, probed: ProbeResult) -> Outcome<()> {
        match probed {
            ProbeResult::Written => {
                self.succeeded();
                Ok(())
            }
            ProbeResult::Busy(error) if self.state().succeeded.elapsed() >= BUSY_FOR => Err(error),
            ProbeResult::Busy(_) => Ok(()),
            ProbeResult::Failed(error) => {
                self.failed();
                Err(error)
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        health.state().succeeded -= PROVEN_FOR;
        assert_eq!(health.needed(), Some(ProbeSize::Small));
        health.succeeded();
        health.failed();
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
        health.state().succeeded -= BUSY_FOR;
        assert!(health.note(ProbeResult::Busy(unavailable())).is_err());
    }
}
