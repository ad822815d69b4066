//! Trying an endpoint out: one event that is not in the feed, sent at once.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::caller::EndpointCaller;
use super::delivery::{Delivery, DeliveryResult, SentEvent, TEST_TYPE};
use super::draft::EndpointIdDraft;
use super::endpoint::{EndpointOwner, EndpointPayload, EndpointRecord};
use super::error::WebhookError;
use super::port::DeliveryLog;
use super::service::EndpointService;
use crate::audit::{AuditAction, Author};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::id::{DeliveryId, EndpointId, StoreId};
use pressline_domain::store::SealError;
use pressline_domain::time::Timestamp;

/// The event that tries an endpoint out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestEvent {
    /// Its id.
    pub id: String,
    /// The store of the endpoint; the nil UUID for one of the shop.
    pub store: StoreId,
    /// The endpoint.
    pub endpoint: EndpointId,
    /// When it was made.
    pub at: Timestamp,
    /// What the endpoint gets of events.
    pub payload: EndpointPayload,
}

/// Writes test events as receivers get them.
pub trait TestBodies: Send + Sync {
    /// Returns the event as a JSON object.
    ///
    /// # Errors
    /// A value cannot be written, which is a defect.
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source>;
}

/// What came of sending a test event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    /// Whether it was taken.
    pub result: DeliveryResult,
    /// When the attempt began.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
}

/// Sends test events.
#[async_trait]
pub trait TestSender: Send + Sync {
    /// Sends an event to an endpoint, signed as all others are. Neither the endpoint's state nor the sandbox
    /// changes anything, and nothing is stored.
    ///
    /// # Errors
    /// The endpoint's secrets cannot be opened.
    async fn send(
        &self,
        record: &EndpointRecord,
        event_id: &str,
        json: Vec<u8>,
    ) -> Result<TestOutcome, SealError>;
}

/// Tries endpoints out.
#[derive(Clone)]
pub struct EndpointTester {
    endpoints: EndpointService,
    log: Arc<dyn DeliveryLog>,
    sender: Arc<dyn TestSender>,
    bodies: Arc<dyn TestBodies>,
}

impl EndpointTester {
    /// Returns the service over these ports.
    pub fn new(
        endpoints: EndpointService,
        log: Arc<dyn DeliveryLog>,
        sender: Arc<dyn TestSender>,
        bodies: Arc<dyn TestBodies>,
    ) -> Self {
        Self {
            endpoints,
            log,
            sender,
            bodies,
        }
    }

    /// Returns the same use case for this author, whose tests are recorded.
    pub fn by(&self, author: Author) -> Self {
        Self {
            endpoints: self.endpoints.by(author),
            ..self.clone()
        }
    }

    /// Sends a test event to an endpoint, also to one that pauses or is disabled, and returns the attempt. It is in
    /// the log and counts for nothing else.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`], [`WebhookError::NotFound`], [`WebhookError::StoreNotFound`], and
    /// [`WebhookError::Seal`] if the endpoint's secrets cannot be opened.
    pub async fn test(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<Delivery, WebhookError> {
        let (reached, id) = self.endpoints.named(caller, draft).await?;
        let record = self.endpoints.reached(&reached, id).await?;
        let (trail, subject) = (&self.endpoints.trail, id.to_string());
        trail.record(AuditAction::WebhookTested, subject).await?;
        let event = self.event(&record);
        let json = self.bodies.write(&event);
        let json = json.map_err(RepositoryError::Refused)?;
        let sent = self.sender.send(&record, &event.id, json).await?;
        let delivery = Delivery {
            id: DeliveryId::new(self.endpoints.ports.ids.next(sent.started_at)),
            endpoint: id,
            store: event.store,
            event: SentEvent {
                id: event.id,
                kind: TEST_TYPE.to_owned(),
                sequence: None,
                order: None,
            },
            attempt: 1,
            result: sent.result,
            started_at: sent.started_at,
            duration_ms: sent.duration_ms,
            next_attempt_at: None,
        };
        self.log.add(&delivery).await?;
        Ok(delivery)
    }

    fn event(&self, record: &EndpointRecord) -> TestEvent {
        let at = self.endpoints.ports.clock.now();
        let store = match record.endpoint.scope.owner() {
            EndpointOwner::Store(store) => store,
            EndpointOwner::Shop => StoreId::new(Uuid::nil()),
        };
        let number = self.endpoints.ports.ids.next(at);
        TestEvent {
            id: format!("evt_{store}_test_{number}"),
            store,
            endpoint: record.endpoint.id,
            at,
            payload: record.endpoint.payload,
        }
    }
}
