//! Webhooks: endpoints that events are sent to, how far each one is, and the log of all attempts.
//!
//! A subscription is a cursor: an endpoint has one for each store that it hears, the last sequence up to which every
//! event is settled or has left the subscription as an open message of its own. A healthy endpoint has no
//! stored row per event, and a dead one has none either.

mod all;
mod caller;
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
mod list;
mod port;
mod rotate_secret;
mod sandbox;
mod service;
mod subscription;
mod test;
mod update;

pub use caller::EndpointCaller;
pub use deliver::{
    Attempt, AttemptReport, MAX_ATTEMPTS, Plan, SubscriptionEvent, SubscriptionMode,
    SubscriptionView, plan, settle,
};
pub use deliveries::{DeliveryDraft, DeliveryService, RecoverDraft, ResendDraft};
pub use delivery::{
    Delivery, DeliveryError, DeliveryResult, DeliveryStatus, SentEvent, SentOrder, SubscriptionKey,
    TEST_TYPE,
};
pub use draft::{EnableDraft, EndpointDraft, EndpointIdDraft, RotateSecretDraft};
pub use endpoint::{
    Disabled, DisabledReason, Endpoint, EndpointOwner, EndpointPayload, EndpointRecord,
    EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
};
pub use error::WebhookError;
pub use port::{
    DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointObserver, RESTART_PAUSES, RecoverFrom,
    SecretOpener, SubscriptionClock, SubscriptionRepository, longest_restart_pause,
};
pub use sandbox::{SandboxActionName, SandboxWebhookDraft};
pub use service::{
    EndpointOutcome, EndpointPorts, EndpointService, EndpointUrls, EndpointView, EndpointWithSecret,
};
pub use subscription::{
    EndpointChange, Lag, OpenMessage, RecordResult, Subscription, SubscriptionOutcome,
    SubscriptionStart,
};
pub use test::{EndpointTester, TestBodies, TestEvent, TestOutcome, TestSender};
