//! Lists of endpoints.

use super::caller::EndpointCaller;
use super::draft::{EndpointIdDraft, optional_webhook_id};
use super::error::{WebhookError, valid};
use super::service::{EndpointService, EndpointView};
use pressline_domain::check::report::Report;

impl EndpointService {
    /// Returns all endpoints of an owner, oldest first, or only the endpoint that `draft` names.
    pub async fn list(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<Vec<EndpointView>, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = optional_webhook_id(&draft.webhook_id, &mut report);
        valid(Some(()), &mut report)?;
        self.check_owner(&reached).await?;
        let records = match id {
            Some(id) => vec![self.reached(&reached, id).await?],
            None => self.ports.endpoints.list(reached.owner).await?,
        };
        let mut views = Vec::new();
        for record in records {
            // Operators bound to some stores do not see endpoints that receive events of other
            // stores.
            if reached.has(&record.endpoint) {
                views.push(self.view(record).await?);
            }
        }
        Ok(views)
    }
}
