//! Webhook services. No call of the cost tests uses them.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_api::JsonTestEvents;
use pressline_auth::Sealer;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    EndpointPorts, EndpointRecord, EndpointService, EndpointUrls, SendReport, TestSender,
};
use pressline_domain::memory::{MemoryOrders, MemoryStores};
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::store::SealError;

/// Sends nothing.
struct NoSender;

#[async_trait]
impl TestSender for NoSender {
    async fn send(&self, _: &EndpointRecord, _: &str, _: Vec<u8>) -> Result<SendReport, SealError> {
        Err(SealError::Failed {
            reason: "nothing is sent".into(),
            source: None,
        })
    }
}

pub(crate) fn services(
    webhooks: &Arc<MemoryWebhooks>,
    stores: &MemoryStores,
    orders: &Arc<MemoryOrders>,
    sealer: &Arc<Sealer>,
    clock: &Arc<FixedClock>,
) -> EndpointService {
    let ports = EndpointPorts {
        endpoints: webhooks.clone(),
        stores: Arc::new(stores.clone()),
        feed: orders.clone(),
        issuer: sealer.clone(),
        clock: clock.clone(),
        ids: Arc::new(MonotonicIds::new()),
        log: webhooks.clone(),
        log_days: 30,
        orders: orders.clone(),
        sender: Arc::new(NoSender),
        bodies: Arc::new(JsonTestEvents),
    };
    EndpointService::new(ports, EndpointUrls::default())
}
