//! Decision about the events to send now.

use std::collections::BTreeSet;

use super::batch::Batch;
use super::plan::{Attempt, Plan, SubscriptionEvent, SubscriptionView, is_wanted, message};
use super::schedule;
use crate::limits;
use crate::webhook::endpoint::EndpointRecord;
use pressline_domain::value::{OrderId, StoreId, Timestamp};

/// Number and kind of events that a subscription may send now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionMode {
    /// The endpoint is disabled, paused, probed by another subscription, or not for this store.
    Nothing,
    /// A single event, to find out whether the endpoint works again.
    Probe,
    /// Due messages and events after the cursor, up to this number concurrently.
    Send(usize),
}

impl SubscriptionMode {
    /// Returns the mode at `now` of the subscription of the endpoint `record` to `store`.
    pub fn new(record: &EndpointRecord, store: StoreId, now: Timestamp) -> Self {
        let state = &record.state;
        if state.disabled.is_some() || !record.endpoint.scope.includes(store) {
            return Self::Nothing;
        }
        let Some(pause) = state.pause else {
            return Self::Send(limits::EVENTS_IN_FLIGHT);
        };
        match pause.probing {
            _ if pause.until > now => Self::Nothing,
            // A single subscription probes, so that one event is tried at a time.
            Some(probing) if probing.store != store => Self::Nothing,
            Some(_) => Self::Probe,
            // The receiver was too busy: a single event shows whether it still is.
            None => Self::Send(1),
        }
    }
}

/// Decides which events of a subscription are sent now. `view` is the state of the subscription.
///
/// A plan has up to the number of attempts that [`SubscriptionMode`] permits, all for events of
/// different orders. Due messages come first. Events of types that the endpoint does not receive
/// are skipped. If an order has an open message, its later events become waiting messages. The plan
/// ends before an event of an order that already has an attempt in the plan.
pub fn plan(view: &SubscriptionView<'_>) -> Plan {
    match SubscriptionMode::new(view.record, view.subscription.key.store, view.now) {
        SubscriptionMode::Nothing => Plan::new(view.subscription),
        SubscriptionMode::Probe => probe(view),
        SubscriptionMode::Send(limit) => Batch::new(view, limit).fill(view),
    }
}

/// Plans a single event: first the oldest unresolved event. If the receiver can never accept it, it
/// must not block all others until the endpoint is disabled: so the next probes try the events
/// after it in turn, each of another order, and then start again.
fn probe(view: &SubscriptionView<'_>) -> Plan {
    let mut plan = Plan::new(view.subscription);
    plan.is_probe = true;
    let candidates = candidates(view);
    let count = candidates.len() + usize::from(view.oldest.is_some());
    // All events read so far, if any, are of types that the endpoint does not receive.
    let Some(turn) = turn(view).checked_rem(count) else {
        plan.cursor = view.read_to.max(plan.cursor);
        // Events after `read_to` may still be candidates.
        plan.ends_probing = view.is_end;
        return plan;
    };
    let chosen = match view.oldest {
        Some(message) if turn == 0 => {
            plan.attempts.push(Attempt::of_message(message));
            return plan;
        }
        Some(_) => candidates.get(turn - 1),
        None => candidates.get(turn),
    };
    if let Some(event) = chosen {
        plan.attempts.push(Attempt::of_event(event));
        plan.cursor = event.sequence;
        pass_over(view, event, &mut plan);
    }
    plan
}

fn turn(view: &SubscriptionView<'_>) -> usize {
    let pause = view.record.state.pause;
    let probing = pause.and_then(|pause| pause.probing);
    let attempts = probing.map_or(0, |probing| probing.attempts);
    usize::try_from(attempts).unwrap_or_default()
}

/// Returns the first event of each order without an open message.
fn candidates<'a>(view: &SubscriptionView<'a>) -> Vec<&'a SubscriptionEvent> {
    let mut orders = view.blocked.clone();
    let mut is_first =
        |event: &&SubscriptionEvent| event.order.is_none_or(|order| orders.insert(order));
    let wanted = view.events.iter().filter(|event| is_wanted(view, event));
    // The oldest message is a candidate as well.
    let limit = limits::EVENTS_IN_FLIGHT - usize::from(view.oldest.is_some());
    wanted.filter(|event| is_first(event)).take(limit).collect()
}

/// Adds messages for the events before `tried`, stored only if the probe moves the cursor there.
fn pass_over(view: &SubscriptionView<'_>, tried: &SubscriptionEvent, plan: &mut Plan) {
    let mut orders: BTreeSet<OrderId> = view.blocked.clone();
    let wanted = view.events.iter().filter(|event| is_wanted(view, event));
    for event in wanted.take_while(|event| event.sequence < tried.sequence) {
        let is_first = event.order.is_none_or(|order| orders.insert(order));
        let waited = view.now.plus_millis(schedule::WAIT);
        // A later event of an order waits for the first event of its order.
        let due = if is_first { view.now } else { waited };
        plan.aside.push(message(event, due, !is_first));
    }
}
