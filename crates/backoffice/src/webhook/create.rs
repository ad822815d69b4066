//! Creation of endpoints.

use super::caller::EndpointCaller;
use super::draft::EndpointDraft;
use super::endpoint::{
    Endpoint, EndpointOwner, EndpointPayload, EndpointRecord, EndpointScope, EndpointState,
};
use super::error::WebhookError;
use super::service::{ATTEMPTS, EndpointService, EndpointWithSecret};
use crate::audit::AuditAction;
use crate::fields::valid;
use crate::limits;
use pressline_domain::check::report::{Path, Report};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::id::EndpointId;

impl EndpointService {
    /// Creates an endpoint with its first secret. The endpoint receives events that happen from now
    /// on.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if a field is invalid, [`WebhookError::StoreNotFound`] if the
    /// store does not exist or is outside the caller's scope, [`WebhookError::TooMany`] if the
    /// owner already has [`limits::ENDPOINTS`] endpoints, and [`WebhookError::Seal`] if the secret
    /// cannot be sealed.
    pub async fn create(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointDraft,
    ) -> Result<EndpointWithSecret, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        if draft.url.is_absent() {
            let what = "the URL that events are sent to";
            report.required(&Path::Root.key("url"), what);
        }
        let policy = self.url_policy(reached.owner);
        let values = draft.values(&reached, policy, &mut report);
        let scope = match reached.owner {
            EndpointOwner::Store(store) => EndpointScope::Store(store),
            EndpointOwner::Shop => values.scope.unwrap_or(EndpointScope::AllStores),
        };
        self.check_scope(&scope, &reached, &mut report).await?;
        let url = valid(values.url, &mut report)?;
        self.check_owner(&reached).await?;
        let now = self.ports.clock.now();
        let endpoint = Endpoint {
            id: EndpointId::new(self.ports.ids.next(now)),
            scope,
            url,
            types: values.types.unwrap_or_default(),
            payload: values.payload.unwrap_or(EndpointPayload::Full),
            description: values.description.flatten(),
            created_at: now,
            updated_at: now,
        };
        // Recorded first: an action that cannot be recorded is not done.
        let action = AuditAction::WebhookCreated;
        self.trail.record(action, endpoint.id.to_string()).await?;
        let mut created = self.add(endpoint).await?;
        created.outcome.warnings = report.warnings;
        Ok(created)
    }

    async fn add(&self, endpoint: Endpoint) -> Result<EndpointWithSecret, WebhookError> {
        for _ in 0..ATTEMPTS {
            let (key, secret) = self.issue(endpoint.id).await?;
            let record = EndpointRecord {
                endpoint: endpoint.clone(),
                secrets: vec![key],
                state: EndpointState::default(),
                version: 1,
            };
            let directory = &self.ports.endpoints;
            match directory.add(&record, limits::ENDPOINTS).await {
                Ok(true) => {
                    let outcome = self.outcome(record, false).await?;
                    return Ok(EndpointWithSecret { outcome, secret });
                }
                Ok(false) => return Err(WebhookError::TooMany),
                // The sealing master key changed since the secret was issued.
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RepositoryError::Stale.into())
    }
}
