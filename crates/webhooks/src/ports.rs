//! Dependencies of the worker.

use std::sync::Arc;

use pressline_backoffice::webhook::{DeliveryLog, EndpointDirectory, SubscriptionRepository};
use pressline_domain::event::EventService;
use pressline_domain::runtime::{Clock, IdSource};

use crate::event_sender::EventSender;
use crate::pace::Pace;

/// Dependencies of the [`Worker`](crate::Worker).
#[derive(Clone)]
pub struct Ports {
    /// Directory of the webhook endpoints, with their secrets and states.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Subscriptions of the endpoints, with their cursors and leases.
    pub subscriptions: Arc<dyn SubscriptionRepository>,
    /// Log of deliveries. The worker deletes old entries from it.
    pub deliveries: Arc<dyn DeliveryLog>,
    /// Event feeds of the stores, with the events to deliver.
    pub events: EventService,
    /// Signs and sends events; its timeout is [`Settings::timeout`](crate::Settings::timeout).
    pub event_sender: Arc<EventSender>,
    /// Slows deliveries down while the database is busy.
    pub pace: Arc<Pace>,
    /// Returns whether events may be sent now. While it returns `false`, for example because the
    /// time is in doubt, no run starts, and a run ends after its current batch.
    pub permits: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Clock for leases, retries and signatures.
    pub clock: Arc<dyn Clock>,
    /// Source of [`DeliveryId`](pressline_domain::value::DeliveryId)s.
    pub ids: Arc<dyn IdSource>,
}
