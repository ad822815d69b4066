//! Endpoint tests: a single event outside the feed, sent immediately.

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
use crate::audit::{AuditAction, AuditContext};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::store::SealError;
use pressline_domain::value::id::{DeliveryId, EndpointId, StoreId};
use pressline_domain::value::time::Timestamp;

/// Event sent to test an endpoint. The stores' event feeds do not contain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestEvent {
    /// Id of the event, in the form `evt_<store>_test_<number>`.
    pub id: String,
    /// Store that owns the endpoint; the nil UUID for an endpoint of the print shop.
    pub store: StoreId,
    /// Id of the tested endpoint.
    pub endpoint: EndpointId,
    /// Time at which the event was created.
    pub at: Timestamp,
    /// Payload setting of the endpoint: `Full` or `Thin`.
    pub payload: EndpointPayload,
}

/// Serializes test events for receivers.
pub trait TestBodies: Send + Sync {
    /// Returns `event` as a JSON object.
    ///
    /// # Errors
    /// Returns an error if a value cannot be serialized, which is a defect.
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source>;
}

/// Result of sending a test event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    /// Response of the receiver, or the error.
    pub result: DeliveryResult,
    /// Time at which sending began.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub duration_ms: u32,
}

/// Sends test events to receivers.
#[async_trait]
pub trait TestSender: Send + Sync {
    /// Sends the event `json` with the id `event_id` to the endpoint, signed like any other event.
    /// The endpoint's state and sandbox action have no effect, and nothing is stored.
    ///
    /// # Errors
    /// [`SealError`] if the endpoint's secrets cannot be opened.
    async fn send(
        &self,
        record: &EndpointRecord,
        event_id: &str,
        json: Vec<u8>,
    ) -> Result<TestOutcome, SealError>;
}

/// Tests endpoints and logs the attempts.
#[derive(Clone)]
pub struct EndpointTester {
    endpoints: EndpointService,
    log: Arc<dyn DeliveryLog>,
    sender: Arc<dyn TestSender>,
    bodies: Arc<dyn TestBodies>,
}

impl EndpointTester {
    /// Creates the service over the ports `log`, `sender` and `bodies`.
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

    /// Returns a copy of the service that writes audit entries with `author` as their author.
    pub fn by(&self, author: AuditContext) -> Self {
        Self {
            endpoints: self.endpoints.by(author),
            ..self.clone()
        }
    }

    /// Sends a test event to an endpoint, also if it is paused or disabled, and returns the
    /// attempt. The attempt is logged but does not change the endpoint's state.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid, [`WebhookError::NotFound`] or
    /// [`WebhookError::StoreNotFound`] if it names an unknown endpoint or store, and
    /// [`WebhookError::Seal`] if the endpoint's secrets cannot be opened.
    pub async fn test(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<Delivery, WebhookError> {
        let (reached, id) = self.endpoints.named(caller, draft).await?;
        let record = self.endpoints.reached(&reached, id).await?;
        let (trail, subject) = (&self.endpoints.trail, id.to_string());
        // Recorded first: an action that cannot be recorded is not done.
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
            // An endpoint of the print shop has no store of its own.
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
