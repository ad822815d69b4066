//! Disabling of endpoints by their owner.

use super::caller::EndpointCaller;
use super::draft::EndpointIdDraft;
use super::endpoint::{Disabled, DisabledReason, EndpointRecord, EndpointState};
use super::error::WebhookError;
use super::service::{EndpointOutcome, EndpointService};
use pressline_domain::value::time::Timestamp;

impl EndpointService {
    /// Disables the endpoint that `draft` names: nothing is sent until its owner enables it.
    pub async fn disable(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        let (reached, id) = self.named(caller, draft).await?;
        self.change(&reached, id, None, disabled).await
    }
}

fn disabled(record: &EndpointRecord, now: Timestamp) -> Option<EndpointRecord> {
    // An endpoint that the service disabled keeps its reason and time.
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
