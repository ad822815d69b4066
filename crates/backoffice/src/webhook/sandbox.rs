//! Faults for the next event of a test store's endpoint.

use super::caller::EndpointCaller;
use super::draft::webhook_id;
use super::endpoint::{EndpointRecord, SandboxAction};
use super::error::WebhookError;
use super::service::{EndpointOutcome, EndpointService};
use crate::fields::{number, valid};
use crate::limits;
use pressline_domain::check::{Field, IssueCode, Path, Report, word};
use pressline_domain::store::Store;

/// Unchecked request for a fault in the delivery of the next event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SandboxWebhookDraft {
    /// Id of the endpoint. Its next event has the fault.
    pub webhook_id: Field<String>,
    /// Name of the fault, listed in [`SandboxWebhookDraft::ACTIONS`].
    pub action: Field<String>,
    /// Delay of the event, in seconds. Only if `action` is `delay`.
    pub delay_seconds: Field<i64>,
}

impl SandboxWebhookDraft {
    /// Faults by their names in `action`. `None` is a [`SandboxAction::Delay`] of `delay_seconds`.
    pub const ACTIONS: [(&'static str, Option<SandboxAction>); 4] = [
        ("drop", Some(SandboxAction::Drop)),
        ("repeat", Some(SandboxAction::Repeat)),
        ("delay", None),
        ("reorder", Some(SandboxAction::Reorder)),
    ];

    fn action(&self, report: &mut Report) -> Option<SandboxAction> {
        let (path, delay) = (Path::Root.key("action"), Path::Root.key("delaySeconds"));
        let what = "drop, repeat, delay or reorder";
        let action_field = self.action.demand(&path, what, report);
        let action = word(action_field, &path, Self::ACTIONS, report);
        let range = (1, limits::SANDBOX_DELAY);
        let seconds = number(&self.delay_seconds, "delaySeconds", range, report);
        let action = action?;
        let delays = action.is_none();
        match self.delay_seconds.is_absent() {
            true if delays => report.required(&delay, "how much later the event is sent"),
            false if !delays => {
                let message = "`delaySeconds` must be absent unless `action` is `delay`";
                report.violation(&delay, IssueCode::Conflict, message);
            }
            _ => {}
        }
        action.or_else(|| seconds.map(SandboxAction::Delay))
    }
}

impl EndpointService {
    /// Sets the next event's fault by `draft`. It replaces a fault that has not happened yet.
    #[pressline_kit::boxed]
    pub async fn arrange(
        &self,
        store: &Store,
        draft: &SandboxWebhookDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        if !store.test {
            return Err(WebhookError::NotATestStore);
        }
        let mut report = Report::default();
        let reached = EndpointCaller::Store(store).owner(&Field::Absent, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let action = draft.action(&mut report);
        let (id, action) = valid(id.zip(action), &mut report)?;
        let decide = |record: &EndpointRecord, _| {
            let mut record = record.clone();
            record.state.sandbox = Some(action);
            Some(record)
        };
        self.change(&reached, id, None, decide).await
    }
}
