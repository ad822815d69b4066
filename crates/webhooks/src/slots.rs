//! Slots of running subscriptions. Their number is bounded, and subscriptions of slow receivers get
//! at most half of them, so that they do not delay others.

use std::collections::{HashMap, HashSet, VecDeque};

use pressline_backoffice::webhook::SubscriptionKey;
use pressline_domain::value::EndpointId;

/// Maximum number of subscriptions with a delivery run in progress.
const SUBSCRIPTIONS: usize = 64;
/// Maximum number of concurrent delivery runs per endpoint, so that an endpoint with thousands of
/// subscriptions leaves slots to other endpoints.
const OF_ENDPOINT: usize = 8;
/// Maximum number of concurrent delivery runs to slow receivers.
const SLOW: usize = SUBSCRIPTIONS / 2;
/// Subscriptions in the queue. [`RunSlots::offer`] ignores more; a later query finds them again.
const WAITING: usize = 1024;
/// Maximum size of [`RunSlots::slow`]; further slow endpoints are treated as fast.
const REMEMBERED: usize = 10_000;

#[derive(Default)]
pub(crate) struct RunSlots {
    /// Whether the endpoint counted as slow when the run began; `true` for at most [`SLOW`] values.
    running: HashMap<SubscriptionKey, bool>,
    of_endpoint: HashMap<EndpointId, usize>,
    /// Endpoints that were slow in their latest delivery run.
    slow: HashSet<EndpointId>,
    waiting: VecDeque<SubscriptionKey>,
}

impl RunSlots {
    /// Queues `key` for a slot, unless it already waits or runs, or [`WAITING`] subscriptions wait.
    pub(crate) fn offer(&mut self, key: SubscriptionKey) {
        let is_known = self.running.contains_key(&key) || self.waiting.contains(&key);
        if !is_known && self.waiting.len() < WAITING {
            self.waiting.push_back(key);
        }
    }

    pub(crate) fn next(&mut self) -> Option<SubscriptionKey> {
        if self.running.len() >= SUBSCRIPTIONS {
            return None;
        }
        // The first subscription that may run: an endpoint at its limit does not block the queue.
        let place = self.waiting.iter().position(|key| self.may_run(*key))?;
        let key = self.waiting.remove(place)?;
        self.running.insert(key, self.slow.contains(&key.endpoint));
        *self.of_endpoint.entry(key.endpoint).or_default() += 1;
        Some(key)
    }

    fn may_run(&self, key: SubscriptionKey) -> bool {
        let of_endpoint = self.of_endpoint.get(&key.endpoint);
        if of_endpoint.is_some_and(|count| *count >= OF_ENDPOINT) {
            return false;
        }
        let slow = self.running.values().filter(|is_slow| **is_slow).count();
        slow < SLOW || !self.slow.contains(&key.endpoint)
    }

