//! Recovery: all undelivered events of an endpoint are sent again.

use super::super::caller::EndpointCaller;
use super::super::draft::webhook_id;
use super::super::error::{WebhookError, valid};
use super::draft::RecoverDraft;
use super::{DeliveryService, check_enabled};
use crate::audit::AuditAction;
use pressline_domain::check::report::Report;

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

impl DeliveryService {
    /// Sends all events that an endpoint has not received since a sequence or time again:
    /// immediately, and then by the retry schedule. Returns their number. Events from before the
    /// start of the log are left out.
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
