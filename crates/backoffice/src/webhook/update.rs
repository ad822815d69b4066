//! Changes of endpoints.

use super::caller::EndpointCaller;
use super::draft::{EndpointDraft, EndpointValues, webhook_id};
use super::endpoint::{Endpoint, EndpointRecord, EndpointState};
use super::error::WebhookError;
use super::service::{EndpointOutcome, EndpointService};
use crate::fields::valid;
use pressline_domain::check::report::Report;
use pressline_domain::value::time::Timestamp;

impl EndpointService {
    /// Changes an endpoint to the values in `draft`; absent fields stay unchanged. Its
    /// subscriptions keep their cursors; a subscription to an additional store begins after the
    /// store's latest event.
    pub async fn update(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let policy = self.url_policy(reached.owner);
        let values = draft.values(&reached, policy, &mut report);
        if let Some(scope) = &values.scope {
            self.check_scope(scope, &reached, &mut report).await?;
        }
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        let decide = |record: &EndpointRecord, now| changed(record, &values, now);
        let outcome = self.change(&reached, id, None, decide).await?;
        Ok(EndpointOutcome {
            warnings: report.warnings,
            // An update without a change is not a repetition.
            replayed: false,
            ..outcome
        })
    }
}

fn changed(
    record: &EndpointRecord,
    values: &EndpointValues,
    now: Timestamp,
) -> Option<EndpointRecord> {
    let before = &record.endpoint;
    let (values, kept) = (values.clone(), before.clone());
    let endpoint = Endpoint {
        scope: values.scope.unwrap_or(kept.scope),
        url: values.url.unwrap_or(kept.url),
        types: values.types.unwrap_or(kept.types),
        payload: values.payload.unwrap_or(kept.payload),
        description: values.description.unwrap_or(kept.description),
        ..kept
    };
    if endpoint == *before {
        return None;
    }
    Some(EndpointRecord {
        state: state_after(record.state, before, &endpoint),
        ..record.changed(endpoint, now)
    })
}

/// Ends the pause if the URL changed or the store of its probes left the scope: nothing else would
/// end the pause.
fn state_after(state: EndpointState, before: &Endpoint, after: &Endpoint) -> EndpointState {
    let probing = state.pause.and_then(|pause| pause.probing);
    let is_silent = probing.is_some_and(|probing| !after.scope.hears(probing.store));
    if is_silent || before.url != after.url {
        state.tried_at_once()
    } else {
        state
    }
}
