//! Enabling and disabling of endpoints by their owner.

use std::collections::BTreeSet;

use super::caller::EndpointCaller;
use super::draft::{EnableDraft, EndpointIdDraft, webhook_id};
use super::endpoint::{Disabled, DisabledReason, EndpointOwner, EndpointRecord, EndpointState};
use super::error::WebhookError;
use super::service::{EndpointOutcome, EndpointService};
use super::subscription::SubscriptionStart;
use crate::fields::valid;
use pressline_domain::check::report::{IssueCode, Path, Report};
use pressline_domain::value::time::Timestamp;

impl EndpointService {
    /// Enables an endpoint. It continues where it stopped, from now on, or after a sequence of its
    /// store, as `draft` requests. If it was paused, it is tried again immediately. An endpoint
    /// that is enabled and not paused is unchanged.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid or its sequence is above the store's last
    /// sequence; [`WebhookError::NotFound`] or [`WebhookError::StoreNotFound`] if it names an
    /// unknown endpoint or store.
    pub async fn enable(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EnableDraft,
    ) -> Result<EndpointOutcome, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.which.store_id, &mut report);
        let id = webhook_id(&draft.which.webhook_id, &mut report);
        let start = draft.start(reached.owner, &mut report);
        let (id, start) = valid(id.zip(start), &mut report)?;
        self.check_owner(&reached).await?;
        if let (Some(SubscriptionStart::After(sequence)), EndpointOwner::Store(store)) =
            (start, reached.owner)
        {
            // Each store numbers its own events.
            let own = BTreeSet::from([store]);
            let last = self.ports.feed.last_sequences(&own).await?;
            let last = last.get(&store).copied().unwrap_or(0);
            if sequence > last {
                let message = format!("{sequence} is above the store's last sequence, {last}");
                let path = Path::Root.key("afterSequence");
                report.violation(&path, IssueCode::OutOfRange, message);
            }
        }
        report.check()?;
        self.change(&reached, id, start, enabled).await
    }

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

fn enabled(record: &EndpointRecord, now: Timestamp) -> Option<EndpointRecord> {
    let before = record.state;
    // Failures from before the disabling no longer count.
    let state = if before.disabled.is_some() {
        EndpointState {
            sandbox: before.sandbox,
            ..EndpointState::default()
        }
    } else if before.pause.is_some() {
        before.tried_at_once()
    } else {
        return None;
    };
    Some(EndpointRecord {
        state,
        ..record.changed(record.endpoint.clone(), now)
    })
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
