//! How often, and after which pause, work is tried again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// How often a transaction that another one was in the way of is tried again.
pub(crate) const CONFLICTS: u32 = 5;

/// A pause before the n-th retry, from 1: between none and 5 ms, 10 ms, 20 ms and so on, so that
/// those who met once do not meet again.
pub(crate) fn pause(retry: u32) -> Duration {
    let limit = 5_000 << retry.clamp(1, 6).saturating_sub(1);
    // The keys of the standard library's hash tables are random.
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
