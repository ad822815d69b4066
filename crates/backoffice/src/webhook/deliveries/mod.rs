//! Searches of the delivery log, and repeated sending of events.

mod draft;
mod resend;
mod search;

use std::sync::Arc;

use super::endpoint::EndpointRecord;
use super::error::WebhookError;
use super::port::DeliveryLog;
use super::service::EndpointService;
use crate::audit::AuditContext;
use pressline_domain::order::OrderRepository;

pub use draft::{DeliveryDraft, RecoverDraft, ResendDraft};

/// Searches deliveries and sends events again.
#[derive(Clone)]
pub struct DeliveryService {
    endpoints: EndpointService,
    log: Arc<dyn DeliveryLog>,
    orders: Arc<dyn OrderRepository>,
    log_days: u32,
}

impl DeliveryService {
    /// Creates the service. `log` has the deliveries of the last `log_days` days.
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

    /// Returns a copy of the service that writes audit entries with `author` as their author.
    pub fn by(&self, author: AuditContext) -> Self {
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
