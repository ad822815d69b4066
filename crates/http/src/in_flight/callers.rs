//! Which stores have called lately.

use std::time::{Duration, Instant};

use pressline_domain::id::StoreId;

/// A store that has called within this time counts as active.
const ACTIVE: Duration = Duration::from_secs(1);

/// The last calls of two stores. This is enough to know whether another store than a given one is
/// active.
#[derive(Debug, Default)]
pub(super) struct Callers {
    last: Option<(StoreId, Instant)>,
    /// The last call of a store other than that of `last`.
    other: Option<(StoreId, Instant)>,
}

impl Callers {
    /// Notes a call of a store.
    pub(super) fn called(&mut self, store: StoreId, now: Instant) {
        if self.last.is_some_and(|(last, _)| last != store) {
            self.other = self.last;
        }
        self.last = Some((store, now));
    }

    /// Returns whether a store other than this one is active.
    pub(super) fn has_another_than(&self, store: StoreId, now: Instant) -> bool {
        let is_active = |(caller, at): (StoreId, Instant)| {
            caller != store && now.saturating_duration_since(at) < ACTIVE
        };
        self.last.is_some_and(is_active) || self.other.is_some_and(is_active)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn another_store_is_active_for_a_second_after_its_call() {
        let store = |number| StoreId::new(Uuid::from_u128(number));
        let begin = Instant::now();
        let after = |millis| begin + Duration::from_millis(millis);
        let mut callers = Callers::default();
        assert!(!callers.has_another_than(store(1), begin));
        callers.called(store(1), begin);
        assert!(!callers.has_another_than(store(1), begin));
        assert!(callers.has_another_than(store(2), begin));
        callers.called(store(2), after(10));
        // Many calls of one store do not make the other one forgotten.
        callers.called(store(1), after(20));
        callers.called(store(1), after(30));
        assert!(callers.has_another_than(store(1), after(1_009)));
        assert!(!callers.has_another_than(store(1), after(1_010)));
    }
}
