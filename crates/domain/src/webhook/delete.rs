//! Deleting an endpoint.

use super::draft::{EndpointIdDraft, webhook_id};
use super::error::{WebhookError, valid};
use super::reach::EndpointReach;
use super::service::EndpointService;
use crate::audit::AuditAction;
use crate::report::Report;

impl EndpointService {
    /// Deletes an endpoint with its deliveries.
    pub async fn delete(
        &self,
        reach: impl Into<EndpointReach<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<(), WebhookError> {
        let mut report = Report::default();
        let reached = reach.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        self.reached(&reached, id).await?;
        let action = AuditAction::WebhookDeleted;
        self.trail.record(action, id.to_string()).await?;
        if self.ports.endpoints.remove(id).await? {
            Ok(())
        } else {
            Err(WebhookError::NotFound)
        }
    }
}
