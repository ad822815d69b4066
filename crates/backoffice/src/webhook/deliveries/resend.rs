//! Sends a delivery's event again, or all undelivered events of an endpoint.

use super::super::caller::EndpointCaller;
use super::super::draft::webhook_id;
use super::super::error::WebhookError;
use super::draft::{RecoverDraft, ResendDraft};
use super::{DeliveryService, check_enabled};
use crate::audit::AuditAction;
use crate::fields::valid;
use pressline_domain::check::report::{IssueCode, Path, Report};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

impl DeliveryService {
    /// Sends the event of a delivery again: immediately, and then by the retry schedule. Returns
    /// the number of events: 1, or 0 if the event no longer exists or the endpoint no longer
    /// receives events of its store.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid or the delivery was a test;
    /// [`WebhookError::DeliveryNotFound`] or [`WebhookError::StoreNotFound`] if it names an unknown
    /// delivery or store; [`WebhookError::Disabled`] if the endpoint is disabled.
    pub async fn resend(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &ResendDraft,
    ) -> Result<u64, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = draft.delivery(&mut report);
        let id = valid(id, &mut report)?;
        self.endpoints.check_owner(&reached).await?;
        let found = self.log.find(reached.owner, id).await?;
        let delivery = found.ok_or(WebhookError::DeliveryNotFound)?;
        let endpoint = self.endpoints.reached(&reached, delivery.endpoint).await;
        let record = match endpoint {
            // To the caller, a delivery of an inaccessible endpoint does not exist.
            Err(WebhookError::NotFound) => return Err(WebhookError::DeliveryNotFound),
            found => found?,
        };
        let Some(sequence) = delivery.event.sequence else {
            let message = "a test cannot be sent again; test the endpoint once more";
            let path = Path::Root.key("deliveryId");
            report.violation(&path, IssueCode::InvalidFormat, message);
            return Err(report.into());
        };
        // The endpoint may have received events of stores outside the scope before.
        if !reached.has_store(delivery.store) {
            return Err(WebhookError::DeliveryNotFound);
        }
        check_enabled(&record)?;
        let subject = format!("{} of {}", delivery.id, delivery.endpoint);
        let trail = &self.endpoints.trail;
        trail.record(AuditAction::DeliveryResent, subject).await?;
        let now = self.endpoints.ports.clock.now();
        let is_sent = self
            .log
            .resend(delivery.subscription(), sequence, now)
            .await?;
        // Wakes the worker, because the message is due now.
        self.endpoints.changed(delivery.endpoint);
        Ok(u64::from(is_sent))
    }

    /// Sends again the endpoint's undelivered events, after the sequence or since the time in
    /// `draft`: immediately, and then by the retry schedule. Returns the number of events. Events
    /// from before the start of the delivery log are left out.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid or its time is before the start of the log;
    /// [`WebhookError::NotFound`] or [`WebhookError::StoreNotFound`] if it names an unknown
    /// endpoint or store; [`WebhookError::Disabled`] if the endpoint is disabled.
    pub async fn recover(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &RecoverDraft,
    ) -> Result<u64, WebhookError> {
        let mut report = Report::default();
        let now = self.endpoints.ports.clock.now();
        let oldest = now.plus_millis(-i64::from(self.log_days) * DAY_MILLIS);
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let from = draft.from(reached.owner, oldest, &mut report);
        let (id, from) = valid(id.zip(from), &mut report)?;
        self.endpoints.check_owner(&reached).await?;
        let record = self.endpoints.reached(&reached, id).await?;
        check_enabled(&record)?;
        let (trail, action) = (&self.endpoints.trail, AuditAction::DeliveriesRecovered);
        trail.record(action, id.to_string()).await?;
        let queued = self.log.recover(&record, from, oldest, now).await?;
        // Wakes the worker, because the messages are due now.
        self.endpoints.changed(id);
        Ok(queued)
    }
}
