//! Disabling an endpoint.

use super::draft::{EndpointIdDraft, webhook_id};
use super::endpoint::{Disabled, DisabledReason, EndpointRecord, EndpointState};
use super::error::{WebhookError, valid};
use super::reach::EndpointReach;
use super::service::{EndpointEdit, EndpointOutcome, EndpointService};
use crate::report::Report;
use crate::time::Timestamp;

impl EndpointService {
    /// Disables an endpoint: nothing is sent until its owner enables it.
    pub async fn disable(
        &self,
        reach: impl Into<EndpointReach<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        let mut report = Report::default();
        let reached = reach.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        self.change(&reached, id, disabled).await
    }
}

fn disabled(record: &EndpointRecord, now: Timestamp) -> Option<EndpointEdit> {
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
    let record = EndpointRecord {
        state,
        ..record.changed(record.endpoint.clone(), now)
    };
    Some(EndpointEdit {
        record,
        start: None,
    })
}
