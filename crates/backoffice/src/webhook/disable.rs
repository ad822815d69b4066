//! Disabling an endpoint.

use super::draft::EndpointIdDraft;
use super::endpoint::{Disabled, DisabledReason, EndpointRecord, EndpointState};
use super::error::WebhookError;
use super::reach::EndpointReach;
use super::service::{EndpointOutcome, EndpointService};
use pressline_domain::time::Timestamp;

impl EndpointService {
    /// Disables an endpoint: nothing is sent until its owner enables it.
    pub async fn disable(
        &self,
        reach: impl Into<EndpointReach<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        let (reached, id) = self.named(reach, draft).await?;
        self.change(&reached, id, None, disabled).await
    }
}

fn disabled(record: &EndpointRecord, now: Timestamp) -> Option<EndpointRecord> {
    if record.state.disabled.is_some() {
        return None;
    }
    let state = EndpointState {
        disabled: Some(Disabled {
            reason: DisabledReason::Requested,
            at: now,
        }),
        pause: None,
        ..record.state
    };
    Some(EndpointRecord {
        state,
        ..record.changed(record.endpoint.clone(), now)
    })
}
