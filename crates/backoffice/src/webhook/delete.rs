//! Deletion of endpoints.

use super::caller::EndpointCaller;
use super::draft::EndpointIdDraft;
use super::error::WebhookError;
use super::service::EndpointService;
use crate::audit::AuditAction;

impl EndpointService {
    /// Deletes the endpoint that `draft` names, with its deliveries.
    pub async fn delete(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<(), WebhookError> {
        let (reached, id) = self.named(caller, draft).await?;
        self.reached(&reached, id).await?;
        let action = AuditAction::WebhookDeleted;
        self.trail.record(action, id.to_string()).await?;
        if self.ports.endpoints.remove(id).await? {
            Ok(())
        } else {
            // A concurrent call removed the endpoint first.
            Err(WebhookError::NotFound)
        }
    }
}
