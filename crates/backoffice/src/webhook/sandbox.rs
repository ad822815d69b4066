//! Faults for the next event of a test store's endpoint.

use super::caller::EndpointCaller;
use super::draft::webhook_id;
use super::endpoint::{EndpointRecord, SandboxAction};
use super::error::WebhookError;
use super::service::{EndpointOutcome, EndpointService};
use crate::fields::number;
use crate::fields::valid;
use crate::limits;
use pressline_domain::check::field::Field;
use pressline_domain::check::report::{IssueCode, Path, Report};
use pressline_domain::check::word;
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

/// Kind of a requested [`SandboxAction`], without its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxActionName {
    /// Requests [`SandboxAction::Drop`].
    Drop,
    /// Requests [`SandboxAction::Repeat`].
    Repeat,
    /// Requests [`SandboxAction::Delay`] by `delay_seconds`.
    Delay,
    /// Requests [`SandboxAction::Reorder`].
    Reorder,
}

impl SandboxWebhookDraft {
    /// Kinds of faults, each with its name in `action`.
    pub const ACTIONS: [(&'static str, SandboxActionName); 4] = [
        ("drop", SandboxActionName::Drop),
        ("repeat", SandboxActionName::Repeat),
        ("delay", SandboxActionName::Delay),
        ("reorder", SandboxActionName::Reorder),
    ];

    fn action(&self, report: &mut Report) -> Option<SandboxAction> {
        let (path, delay) = (Path::Root.key("action"), Path::Root.key("delaySeconds"));
        let what = "drop, repeat, delay or reorder";
        let action = self.action.demand(&path, what, report);
        let action = word(action, &path, Self::ACTIONS, report);
        let range = (1, limits::SANDBOX_DELAY);
        let seconds = number(&self.delay_seconds, "delaySeconds", range, report);
        let action = action?;
        let delays = action == SandboxActionName::Delay;
        match self.delay_seconds.is_absent() {
            true if delays => report.required(&delay, "how much later the event is sent"),
            false if !delays => {
                let message = "`delaySeconds` must be absent unless `action` is `delay`";
                report.violation(&delay, IssueCode::Conflict, message);
            }
            _ => {}
        }
        Some(match action {
            SandboxActionName::Drop => SandboxAction::Drop,
            SandboxActionName::Repeat => SandboxAction::Repeat,
            SandboxActionName::Delay => SandboxAction::Delay(seconds?),
            SandboxActionName::Reorder => SandboxAction::Reorder,
        })
    }
}

impl EndpointService {
    /// Sets the fault that `draft` requests for the next event of an endpoint of a test store. The
    /// fault replaces an earlier fault that has not happened yet.
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
