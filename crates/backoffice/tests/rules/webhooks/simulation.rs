//! Simulated weeks of delivery: crashing workers, several stores, and a receiver for each endpoint.

use std::collections::{BTreeMap, BTreeSet};

use pressline_backoffice::webhook::{
    AttemptReport, DisabledReason, Endpoint, EndpointRecord, EndpointScope, EndpointState, Plan,
    RecordResult, SubscriptionEvent, SubscriptionKey, SubscriptionView, apply_results, plan,
};
use pressline_domain::event::EventType;
use pressline_domain::value::{EndpointId, Timestamp};
use uuid::Uuid;

use crate::webhooks::fixture::{START, order, record, report, store};
use crate::webhooks::receivers::{Random, Receiver};
use crate::webhooks::world::World;

const STORES: u128 = 3;
const ORDERS: u64 = 12;
const WEEKS: i64 = 4;
const MINUTE: i64 = 60_000;

struct Flight {
    plan: Plan,
    reports: Vec<Option<AttemptReport>>,
}

/// A subscription from its receiver's point of view.
#[derive(Default)]
pub(crate) struct SimulationState {
    /// Time of the first success, by sequence.
    pub(crate) taken: BTreeMap<u64, Timestamp>,
    pub(crate) repeats: u64,
    attempts: u64,
    pub(crate) crashes: u64,
    pub(crate) most_messages: usize,
}

pub(crate) struct Simulation {
    pub(crate) world: World,
    receivers: BTreeMap<EndpointId, Receiver>,
    random: Random,
    now: Timestamp,
    flights: BTreeMap<(Timestamp, SubscriptionKey), Flight>,
    pub(crate) seen: BTreeMap<SubscriptionKey, SimulationState>,
    /// Every batch crashes its worker with a probability of 1 / `crashes`; 0 disables crashes.
    crashes: u64,
}

impl Simulation {
    /// Adds two endpoints for each of `receivers`: the first for store 1 only, the second for all
    /// stores.
    pub(crate) fn new(receivers: &[Receiver], crashes: u64, seed: u64) -> Self {
        let mut simulation = Self {
            world: World::default(),
            receivers: BTreeMap::new(),
            random: Random(seed),
            now: START,
            flights: BTreeMap::new(),
            seen: BTreeMap::new(),
            crashes,
        };
        let stores = (0..STORES).map(store);
        simulation.world.events = stores.map(|store| (store, Vec::new())).collect();
        for (number, receiver) in (0..).zip(receivers) {
            simulation.add(number * 10, EndpointScope::AllStores, *receiver);
            simulation.add(number * 10 + 1, EndpointScope::Store(store(1)), *receiver);
        }
        simulation
    }

    fn add(&mut self, number: u128, scope: EndpointScope, receiver: Receiver) {
        let id = EndpointId::new(Uuid::from_u128(9000 + number));
        for store in (0..STORES)
            .map(store)
            .filter(|store| scope.includes(*store))
        {
            let key = SubscriptionKey {
                store,
                endpoint: id,
            };
            self.world.subscriptions.entry(key).or_default();
            self.seen.entry(key).or_default();
        }
        let record = record(EndpointState::default());
        let types = if number.is_multiple_of(3) {
            BTreeSet::from([EventType::OrderCreated, EventType::OrderUpdated])
        } else {
            BTreeSet::new()
        };
        let endpoint = Endpoint {
            id,
            scope,
            types,
            ..record.endpoint.clone()
        };
        self.world
            .endpoints
            .insert(id, EndpointRecord { endpoint, ..record });
        self.receivers.insert(id, receiver);
    }