    /// Frees the slot of `key`. `was_slow` is `None` if the run failed or could not send.
    pub(crate) fn end(&mut self, key: SubscriptionKey, was_slow: Option<bool>) {
        if self.running.remove(&key).is_none() {
            return;
        }
        if let Some(count) = self.of_endpoint.get_mut(&key.endpoint) {
            *count -= 1;
            if *count == 0 {
                self.of_endpoint.remove(&key.endpoint);
            }
        }
        match was_slow {
            Some(true) if self.slow.len() < REMEMBERED => {
                self.slow.insert(key.endpoint);
            }
            Some(false) => {
                self.slow.remove(&key.endpoint);
            }
            _ => {}
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::value::StoreId;
    use uuid::Uuid;

    use super::*;

    fn key(store: u128, endpoint: u128) -> SubscriptionKey {
        SubscriptionKey {
            store: StoreId::new(Uuid::from_u128(store)),
            endpoint: EndpointId::new(Uuid::from_u128(endpoint)),
        }
    }

    fn all(slots: &mut RunSlots) -> Vec<SubscriptionKey> {
        std::iter::from_fn(|| slots.next()).collect()
    }

    #[test]
    fn one_endpoint_has_a_bounded_number_of_subscriptions() {
        let mut slots = RunSlots::default();
        (0..50).for_each(|store| slots.offer(key(store, 1)));
        slots.offer(key(99, 2));
        assert_eq!(all(&mut slots).len(), OF_ENDPOINT + 1);
        slots.end(key(0, 1), Some(false));
        assert_eq!(all(&mut slots), [key(8, 1)]);
    }

    #[test]
    fn slow_receivers_leave_half_of_the_places_to_others() {
        let mut slots = RunSlots::default();
        for round in 0..2 {
            (0..100).for_each(|number| slots.offer(key(1, number)));
            let run = all(&mut slots);
            assert_eq!(run.len(), if round == 0 { SUBSCRIPTIONS } else { SLOW });
            for key in run {
                slots.end(key, Some(true));
            }
            slots.waiting.clear();
            // The endpoints that did not run count as slow too.
            slots
                .slow
                .extend((0..100).map(|number| key(1, number).endpoint));
        }
        (0..100).for_each(|number| slots.offer(key(1, number)));
        assert_eq!(all(&mut slots).len(), SLOW);
        (200..300).for_each(|number| slots.offer(key(1, number)));
        assert_eq!(all(&mut slots).len(), SUBSCRIPTIONS - SLOW);
    }

    #[test]
    fn a_receiver_that_is_quick_again_counts_as_slow_no_more() {
        let mut slots = RunSlots::default();
        for was_slow in [true, false] {
            slots.offer(key(1, 1));
            assert_eq!(all(&mut slots), [key(1, 1)]);
            slots.end(key(1, 1), Some(was_slow));
            assert_eq!(slots.slow.contains(&key(1, 1).endpoint), was_slow);
        }
        slots.slow.insert(key(1, 1).endpoint);
        slots.offer(key(1, 1));
        all(&mut slots);
        // A run that sent nothing does not change the speed of the receiver.
        slots.end(key(1, 1), None);
        assert!(slots.slow.contains(&key(1, 1).endpoint));
    }

    #[test]
    fn subscriptions_that_wait_are_bounded_and_served_in_their_order() {
        let mut slots = RunSlots::default();
        let stores = 0..u128::try_from(WAITING).unwrap() + 10;
        stores.for_each(|number| slots.offer(key(number, number)));
        assert_eq!(slots.waiting(), WAITING);
        let run = all(&mut slots);
        assert_eq!(run.len(), SUBSCRIPTIONS);
        assert!(run.is_sorted());
        assert_eq!(slots.waiting(), WAITING - SUBSCRIPTIONS);
        slots.end(key(0, 0), Some(false));
        assert_eq!(all(&mut slots).len(), 1);
    }

    #[test]
    fn a_subscription_that_does_not_run_cannot_end() {
        let mut slots = RunSlots::default();
        slots.offer(key(1, 1));
        all(&mut slots);
        slots.end(key(2, 1), Some(true));
        slots.end(key(2, 1), Some(true));
        assert_eq!(slots.of_endpoint.get(&key(1, 1).endpoint), Some(&1));
        slots.end(key(1, 1), None);
        assert!(slots.of_endpoint.is_empty() && slots.running.is_empty());
    }

    #[test]
    fn a_subscription_runs_once_at_a_time() {
        let mut slots = RunSlots::default();
        slots.offer(key(1, 1));
        slots.offer(key(1, 1));
        assert_eq!(all(&mut slots), [key(1, 1)]);
        slots.offer(key(1, 1));
        assert_eq!((slots.waiting(), slots.running.len()), (0, 1));
        slots.end(key(1, 1), None);
        slots.offer(key(1, 1));
        assert_eq!(all(&mut slots), [key(1, 1)]);
    }
}
