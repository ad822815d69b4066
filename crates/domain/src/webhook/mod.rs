//! Webhooks: endpoints that events are sent to, how far each one is, and the log of all attempts.
//!
//! A lane is a cursor: an endpoint has one for each store that it hears, the last sequence up to which every
//! event is settled or has left the lane as an open message of its own. A healthy endpoint has no
//! stored row per event, and a dead one has none either.

mod deliver;
mod delivery;
mod endpoint;
mod lane;
mod port;

pub use deliver::{
    Attempt, AttemptReport, LaneEvent, LaneMode, LaneView, MAX_ATTEMPTS, Plan, plan, settle,
};
pub use delivery::{
    Delivery, DeliveryError, DeliveryResult, DeliveryStatus, SentEvent, SentOrder, TEST_TYPE,
};
pub use endpoint::{
    Disabled, DisabledReason, Endpoint, EndpointOwner, EndpointPayload, EndpointRecord,
    EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
};
pub use lane::{EndpointChange, Lag, Lane, LaneKey, LaneOutcome, LaneStart, OpenMessage, Recorded};
pub use port::{
    DeliveryFilter, DeliveryLog, EndpointDirectory, LaneClock, LaneRepository, RecoverFrom,
};