    /// Runs until no event is left to deliver. New events come during the first `days_of_events`
    /// days.
    pub(crate) fn run(&mut self, days_of_events: i64) {
        let end = START.plus_millis(WEEKS * 7 * 24 * 60 * MINUTE);
        let last_event = START.plus_millis(days_of_events * 24 * 60 * MINUTE);
        let mut next_event = START;
        while self.now < end {
            self.land();
            self.start();
            let landing = self.flights.keys().next().map(|(at, _)| *at);
            let coming = Some(next_event).filter(|at| *at < last_event);
            let moments = [landing, coming, self.world.next_moment(self.now)];
            let Some(moment) = moments.into_iter().flatten().min() else {
                return;
            };
            self.now = moment.max(self.now);
            if coming.is_some_and(|at| at <= self.now) {
                self.happen();
                let minutes = i64::try_from(self.random.below(40)).unwrap();
                next_event = self.now.plus_millis(minutes * MINUTE + 1);
            }
        }
        panic!("still busy after {WEEKS} weeks");
    }

    fn happen(&mut self) {
        let store = store(u128::from(self.random.below(3)));
        for _ in 0..=self.random.below(12) {
            let of = u128::from(self.random.below(ORDERS));
            let kinds = [EventType::OrderUpdated, EventType::OrderHeld];
            let kind = kinds[usize::try_from(self.random.below(2)).unwrap()];
            let events = self.world.events.get_mut(&store).unwrap();
            events.push(SubscriptionEvent {
                sequence: events.len() as u64 + 1,
                kind,
                order: Some(order(of)),
                at: self.now,
            });
        }
    }

    fn start(&mut self) {
        for key in self.world.with_pending_events(self.now) {
            let subscription = self.world.lease(key, self.now.plus_millis(30_000));
            let events = self.world.events_after(key, subscription.cursor);
            let last = self.world.events[&key.store].len() as u64;
            let read_to = events
                .last()
                .map_or(subscription.cursor, |event| event.sequence);
            let plan = plan(&SubscriptionView {
                subscription,
                record: self.world.record_of(key),
                now: self.now,
                due: &self.world.due(key, self.now),
                oldest: self.world.oldest(key),
                events: &events,
                read_to,
                is_end: read_to == last,
                blocked: &self.world.blocked(key),
            });
            assert!(
                !plan.is_empty(),
                "a subscription with news has something to do: {plan:?}"
            );
            self.send(key, plan);
        }
    }

    fn send(&mut self, key: SubscriptionKey, plan: Plan) {
        assert!(plan.attempts.len() <= 8);
        let orders: BTreeSet<_> = plan.attempts.iter().map(|attempt| attempt.order).collect();
        assert_eq!(orders.len(), plan.attempts.len(), "different orders");
        let receiver = self.receivers[&key.endpoint];
        let mut reports = Vec::new();
        let mut lands = self.now;
        for attempt in &plan.attempts {
            let seen = self.seen.get_mut(&key).unwrap();
            seen.attempts += 1;
            let of = (0..u128::from(ORDERS)).find(|of| Some(order(*of)) == attempt.order);
            let (response, duration_ms) =
                receiver.respond(of.unwrap(), seen.attempts, self.now, &mut self.random);
            let mut report = report(attempt, self.now, response);
            report.sent.duration_ms = duration_ms;
            report.jitter = u32::try_from(self.random.below(1000)).unwrap();
            lands = lands.max(report.sent.ended_at());
            if report.sent.result.error.is_none() {
                self.take(key, attempt.sequence);
            }
            reports.push(Some(report));
        }
        if self.crashes > 0 && self.random.below(self.crashes) == 0 {
            self.seen.get_mut(&key).unwrap().crashes += 1;
            return;
        }
        self.flights.insert((lands, key), Flight { plan, reports });
    }

