//! Webhooks: endpoints that events are sent to, how far each one is, and the log of all attempts.
//!
//! A lane is a cursor: an endpoint has one for each store that it hears, the last sequence up to which every
//! event is settled or has left the lane as an open message of its own. A healthy endpoint has no
//! stored row per event, and a dead one has none either.

mod all;
mod create;
mod delete;
mod deliver;
mod deliveries;
mod delivery;
mod disable;
mod draft;
mod enable;
mod endpoint;
mod error;
mod lane;
mod list;
mod port;
mod reach;
mod rotate_secret;
mod sandbox;
mod service;
mod test;
mod update;

pub use deliver::{
    Attempt, AttemptReport, LaneEvent, LaneMode, LaneView, MAX_ATTEMPTS, Plan, plan, settle,
};
pub use deliveries::{DeliveryDraft, DeliveryService, RecoverDraft, ResendDraft};
pub use delivery::{
    Delivery, DeliveryError, DeliveryResult, DeliveryStatus, LaneKey, SentEvent, SentOrder,
    TEST_TYPE,
};
pub use draft::{EnableDraft, EndpointDraft, EndpointIdDraft, RotateSecretDraft};
pub use endpoint::{
    Disabled, DisabledReason, Endpoint, EndpointOwner, EndpointPayload, EndpointRecord,
    EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
};
pub use error::WebhookError;
pub use lane::{EndpointChange, Lag, Lane, LaneOutcome, LaneStart, OpenMessage, Recorded};
pub use port::{
    DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointObserver, LaneClock, LaneRepository,
    RESTART_PAUSES, RecoverFrom, SecretOpener, longest_restart_pause,
};
pub use reach::EndpointReach;
pub use sandbox::{SandboxActionName, SandboxWebhookDraft};
pub use service::{
    EndpointOutcome, EndpointPorts, EndpointService, EndpointUrls, EndpointView, EndpointWithSecret,
};
pub use test::{EndpointTester, TestBodies, TestEvent, TestOutcome, TestSender};
