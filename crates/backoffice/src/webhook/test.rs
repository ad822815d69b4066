//! Endpoint tests: a single event outside the feed, sent immediately.

use uuid::Uuid;

use super::caller::EndpointCaller;
use super::delivery::{Delivery, SentEvent, TEST_TYPE};
use super::draft::EndpointIdDraft;
use super::endpoint::{EndpointOwner, EndpointRecord};
use super::error::WebhookError;
use super::port::TestEvent;
use super::service::EndpointService;
use crate::audit::AuditAction;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{DeliveryId, StoreId};

impl EndpointService {
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
        let (reached, id) = self.named(caller, draft).await?;
        let record = self.reached(&reached, id).await?;
        let (recorder, subject) = (&self.recorder, id.to_string());
        // Recorded first: an action that cannot be recorded is not done.
        recorder.record(AuditAction::WebhookTested, subject).await?;
        let event = self.event(&record);
        let json = self
            .ports
            .bodies
            .write(&event)
            .map_err(RepositoryError::Refused)?;
        let sent = self.ports.sender.send(&record, &event.id, json).await?;
        let delivery = Delivery {
            id: DeliveryId::new(self.ports.ids.next(sent.started_at)),
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
        self.ports.log.add(&delivery).await?;
        Ok(delivery)
    }

    fn event(&self, record: &EndpointRecord) -> TestEvent {
        let at = self.ports.clock.now();
        let store = match record.endpoint.scope.owner() {
            EndpointOwner::Store(store) => store,
            // An endpoint of the print shop has no store of its own.
            EndpointOwner::Shop => StoreId::new(Uuid::nil()),
        };
        let number = self.ports.ids.next(at);
        TestEvent {
            id: format!("evt_{store}_test_{number}"),
            store,
            endpoint: record.endpoint.id,
            at,
            payload: record.endpoint.payload,
        }
    }
}
