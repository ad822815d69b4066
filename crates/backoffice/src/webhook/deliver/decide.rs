//! Decision about the events to send now.

use super::batch::Batch;
use super::mode::SubscriptionMode;
use super::plan::{Plan, SubscriptionView};
use super::probe;

/// Decides which events are sent now.
///
/// A plan has up to the number of events that [`SubscriptionMode`] permits, all of different orders. Due
/// messages come first. Events of types that the endpoint does not receive are skipped. An event of
/// an order with an open message becomes a waiting message. An event of an order that already has
/// an attempt in this plan ends the reading, until the results of the plan are applied.
pub fn plan(view: &SubscriptionView<'_>) -> Plan {
    match SubscriptionMode::new(view.record, view.subscription.key.store, view.now) {
        SubscriptionMode::Nothing => Plan::new(view.subscription),
        SubscriptionMode::Probe => probe::probe(view),
        SubscriptionMode::Send(limit) => Batch::new(view, limit).fill(view),
    }
}
