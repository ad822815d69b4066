//! Number of retries, and the pauses before them.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Maximum number of retries after conflicts with other transactions.
pub(crate) const CONFLICTS: u32 = 5;

/// Returns a random pause before the `retry`-th retry, counted from 1: up to 5 ms, 10 ms, 20 ms and
/// so on, up to 160 ms. Random, so that transactions that conflicted once do not conflict again.
pub(crate) fn pause(retry: u32) -> Duration {
    let limit = 5_000 << retry.clamp(1, 6).saturating_sub(1);
    // The keys of the standard library's hash tables are random, which saves a dependency.
    let random = RandomState::new().build_hasher().finish();
    Duration::from_micros(random % limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ() {
        let pauses: Vec<Duration> = (0..50).map(|_| pause(3)).collect();
        assert!(
            pauses
                .iter()
                .all(|pause| *pause < Duration::from_millis(20))
        );
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        assert!(pause(u32::MAX) < Duration::from_millis(160));
    }
}
