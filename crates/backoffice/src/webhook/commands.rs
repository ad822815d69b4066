//! Commands on endpoints: create, update, enable, disable, rotate the secret, delete.

use std::collections::BTreeSet;

use super::caller::EndpointCaller;
use super::draft::{
    EnableDraft, EndpointDraft, EndpointIdDraft, EndpointValues, RotateSecretDraft, webhook_id,
};
use super::endpoint::{
    Disabled, DisabledReason, Endpoint, EndpointOwner, EndpointPayload, EndpointRecord,
    EndpointScope, EndpointSecret, EndpointState,
};
use super::error::WebhookError;
use super::service::{ATTEMPTS, EndpointOutcome, EndpointService, EndpointWithSecret};
use super::subscription::SubscriptionStart;
use crate::audit::AuditAction;
use crate::fields::valid;
use crate::limits;
use pressline_domain::check::{IssueCode, Path, Report};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{EndpointId, Timestamp};

impl EndpointService {
    /// Creates an endpoint with its first secret, for events that happen from now on.
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
        self.recorder
            .record(action, endpoint.id.to_string())
            .await?;
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
            let last = self
                .ports
                .feed
                .last_sequences(&own)
                .await?
                .get(&store)
                .copied()
                .unwrap_or(0);
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

    /// Issues a new secret for an endpoint. The previous secret still signs for `keep_old_seconds`;
    /// an older secret ends immediately.
    pub async fn rotate_secret(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &RotateSecretDraft,
    ) -> Result<EndpointWithSecret, WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.which.store_id, &mut report);
        let id = webhook_id(&draft.which.webhook_id, &mut report);
        let keep_old_seconds = draft.keep_old_seconds(&mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        for attempt in 0..ATTEMPTS {
            let record = self.reached(&reached, id).await?;
            // Recorded once, even if concurrent changes repeat the attempt.
            if attempt == 0 {
                let action = AuditAction::SecretRotated;
                self.recorder.record(action, id.to_string()).await?;
            }
            let (new, secret) = self.issue(id).await?;
            let now = self.ports.clock.now();
            let rotated = EndpointRecord {
                secrets: rotated(&record, new, keep_old_seconds, now),
                ..record.changed(record.endpoint.clone(), now)
            };
            if let Some(changed) = self.replace(&record, rotated, None).await? {
                let outcome = self.outcome(changed, false).await?;
                return Ok(EndpointWithSecret { outcome, secret });
            }
        }
        Err(RepositoryError::Stale.into())
    }

    /// Deletes the endpoint that `draft` names, with its deliveries.
    pub async fn delete(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<(), WebhookError> {
        let (reached, id) = self.named(caller, draft).await?;
        self.reached(&reached, id).await?;
        let action = AuditAction::WebhookDeleted;
        self.recorder.record(action, id.to_string()).await?;
        if self.ports.endpoints.remove(id).await? {
            Ok(())
        } else {
            // A concurrent call removed the endpoint first.
            Err(WebhookError::NotFound)
        }
    }
}

fn changed(
    record: &EndpointRecord,
    values: &EndpointValues,
    now: Timestamp,
) -> Option<EndpointRecord> {
    let before = &record.endpoint;
    let (values, current) = (values.clone(), before.clone());
    let endpoint = Endpoint {
        scope: values.scope.unwrap_or(current.scope),
        url: values.url.unwrap_or(current.url),
        types: values.types.unwrap_or(current.types),
        payload: values.payload.unwrap_or(current.payload),
        description: values.description.unwrap_or(current.description),
        ..current
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
    let is_silent = probing.is_some_and(|probing| !after.scope.includes(probing.store));
    if is_silent || before.url != after.url {
        state.tried_at_once()
    } else {
        state
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

/// Sorted newest first. The newest old secret is kept unless `keep_old_seconds` is 0.
fn rotated(
    record: &EndpointRecord,
    new: EndpointSecret,
    keep_old_seconds: u32,
    now: Timestamp,
) -> Vec<EndpointSecret> {
    let millis = i64::from(keep_old_seconds) * 1000;
    // Only the latest old secret is kept: two secrets can sign at the same time.
    let current = record.secrets.first().filter(|_| millis > 0);
    let old = current.map(|old| EndpointSecret {
        expires_at: Some(now.plus_millis(millis)),
        ..old.clone()
    });
    [new].into_iter().chain(old).collect()
}
