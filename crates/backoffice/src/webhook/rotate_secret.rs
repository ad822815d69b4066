//! Rotation of endpoint secrets.

use super::caller::EndpointCaller;
use super::draft::{RotateSecretDraft, webhook_id};
use super::endpoint::{EndpointRecord, EndpointSecret};
use super::error::WebhookError;
use super::service::{ATTEMPTS, EndpointService, EndpointWithSecret};
use crate::audit::AuditAction;
use crate::fields::valid;
use pressline_domain::check::report::Report;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::time::Timestamp;

impl EndpointService {
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
                self.trail.record(action, id.to_string()).await?;
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
}

/// Returns the secrets after a rotation, newest first. The newest old secret is kept unless
/// `keep_old_seconds` is 0.
fn rotated(
    record: &EndpointRecord,
    new: EndpointSecret,
    keep_old_seconds: u32,
    now: Timestamp,
) -> Vec<EndpointSecret> {
    let millis = i64::from(keep_old_seconds) * 1000;
    // Only the latest old secret is kept: two secrets can sign at the same time.
    let old = record.secrets.first().filter(|_| millis > 0);
    let old = old.map(|old| EndpointSecret {
        expires_at: Some(now.plus_millis(millis)),
        ..old.clone()
    });
    [new].into_iter().chain(old).collect()
}
