//! In-memory webhook endpoints, a receiver that can be unreachable, and the state of the system.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::audit::Audit;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    DeliveryError, DeliveryResult, EndpointCaller, EndpointDraft, EndpointPorts, EndpointRecord,
    EndpointService, EndpointUrls, SendReport, TestBodies, TestEvent, TestSender,
};
use pressline_console::{DatabaseState, SystemState, SystemStateFuture, SystemStatus};
use pressline_domain::check::Field;
use pressline_domain::error::Source;
use pressline_domain::memory::{MemoryOrders, MemoryStores};
use pressline_domain::runtime::{FixedClock, IdSource};
use pressline_domain::store::SealError;
use pressline_domain::value::{EndpointId, Timestamp};

use crate::shop::{NOW, PlainKeys, store};

pub(crate) struct Hooks {
    pub(crate) directory: Arc<MemoryWebhooks>,
    pub(crate) endpoints: EndpointService,
    pub(crate) receiver: Arc<Receiver>,
}

impl Hooks {
    pub(crate) fn new(
        stores: Arc<MemoryStores>,
        orders: Arc<MemoryOrders>,
        clock: Arc<FixedClock>,
        ids: Arc<dyn IdSource>,
        audit: Audit,
    ) -> Self {
        let directory = Arc::new(MemoryWebhooks::new(&stores, &orders));
        let receiver = Arc::new(Receiver::default());
        let ports = EndpointPorts {
            endpoints: directory.clone(),
            stores,
            feed: orders.clone(),
            issuer: Arc::new(PlainKeys),
            clock,
            ids,
            log: directory.clone(),
            log_days: 30,
            orders,
            sender: receiver.clone(),
            bodies: Arc::new(Bodies),
        };
        let endpoints = EndpointService::new(ports, EndpointUrls::default());
        Self {
            directory,
            endpoints: endpoints.audited(audit),
            receiver,
        }
    }

    /// Adds an endpoint of the store with prefix `owner`; `None` adds an endpoint of the print
    /// shop.
    pub(crate) async fn add(&self, owner: Option<&str>, url: &str) -> EndpointId {
        let store = owner.map(|prefix| store(prefix).id.to_string());
        let draft = EndpointDraft {
            store_id: store.into(),
            url: url.into(),
            description: Field::Value("<b>orders</b>".to_owned()),
            ..EndpointDraft::default()
        };
        let made = self.endpoints.create(EndpointCaller::Shop(None), &draft);
        made.await.unwrap().outcome.view.record.endpoint.id
    }
}

/// Accepts test events unless `is_away` is set.
#[derive(Default)]
pub(crate) struct Receiver {
    pub(crate) is_away: AtomicBool,
}

#[async_trait]
impl TestSender for Receiver {
    async fn send(&self, _: &EndpointRecord, _: &str, _: Vec<u8>) -> Result<SendReport, SealError> {
        let is_away = self.is_away.load(Ordering::Relaxed);
        Ok(SendReport {
            result: DeliveryResult {
                error: is_away.then_some(DeliveryError::Connect),
                http_status: (!is_away).then_some(204),
                response: Some("<script>alert(1)</script>\u{1b}[31m".to_owned()),
            },
            retry_after: None,
            started_at: Timestamp::from_millis(NOW),
            duration_ms: 3,
        })
    }
}

struct Bodies;

impl TestBodies for Bodies {
    fn write(&self, _: &TestEvent) -> Result<Vec<u8>, Source> {
        Ok(b"{}".to_vec())
    }
}

/// State of a system with a problem: dropped log lines.
pub(crate) struct State;

impl SystemStatus for State {
    fn state(&self) -> SystemStateFuture<'_> {
        let state = SystemState {
            version: "0.1.0",
            uptime: Duration::from_secs(60),
            database: Ok(DatabaseState {
                software: "SQLite 3.51.0".to_owned(),
                bytes: 4096,
                clock_difference: None,
            }),
            pending_migrations: Ok(Vec::new()),
            disk: Ok(()),
            waiting_writes: 0,
            refused_writes: 0,
            dropped_log_lines: 7,
            warnings: vec!["fsync is off".to_owned()],
        };
        Box::pin(async { state })
    }
}
