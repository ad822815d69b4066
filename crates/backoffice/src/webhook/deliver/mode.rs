//! What an endpoint's state permits a subscription to do.

use crate::webhook::endpoint::EndpointRecord;
use pressline_domain::id::StoreId;
use pressline_domain::limits;
use pressline_domain::time::Timestamp;

/// What a subscription may do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionMode {
    /// Nothing: the endpoint is disabled, pauses, is probed by another subscription, or does not hear the store.
    Nothing,
    /// It sends one event, to find out whether the endpoint works again.
    Probe,
    /// It sends messages that are due and events after the cursor, at most this many at once.
    Send(usize),
}

impl SubscriptionMode {
    /// Returns what the subscription of a store may do.
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
            Some(probing) if probing.store != store => Self::Nothing,
            Some(_) => Self::Probe,
            // The receiver was too busy: one event shows whether it still is.
            None => Self::Send(1),
        }
    }
}
