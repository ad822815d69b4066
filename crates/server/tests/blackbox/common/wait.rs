//! Waiting for conditions.

use std::thread;
use std::time::{Duration, Instant};

/// Default time limit. Only a failing test waits that long.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// Calls `look` until it returns a value. The pauses grow, because frequent calls would take
/// processor time from the service. Fails the test after `limit`.
pub(crate) fn wait_for<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            begin.elapsed() < limit,
            "waited {limit:?} in vain for {what}"
        );
        thread::sleep(pause_after(begin.elapsed()));
    }
}

/// Returns the pause before the next check of a condition, after a wait of `waited`.
pub(crate) fn pause_after(waited: Duration) -> Duration {
    (waited / 10).clamp(Duration::from_millis(5), Duration::from_millis(50))
}
