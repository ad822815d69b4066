//! Webhooks: endpoints that receive events, the progress of each endpoint, and the log of all
//! attempts.
//!
//! An endpoint has a subscription (`Subscription`) for each store that it receives events of. The
//! cursor of a subscription is the sequence up to which every event is resolved (delivered or given
//! up) or has an open message of its own. A healthy endpoint has no stored row per event, and
//! neither has a dead endpoint.

mod caller;
mod commands;
mod deliver;
mod deliveries;
mod delivery;
mod draft;
mod endpoint;
mod error;
mod list;
mod port;
mod sandbox;
mod service;
mod subscription;
mod test;

pub use caller::EndpointCaller;
pub use deliver::{
    Attempt, AttemptReport, MAX_ATTEMPTS, Plan, SubscriptionEvent, SubscriptionMode,
    SubscriptionView, apply_results, plan,
};
pub use deliveries::{DeliveryDraft, DeliveryMatches, RecoverDraft, ResendDraft};
pub use delivery::{
    Delivery, DeliveryError, DeliveryResult, DeliveryStatus, SendReport, SentEvent, SentOrder,
    SubscriptionKey, TEST_TYPE,
};
pub use draft::{EnableDraft, EndpointDraft, EndpointIdDraft, RotateSecretDraft};
pub use endpoint::{
    Disabled, DisabledReason, Endpoint, EndpointOwner, EndpointPayload, EndpointRecord,
    EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
};
pub use error::WebhookError;
pub use port::{
    DeliveryFilter, DeliveryLog, EndpointDirectory, EndpointObserver, RESTART_PAUSES, RecoverFrom,
    SecretOpener, SubscriptionClock, SubscriptionRepository, TestBodies, TestEvent, TestSender,
    longest_restart_pause,
};
pub use sandbox::SandboxWebhookDraft;
pub use service::{
    EndpointOutcome, EndpointPorts, EndpointService, EndpointUrls, EndpointView, EndpointWithSecret,
};
pub use subscription::{
    EndpointChange, Lag, OpenMessage, RecordResult, Subscription, SubscriptionOutcome,
    SubscriptionStart,
};
