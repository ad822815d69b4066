//! Decision about the events to send now.

use super::batch::Batch;
use super::plan::{Plan, SubscriptionView};
use super::probe;
use crate::limits;
use crate::webhook::endpoint::EndpointRecord;
use pressline_domain::value::id::StoreId;
use pressline_domain::value::time::Timestamp;

/// Number and kind of events that a subscription may send now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionMode {
    /// Nothing: the endpoint is disabled, paused, probed by another subscription, or does not
    /// receive events of the store.
    Nothing,
    /// A single event, to find out whether the endpoint works again.
    Probe,
    /// Due messages and events after the cursor, up to this number concurrently.
    Send(usize),
}

impl SubscriptionMode {
    /// Returns the mode, at the time `now`, of the subscription that sends the events of `store` to
    /// the endpoint `record`.
    pub fn new(record: &EndpointRecord, store: StoreId, now: Timestamp) -> Self {
        let state = &record.state;
        if state.disabled.is_some() || !record.endpoint.scope.hears(store) {
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
        SubscriptionMode::Probe => probe::probe(view),
        SubscriptionMode::Send(limit) => Batch::new(view, limit).fill(view),
    }
}
