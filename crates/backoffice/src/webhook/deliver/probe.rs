//! Probing: finds out whether a paused endpoint works again.
//!
//! A single event is sent at a time. The first probe is the oldest unresolved event of the
//! subscription. If the receiver can never accept this event, for example because its program
//! cannot handle it, the event must not block all others until the endpoint is disabled: so the
//! next probes try the events after it in turn, each of another order, and then start again.

use std::collections::BTreeSet;

use super::plan::{Attempt, Plan, SubscriptionEvent, SubscriptionView, is_wanted, message};
use super::schedule;
use crate::limits;
use pressline_domain::value::id::OrderId;

pub(super) fn probe(view: &SubscriptionView<'_>) -> Plan {
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

/// Adds a message to `plan.aside` for each event before `tried` that the endpoint receives. The
/// messages are stored only if the result of the probe moves the cursor to `tried`.
fn pass_over(view: &SubscriptionView<'_>, tried: &SubscriptionEvent, plan: &mut Plan) {
    let mut orders: BTreeSet<OrderId> = view.blocked.clone();
    let wanted = view.events.iter().filter(|event| is_wanted(view, event));
    for event in wanted.take_while(|event| event.sequence < tried.sequence) {
        let is_first = event.order.is_none_or(|order| orders.insert(order));
        let waited = schedule::wait_until(view.now);
        // A later event of an order waits for the first event of its order.
        let due = if is_first { view.now } else { waited };
        plan.aside.push(message(event, due, !is_first));
    }
}
