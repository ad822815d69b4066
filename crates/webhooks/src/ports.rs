//! The ports of the worker.

use std::sync::Arc;

use pressline_backoffice::webhook::{DeliveryLog, EndpointDirectory, SubscriptionRepository};
use pressline_domain::event::EventService;
use pressline_domain::runtime::{Clock, IdSource};

use crate::event_sender::EventSender;
use crate::pace::Pace;

/// What the worker works with.
#[derive(Clone)]
pub struct Ports {
    /// The endpoints.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Their subscriptions.
    pub subscriptions: Arc<dyn SubscriptionRepository>,
    /// The log of deliveries.
    pub deliveries: Arc<dyn DeliveryLog>,
    /// The events.
    pub events: EventService,
    /// What signs and sends them.
    pub event_sender: Arc<EventSender>,
    /// What it gives way to.
    pub pace: Arc<Pace>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of the ids of deliveries.
    pub ids: Arc<dyn IdSource>,
}
