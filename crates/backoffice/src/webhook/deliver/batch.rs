//! Filling of a batch: due messages first, then events after the cursor.

use std::collections::BTreeSet;

use super::plan::{Attempt, Plan, SubscriptionEvent, SubscriptionView, is_wanted, message};
use super::schedule;
use crate::webhook::endpoint::SandboxAction;
use crate::webhook::subscription::OpenMessage;
use pressline_domain::value::OrderId;

pub(super) struct Batch {
    plan: Plan,
    limit: usize,
    sent: BTreeSet<OrderId>,
    /// Orders with a message in [`Plan::aside`]. Their later events must wait, too.
    aside: BTreeSet<OrderId>,
}

impl Batch {
    pub(super) fn new(view: &SubscriptionView<'_>, limit: usize) -> Self {
        let mut batch = Self {
            plan: Plan::new(view.subscription),
            limit,
            sent: BTreeSet::new(),
            aside: BTreeSet::new(),
        };
        for message in view.due {
            // Two messages of an order must never be in flight concurrently, even if both were
            // loaded.
            if batch.has_room() && !batch.is_sent(message.order) {
                batch.send(Attempt::of_message(*message));
            }
        }
        batch
    }

    pub(super) fn fill(mut self, view: &SubscriptionView<'_>) -> Plan {
        let wanted: Vec<&SubscriptionEvent> = view
            .events
            .iter()
            .filter(|event| is_wanted(view, event))
            .collect();
        let mut left = wanted.as_slice();
        while let Some((event, rest)) = left.split_first() {
            if !self.take(view, event, rest.first().copied()) {
                break;
            }
            // The sandbox may have sent the next event first.
            let taken = self.plan.cursor;
            let is_taken = |next: &&SubscriptionEvent| next.sequence <= taken;
            left = rest.split_at(rest.partition_point(is_taken)).1;
        }
        if left.is_empty() {
            // The other events up to `read_to` are of types that the endpoint does not receive.
            self.plan.cursor = view.read_to.max(self.plan.cursor);
        }
        // Results are judged in the order of sequences.
        self.plan.attempts.sort_by_key(|attempt| attempt.sequence);
        self.plan
    }

    /// Adds `event` as an attempt, or as a message if it must be sent later. Returns `false`, and
    /// adds nothing, if the plan must end before `event`: a later plan begins with it.
    fn take(
        &mut self,
        view: &SubscriptionView<'_>,
        event: &SubscriptionEvent,
        next: Option<&SubscriptionEvent>,
    ) -> bool {
        // The event's order has an attempt in this batch: the result must be known first.
        if self.is_sent(event.order) {
            return false;
        }
        // An earlier event of the order is open and must be sent first.
        if self.is_blocked(view, event) {
            let due = view.now.plus_millis(schedule::WAIT);
            self.suspend(event, message(event, due, true));
            return true;
        }
        if !self.has_room() {
            return false;
        }
        // A sandbox fault is for a single event.
        let is_first = self.plan.sandboxed.is_none();
        let Some(action) = view.record.state.sandbox.filter(|_| is_first) else {
            self.send_event(Attempt::of_event(event));
            return true;
        };
        let is_taken = self.treat(view, event, next, action);
        if is_taken {
            self.plan.sandboxed = Some((event.sequence, action));
        }
        is_taken
    }

    /// Returns `false` as [`take`](Self::take) does. A reordered `event` is sent after `next`.
    fn treat(
        &mut self,
        view: &SubscriptionView<'_>,
        event: &SubscriptionEvent,
        next: Option<&SubscriptionEvent>,
        action: SandboxAction,
    ) -> bool {
        match (action, next) {
            // The event is not sent, but reported as a failed attempt.
            (SandboxAction::Drop, _) => self.send_event(Attempt {
                is_dropped: true,
                ..Attempt::of_event(event)
            }),
            // After its delivery, the event is sent once more.
            (SandboxAction::Repeat, _) => self.send_event(Attempt::of_event(event)),
            (SandboxAction::Delay(seconds), _) => {
                let due = view.now.plus_millis(i64::from(seconds) * 1000);
                self.suspend(event, message(event, due, false));
            }
            // Two events of an order must not be in flight concurrently.
            (SandboxAction::Reorder, Some(next)) if self.is_sent(next.order) => return false,
            (SandboxAction::Reorder, Some(next)) => {
                // As a message that is due now, the event is sent in the next run, after `next`.
                self.suspend(event, message(event, view.now, false));
                self.send_event(Attempt::of_event(next));
            }
            (SandboxAction::Reorder, None) => {
                let until = event.at.plus_millis(schedule::REORDER);
                if until > view.now {
                    self.plan.look_again = Some(until);
                    return false;
                }
                self.send_event(Attempt::of_event(event));
            }
        }
        true
    }

    fn has_room(&self) -> bool {
        self.plan.attempts.len() < self.limit
    }

    fn is_sent(&self, order: Option<OrderId>) -> bool {
        order.is_some_and(|order| self.sent.contains(&order))
    }

    fn is_blocked(&self, view: &SubscriptionView<'_>, event: &SubscriptionEvent) -> bool {
        let is_open = |order| view.blocked.contains(&order) || self.aside.contains(&order);
        event.order.is_some_and(is_open)
    }

    fn send_event(&mut self, attempt: Attempt) {
        self.plan.cursor = attempt.sequence;
        self.send(attempt);
    }

    fn send(&mut self, attempt: Attempt) {
        self.sent.extend(attempt.order);
        self.plan.attempts.push(attempt);
    }

    fn suspend(&mut self, event: &SubscriptionEvent, message: OpenMessage) {
        self.plan.cursor = event.sequence;
        self.aside.extend(event.order);
        self.plan.aside.push(message);
    }
}