    /// Accepts an event. Panics if an earlier event of the same order is missing and not retried
    /// for 15 minutes.
    fn take(&mut self, key: SubscriptionKey, sequence: u64) {
        let events = &self.world.events[&key.store];
        let event = events[usize::try_from(sequence).unwrap() - 1];
        let types = &self.world.record_of(key).endpoint.types;
        let seen = self.seen.get_mut(&key).unwrap();
        if seen.taken.contains_key(&sequence) {
            seen.repeats += 1;
            return;
        }
        for earlier in events
            .iter()
            .take_while(|earlier| earlier.sequence < sequence)
        {
            let is_wanted = types.is_empty() || types.contains(&earlier.kind);
            let is_earlier = earlier.order == event.order && is_wanted;
            if is_earlier && !seen.taken.contains_key(&earlier.sequence) {
                let waited = self.now.millis_since(event.at);
                let is_final = self.world.failed.contains(&(key, earlier.sequence));
                assert!(
                    is_final || waited >= 15 * MINUTE,
                    "{sequence} came before {} of its order, after {waited} ms",
                    earlier.sequence
                );
            }
        }
        seen.taken.insert(sequence, self.now);
    }

    fn land(&mut self) {
        while let Some(entry) = self
            .flights
            .first_entry()
            .filter(|entry| entry.key().0 <= self.now)
        {
            let ((_, key), flight) = entry.remove_entry();
            let record = self.world.record_of(key);
            let outcome = apply_results(&flight.plan, record, &flight.reports, self.now, None);
            assert!(outcome.subscription.cursor >= flight.plan.subscription.cursor);
            assert!(
                outcome
                    .open
                    .iter()
                    .all(|message| message.sequence <= outcome.subscription.cursor)
            );
            assert_eq!(self.world.record(&outcome), RecordResult::Done);
            let messages = self.world.subscriptions[&key].messages.len();
            let seen = self.seen.get_mut(&key).unwrap();
            seen.most_messages = seen.most_messages.max(messages);
        }
    }

    /// Checks that each event was delivered, has failed for good, or waits for a disabled endpoint.
    pub(crate) fn check(&self) {
        for (key, row) in &self.world.subscriptions {
            let receiver = self.receivers[&key.endpoint];
            let record = self.world.record_of(*key);
            let seen = &self.seen[key];
            let crashes = seen.crashes;
            assert!(
                seen.repeats <= 8 * crashes,
                "{receiver:?}: {} of {crashes}",
                seen.repeats
            );
            self.check_end(receiver, record);
            for event in &self.world.events[&key.store] {
                let types = &record.endpoint.types;
                let sequence = event.sequence;
                let is_wanted = types.is_empty() || types.contains(&event.kind);
                let waits = row.messages.contains_key(&sequence) || sequence > row.cursor;
                let is_done = seen.taken.contains_key(&sequence)
                    || self.world.failed.contains(&(*key, sequence));
                let is_kept = record.state.disabled.is_some() && waits;
                assert!(
                    !is_wanted || is_done || is_kept,
                    "{receiver:?}: {sequence} of {key:?}"
                );
            }
        }
    }

    fn check_end(&self, receiver: Receiver, record: &EndpointRecord) {
        let disabled = record.state.disabled;
        let Some((from, to)) = receiver.disabled_at() else {
            // A receiver without an expected end may be disabled only after five days without a
            // success.
            let end = disabled.map_or(self.now, |disabled| disabled.at);
            let subscriptions = self
                .seen
                .iter()
                .filter(|(key, _)| key.endpoint == record.endpoint.id);
            let taken = subscriptions.flat_map(|(_, seen)| seen.taken.values());
            let quiet = end.millis_since(*taken.max().unwrap());
            assert!(
                disabled.is_none() || quiet >= 5 * 24 * 60 * MINUTE,
                "{receiver:?} {quiet}"
            );
            return;
        };
        let disabled = disabled.unwrap();
        let is_gone = disabled.reason == DisabledReason::Gone;
        let since = record.state.failing_since.filter(|_| !is_gone);
        let passed = disabled.at.millis_since(since.unwrap_or(START));
        assert!(
            (from..=to).contains(&passed),
            "{receiver:?} after {passed} ms"
        );
        assert_eq!(is_gone, matches!(receiver, Receiver::GoneAfter(_)));
    }
}
