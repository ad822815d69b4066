//! Service of sessions, over its ports.

use std::sync::Arc;

use super::throttle::SignInThrottle;
use super::{
    Account, AccountRepository, Activity, Client, Confirmation, LINK_LIFETIME, NewLink,
    OpenedSession, Proof, Session, SessionError, SessionRepository, SignInLink, SignedIn,
};
use crate::audit::{Audit, AuditAction, AuditContext, AuditRecorder};
use crate::operator::{Operator, Password, PasswordHasher, Preferences, SecretSource, SecretText};
use pressline_domain::error::Result;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::SessionId;
use pressline_kit::boxed;

/// Signs operators in and out, and manages their sessions and accounts.
#[derive(Clone)]
pub struct SessionService {
    ports: SessionPorts,
    throttle: Arc<SignInThrottle>,
    recorder: AuditRecorder,
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
            recorder: AuditRecorder::new(audit),
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
        let (recorder, action) = (self.recorder.by(by), AuditAction::LinkCreated);
        recorder.record(action, &operator.name).await?;
        self.ports.sessions.add_link(&link).await?;
        Ok(NewLink {
            operator,
            text,
            expires_at,
        })
    }

    /// Opens a session for the operator `name` if `password` is correct.
    ///
    /// Unknown names, operators without a password and carriers are refused like a wrong password,
    /// after as much work, so that the time reveals nothing. Each attempt is counted before this
    /// work.
    #[boxed]
    pub async fn sign_in(
        &self,
        name: &str,
        password: &str,
        client: &Client,
    ) -> Result<OpenedSession, SessionError> {
        let now = self.ports.clock.now();
        let name = name.trim();
        // Counted before any other work, so that guesses are limited whatever follows.
        self.throttle.with_name(name, client.address, now)?;
        let stored_account = self.ports.accounts.account(name).await?;
        let account = stored_account.filter(|account| account.operator.role.may_sign_in());
        let hash = account
            .as_ref()
            .and_then(|account| account.password.as_ref());
        let is_right = self
            .ports
            .hasher
            .is_of(hash, &Password::new(password))
            .await?;
        let proof = hash.cloned().map(Proof::Password);
        let (Some(account), Some(proof), true) = (account, proof, is_right) else {
            return Err(SessionError::Denied);
        };
        let opened = self.open(account, &proof, client).await?;
        opened.ok_or(SessionError::Denied)
    }

    /// Opens a session by a sign-in link with the secret `link`. Each link can be used once.
    ///
    /// Attempts are not counted: a link has 256 random bits, and a limit would let wrong passwords
    /// lock out operators who have a link. A malformed secret costs no query, and any other secret
    /// costs a single indexed read.
    ///
    /// A signed-in operator can confirm its identity by a new link. This opens another session; the
    /// caller must then sign out the previous session.
    #[boxed]
    pub async fn sign_in_by_link(
        &self,
        link: &str,
        client: &Client,
    ) -> Result<OpenedSession, SessionError> {
        let now = self.ports.clock.now();
        let link = SecretText::parse(link).ok_or(SessionError::LinkDenied)?;
        let digest = link.digest();
        let link_and_account = self.ports.sessions.link(digest).await?;
        // An expired link stays stored until it is pruned.
        let live = link_and_account.filter(|(link, _)| link.expires_at > now);
        let (_, account) = live.ok_or(SessionError::LinkDenied)?;
        let opened = self.open(account, &Proof::Link(digest), client).await?;
        opened.ok_or(SessionError::LinkDenied)
    }

    /// Confirms the operator's identity in the session of `who` by `password`. Returns `who` with
    /// the new confirmation.
    #[boxed]
    pub async fn confirm(
        &self,
        who: &SignedIn,
        password: &str,
        client: &Client,
    ) -> Result<SignedIn, SessionError> {
        self.check_password(who, password, client).await?;
        let now = self.ports.clock.now();
        let by = Confirmation::Password;
        if !self.ports.sessions.confirm(who.session.id, now, by).await? {
            // A concurrent call ended the session.
            return Err(SessionError::Ended);
        }
        let mut confirmed = who.clone();
        confirmed.session.confirmed_at = now;
        confirmed.session.confirmed_by = by;
        Ok(confirmed)
    }

    /// Returns the signed-in operator of the session with the secret `text`. Returns `None` if no
    /// session has this secret, or the session is over. An [`Activity::Action`] is noted as a use.
    #[boxed]
    pub async fn authenticate(&self, text: &str, activity: Activity) -> Result<Option<SignedIn>> {
        let Some(text) = SecretText::parse(text) else {
            return Ok(None);
        };
        let now = self.ports.clock.now();
        let session_and_account = self.ports.sessions.find(text.digest()).await?;
        // A session that is over stays stored until it is pruned.
        let Some((mut session, account)) =
            session_and_account.filter(|(session, _)| !session.is_over(now))
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

    /// Ends the session of `who`. A session that has already ended is not an error.
    #[boxed]
    pub async fn sign_out(&self, who: &SignedIn, client: &Client) -> Result<()> {
        let recorder = self.recorder_of(&who.operator, client);
        let action = AuditAction::SignedOut;
        recorder.record(action, &who.operator.name).await?;
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
        let recorder = self.recorder_of(&who.operator, client);
        let subject = format!("{} {session}", who.operator.name);
        recorder
            .record(AuditAction::SessionRevoked, subject)
            .await?;
        self.ports.sessions.close(who.operator.id, session).await
    }

    /// Removes up to `limit` ended sessions and `limit` expired links, and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64> {
        self.ports
            .sessions
            .prune_sessions(self.ports.clock.now(), limit)
            .await
    }

    /// Sets the operator's password, ends all its other sessions, and returns the changed session.
    ///
    /// `current` is the operator's current password. It may be `None` unless
    /// [`SignedIn::needs_current_password`] returns `true`.
    ///
    /// # Errors
    /// [`SessionError::CurrentNeeded`] if `current` is missing, [`SessionError::Denied`] if it is
    /// wrong, [`SessionError::Unfit`] if `new` is too short, too long or too easy to guess,
    /// [`SessionError::TooManyTries`] or [`SessionError::Busy`] if the caller must wait, and
    /// [`SessionError::Ended`] if the session has ended.
    #[boxed]
    pub async fn set_password(
        &self,
        who: &SignedIn,
        current: Option<&str>,
        new: &str,
        client: &Client,
    ) -> Result<SignedIn, SessionError> {
        let new = Password::new(new);
        // Checked first, because comparing a password is expensive and counts as an attempt.
        new.check_length()?;
        match current {
            Some(current) => self.check_password(who, current, client).await?,
            None if who.needs_current_password(self.ports.clock.now()) => {
                return Err(SessionError::CurrentNeeded);
            }
            None => {}
        }
        let name = who.operator.name.as_str();
        // The names of the operator and of the product make a password easy to guess.
        let strength = self
            .ports
            .hasher
            .strength(&new, &[name, "pressline"])
            .await?;
        strength.check()?;
        let hash = self.ports.hasher.hash(&new).await?;
        let now = self.ports.clock.now();
        let recorder = self.recorder_of(&who.operator, client);
        // Recorded first: an action that cannot be recorded is not done.
        recorder.record(AuditAction::PasswordSet, name).await?;
        let session = who.session.id;
        if !self
            .ports
            .accounts
            .set_password(session, &hash, now)
            .await?
        {
            return Err(SessionError::Ended);
        }
        let mut changed = who.clone();
        changed.has_password = true;
        changed.session.confirmed_at = now;
        changed.session.confirmed_by = Confirmation::Password;
        Ok(changed)
    }

    /// Replaces the operator's preferences by `preferences`.
    #[boxed]
    pub async fn save_preferences(&self, who: &SignedIn, preferences: &Preferences) -> Result<()> {
        let (accounts, operator) = (&self.ports.accounts, who.operator.id);
        accounts.save_preferences(operator, preferences).await
    }

    /// Counts each call as a sign-in attempt of the operator `who`.
    async fn check_password(
        &self,
        who: &SignedIn,
        password: &str,
        client: &Client,
    ) -> Result<(), SessionError> {
        let name = &who.operator.name;
        self.throttle
            .with_name(name, client.address, self.ports.clock.now())?;
        let account = self.ports.accounts.account(name).await?;
        let hash = account.and_then(|account| account.password);
        let password = Password::new(password);
        let is_right = self.ports.hasher.is_of(hash.as_ref(), &password).await?;
        is_right.then_some(()).ok_or(SessionError::Denied)
    }

    /// Returns `None` if another call has changed the password or used the link of `proof`.
    async fn open(
        &self,
        account: Account,
        proof: &Proof,
        client: &Client,
    ) -> Result<Option<OpenedSession>, SessionError> {
        let by = match proof {
            Proof::Password(_) => Confirmation::Password,
            Proof::Link(_) => Confirmation::Link,
        };
        let text = self.new_text()?;
        let now = self.ports.clock.now();
        let session = Session {
            id: SessionId::new(self.ports.ids.next(now)),
            operator: account.operator.id,
            digest: text.digest(),
            client: client.address,
            signed_in_at: now,
            last_used_at: now,
            confirmed_at: now,
            confirmed_by: by,
        };
        let recorder = self.recorder_of(&account.operator, client);
        let subject = format!("{} from {} by {}", session.id, client.address, by.as_str());
        // Recorded first: an action that cannot be recorded is not done.
        recorder.record(AuditAction::SignedIn, subject).await?;
        if !self.ports.sessions.open(&session, proof).await? {
            return Ok(None);
        }
        Ok(Some(OpenedSession {
            text,
            signed_in: SignedIn::new(session, account),
        }))
    }

    fn new_text(&self) -> Result<SecretText, SessionError> {
        let secret = self.ports.secrets.secret().map_err(SessionError::Secret)?;
        Ok(SecretText::new(&secret))
    }

    fn recorder_of(&self, operator: &Operator, client: &Client) -> AuditRecorder {
        let author = operator.audit_context(client.request_id.clone());
        self.recorder.by(author)
    }
}
