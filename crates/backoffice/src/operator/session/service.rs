//! Service of sessions, over its ports.

use std::sync::Arc;

use super::throttle::SignInThrottle;
use super::{
    AccountRepository, Activity, Client, LINK_LIFETIME, NewLink, Session, SessionError,
    SessionRepository, SignInLink, SignedIn,
};
use crate::audit::{Audit, AuditAction, AuditContext, AuditRecorder};
use crate::operator::{Operator, PasswordHasher, SecretSource, SecretText};
use pressline_domain::error::Result;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::id::SessionId;
use pressline_kit::boxed;

/// Signs operators in and out, and manages their sessions and accounts.
#[derive(Clone)]
pub struct SessionService {
    pub(super) ports: SessionPorts,
    pub(super) throttle: Arc<SignInThrottle>,
    audit: Audit,
}

/// Dependencies of [`SessionService`].
#[derive(Clone)]
pub struct SessionPorts {
    /// Stores sessions and sign-in links.
    pub sessions: Arc<dyn SessionRepository>,
    /// Stores passwords and preferences.
    pub accounts: Arc<dyn AccountRepository>,
    /// Hashes and compares passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Creates the secrets of sessions and links.
    pub secrets: Arc<dyn SecretSource>,
    /// Gives the current time, for lifetimes and limits.
    pub clock: Arc<dyn Clock>,
    /// Generates ids of sessions.
    pub ids: Arc<dyn IdSource>,
}

impl SessionService {
    /// Creates the service over `ports`. Clones share their counts of sign-in attempts.
    pub fn new(ports: SessionPorts, audit: Audit) -> Self {
        Self {
            ports,
            throttle: Arc::default(),
            audit,
        }
    }

    /// Creates a sign-in link for the operator `name`, which can be used once within 10 minutes.
    #[boxed]
    pub async fn make_link(&self, name: &str, by: AuditContext) -> Result<NewLink, SessionError> {
        let account = self.ports.accounts.account(name).await?;
        let unknown = || SessionError::NotFound(name.to_owned());
        let operator = account.ok_or_else(unknown)?.operator;
        if !operator.role.may_sign_in() {
            return Err(SessionError::Carrier(operator.name));
        }
        let text = self.new_text()?;
        let expires_at = self.ports.clock.now().plus_millis(LINK_LIFETIME);
        let link = SignInLink {
            digest: text.digest(),
            operator: operator.id,
            expires_at,
        };
        let (trail, action) = (self.audit.by(by), AuditAction::LinkCreated);
        trail.record(action, &operator.name).await?;
        self.ports.sessions.add_link(&link).await?;
        Ok(NewLink {
            operator,
            text,
            expires_at,
        })
    }

    /// Returns the signed-in operator of the session with the secret `text`. Returns `None` if no
    /// session has this secret, or the session is over. An [`Activity::Action`] is noted as a use.
    #[boxed]
    pub async fn authenticate(&self, text: &str, activity: Activity) -> Result<Option<SignedIn>> {
        let Ok(text) = text.parse::<SecretText>() else {
            return Ok(None);
        };
        let now = self.ports.clock.now();
        let found = self.ports.sessions.find(text.digest()).await?;
        // A session that is over stays stored until it is pruned.
        let Some((mut session, account)) = found.filter(|(session, _)| !session.is_over(now))
        else {
            return Ok(None);
        };
        if activity == Activity::Action && session.is_noted(now) {
            // A use that cannot be stored, for example on a full disk, must not prevent a page from
            // being shown: the next request stores it.
            let noted = self.ports.sessions.note_session_use(session.id, now).await;
            if noted.is_ok() {
                session.last_used_at = now;
            }
        }
        Ok(Some(SignedIn::new(session, account)))
    }

    /// Ends the session of `who`.
    ///
    /// # Errors
    /// Returns an error if the query fails. A session that has already ended is not an error.
    #[boxed]
    pub async fn sign_out(&self, who: &SignedIn, client: &Client) -> Result<()> {
        let trail = self.trail(&who.operator, client);
        let action = AuditAction::SignedOut;
        trail.record(action, &who.operator.name).await?;
        let (operator, session) = (who.operator.id, who.session.id);
        self.ports.sessions.close(operator, session).await.map(drop)
    }

    /// Returns all sessions of the operator that are not over, latest sign-in first, including the
    /// session of `who`.
    #[boxed]
    pub async fn sessions(&self, who: &SignedIn) -> Result<Vec<Session>> {
        let now = self.ports.clock.now();
        let mut sessions = self.ports.sessions.list(who.operator.id).await?;
        sessions.retain(|session| !session.is_over(now));
        Ok(sessions)
    }

    /// Ends `session` if it belongs to the operator of `who`; returns `false` if it does not.
    #[boxed]
    pub async fn revoke(
        &self,
        who: &SignedIn,
        session: SessionId,
        client: &Client,
    ) -> Result<bool> {
        let trail = self.trail(&who.operator, client);
        let subject = format!("{} {session}", who.operator.name);
        trail.record(AuditAction::SessionRevoked, subject).await?;
        self.ports.sessions.close(who.operator.id, session).await
    }

    /// Removes up to `limit` sessions that are over, and up to `limit` expired links. Returns the
    /// number of removed sessions and links.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64> {
        self.ports
            .sessions
            .prune_sessions(self.ports.clock.now(), limit)
            .await
    }

    pub(super) fn new_text(&self) -> Result<SecretText, SessionError> {
        let secret = self.ports.secrets.secret().map_err(SessionError::Secret)?;
        Ok(SecretText::new(&secret))
    }

    pub(super) fn trail(&self, operator: &Operator, client: &Client) -> AuditRecorder {
        let author = operator.audit_context(client.request_id.clone());
        self.audit.by(author)
    }
}
