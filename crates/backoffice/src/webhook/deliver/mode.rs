//! Permission of a subscription to send, by the state of its endpoint.

use crate::webhook::endpoint::EndpointRecord;
use pressline_domain::check::limits;
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
    /// Returns the mode of the subscription of `record` to `store` at `now`.
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
