//! The use cases of deliveries: searching the log, and sending events again.

mod draft;
mod recover;
mod resend;
mod search;

use std::sync::Arc;

use super::endpoint::EndpointRecord;
use super::error::WebhookError;
use super::port::DeliveryLog;
use super::service::EndpointService;
use crate::audit::Author;
use pressline_domain::order::OrderRepository;

pub use draft::{DeliveryDraft, RecoverDraft, ResendDraft};

/// Searches deliveries, and sends events again.
#[derive(Clone)]
pub struct DeliveryService {
    endpoints: EndpointService,
    log: Arc<dyn DeliveryLog>,
    orders: Arc<dyn OrderRepository>,
    /// How long the log keeps deliveries, in days.
    log_days: u32,
}

impl DeliveryService {
    /// Returns the service over these ports, with a log that keeps deliveries for so many days.
    pub fn new(
        endpoints: EndpointService,
        log: Arc<dyn DeliveryLog>,
        orders: Arc<dyn OrderRepository>,
        log_days: u32,
    ) -> Self {
        Self {
            endpoints,
            log,
            orders,
            log_days,
        }
    }

    /// Returns the same use cases for this author, whose repetitions are recorded.
    pub fn by(&self, author: Author) -> Self {
        Self {
            endpoints: self.endpoints.by(author),
            ..self.clone()
        }
    }
}

fn check_enabled(record: &EndpointRecord) -> Result<(), WebhookError> {
    let disabled = record.state.disabled.map(|_| WebhookError::Disabled);
    disabled.map_or(Ok(()), Err)
}
