//! The most recent callers, to find out whether a caller is the only active caller.

use std::time::{Duration, Instant};

use crate::caller::Caller;

const ACTIVE: Duration = Duration::from_secs(1);

/// Last calls of the two most recent callers: enough to know whether another caller is active.
#[derive(Debug, Default)]
pub(super) struct Callers {
    last: Option<(Caller, Instant)>,
    /// Last call of a caller other than the caller in `last`.
    other: Option<(Caller, Instant)>,
}

impl Callers {
    pub(super) fn called(&mut self, caller: Caller, now: Instant) {
        if self.last.is_some_and(|(last, _)| last != caller) {
            self.other = self.last;
        }
        self.last = Some((caller, now));
    }

    pub(super) fn has_another_than(&self, caller: Caller, now: Instant) -> bool {
        let is_active = |(other, at): (Caller, Instant)| {
            other != caller && now.saturating_duration_since(at) < ACTIVE
        };
        self.last.is_some_and(is_active) || self.other.is_some_and(is_active)
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::value::StoreId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn another_store_is_active_for_a_second_after_its_call() {
        let store = |number| Caller::Store(StoreId::new(Uuid::from_u128(number)));
        let begin = Instant::now();
        let after = |millis| begin + Duration::from_millis(millis);
        let mut callers = Callers::default();
        assert!(!callers.has_another_than(store(1), begin));
        callers.called(store(1), begin);
        assert!(!callers.has_another_than(store(1), begin));
        assert!(callers.has_another_than(store(2), begin));
        callers.called(store(2), after(10));
        // Further calls of one store do not remove the other store.
        callers.called(store(1), after(20));
        callers.called(store(1), after(30));
        assert!(callers.has_another_than(store(1), after(1_009)));
        assert!(!callers.has_another_than(store(1), after(1_010)));
    }
}
