//! The decision about what is sent now.

use super::batch::Batch;
use super::mode::SubscriptionMode;
use super::plan::{Plan, SubscriptionView};
use super::probe;

/// Decides what is sent now.
///
/// At most as many events as [`SubscriptionMode`] says, of different orders. Messages that are due come first. Events of
/// types that the endpoint leaves out are passed over. An event whose order has an open message leaves the subscription as a
/// waiting message. An event whose order is in this batch already ends the reading, until the batch is settled.
pub fn plan(view: &SubscriptionView<'_>) -> Plan {
    match SubscriptionMode::new(view.record, view.subscription.key.store, view.now) {
        SubscriptionMode::Nothing => Plan::new(view.subscription),
        SubscriptionMode::Probe => probe::probe(view),
        SubscriptionMode::Send(limit) => Batch::new(view, limit).fill(view),
    }
}
