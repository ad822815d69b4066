//! A model test: random commands by store, operator, carrier and clock. After each step no item has
//! moved outside the table, the event undoes the change, and the money adds up; at the end of each
//! life every version is rebuilt from the events.

mod checks;
mod commands;
mod random;

use std::collections::BTreeMap;

use super::fixture::*;
use pressline_domain::event::{Event, at_version, undo};
use pressline_domain::fulfilment::*;
use pressline_domain::order::OrderParts;
use random::Random;

/// Number of orders.
const LIVES: u64 = 600;
/// Number of commands for each of them.
const STEPS: u32 = 40;

/// An order on its way, with everything that happened.
pub(super) struct Life {
    pub(super) order: Snapshot,
    /// Each version.
    versions: Vec<Snapshot>,
    /// Each event after the first, the latest last.
    events: Vec<Event>,
    /// Seconds since the order was placed.
    pub(super) seconds: i64,
    pub(super) random: Random,
}

impl Life {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let items = (0..=random.below(3)).map(|_| random.line()).collect();
        let window = [0, 60, HOUR][random.index(3)];
        let order = placed(items, window);
        Self {
            versions: vec![order.clone()],
            events: Vec::new(),
            seconds: 0,
            order,
            random,
        }
    }

    /// Takes one random step; returns the type of the event, if the order changed.
    fn step(&mut self) -> Option<&'static str> {
        self.seconds += [0, 1, 30, 2000][self.random.index(4)];
        let (given, context) = self.random_command();
        let decision = match given.give(&self.order, &context) {
            Ok(decision) => decision,
            Err(defect @ (Refusal::Broken(_) | Refusal::BrokenEvent(_))) => {
                panic!("{given:?} of {:?}: {defect:?}", self.order)
            }
            Err(_) => return None,
        };
        let Decision::Changed(mut change) = decision else {
            return None;
        };
        if change.needs_price {
            let priced = priced(&change.order);
            let Ok(Decision::Changed(priced)) = reprice(&self.order, &change, priced, &context)
            else {
                panic!("a change stays a change");
            };
            change = priced;
        }
        checks::moves_are_legal(&self.order, &change, &given, context.role());
        checks::money_adds_up(&change.order);
        checks::event_is_kept_by_serde(&change.event);
        let undone = undo(&change.order, &change.event).unwrap();
        assert_eq!(undone, self.order, "{given:?}");
        let sequence = self.order.state.last_sequence + 1 + self.random.below(3);
        let next = change
            .order
            .changed(|parts| parts.state.last_sequence = sequence);
        self.order = next.unwrap();
        self.versions.push(self.order.clone());
        let event = change.event;
        let kind = event.kind.as_str();
        self.events.push(Event { sequence, event });
        Some(kind)
    }

    /// Rebuilds every version from the latest one.
    fn check_history(&self) {
        for stored in &self.versions {
            let version = stored.state.version;
            let rebuilt = at_version(&self.order, self.events.iter().rev(), version);
            assert_eq!(rebuilt.as_ref(), Ok(stored), "version {version}");
        }
    }
}

/// The content of an order with the prices of its items that are not cancelled.
pub(super) fn priced(order: &SnapshotParts) -> OrderParts {
    OrderParts {
        bill: bill_of(order.priced_items()),
        ..OrderParts::clone(&order.content)
    }
}

#[test]
fn random_lives_follow_the_table_and_can_be_undone() {
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    for seed in 0..LIVES {
        let mut life = Life::new(seed);
        for _ in 0..STEPS {
            if let Some(kind) = life.step() {
                *seen.entry(kind).or_default() += 1;
            }
        }
        life.check_history();
    }
    let changes: u32 = seen.values().sum();
    assert!(changes > 3000, "{changes} changes: {seen:?}");
    // All types but the creation and the replacement, which are no moves of the order.
    assert_eq!(seen.len(), 18, "{seen:?}");
}
