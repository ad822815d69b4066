//! Signing in, and confirming the identity of a signed-in operator.

use super::{
    Account, Client, Confirmation, OpenedSession, Proof, Session, SessionError, SessionService,
    SignedIn,
};
use crate::audit::AuditAction;
use crate::operator::{Password, SecretText};
use pressline_domain::value::id::SessionId;
use pressline_kit::boxed;

type Result<T, E = SessionError> = std::result::Result<T, E>;

impl SessionService {
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
    ) -> Result<OpenedSession> {
        let now = self.ports.clock.now();
        let name = name.trim();
        // Counted before any other work, so that guesses are limited whatever follows.
        self.throttle.with_name(name, client.address, now)?;
        let account = self.ports.accounts.account(name).await?;
        let account = account.filter(|account| account.operator.role.may_sign_in());
        let hash = account.as_ref().and_then(|found| found.password.as_ref());
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
    pub async fn sign_in_by_link(&self, link: &str, client: &Client) -> Result<OpenedSession> {
        let now = self.ports.clock.now();
        let link = link.parse::<SecretText>();
        let digest = link.map_err(|_| SessionError::LinkDenied)?.digest();
        let found = self.ports.sessions.link(digest).await?;
        // An expired link stays stored until it is pruned.
        let live = found.filter(|(link, _)| link.expires_at > now);
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
    ) -> Result<SignedIn> {
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

    /// Counts each call as a sign-in attempt of the operator `who`.
    pub(super) async fn check_password(
        &self,
        who: &SignedIn,
        password: &str,
        client: &Client,
    ) -> Result<()> {
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
    ) -> Result<Option<OpenedSession>> {
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
        let trail = self.trail(&account.operator, client);
        let subject = format!("{} from {} by {}", session.id, client.address, by.as_str());
        // Recorded first: an action that cannot be recorded is not done.
        trail.record(AuditAction::SignedIn, subject).await?;
        if !self.ports.sessions.open(&session, proof).await? {
            return Ok(None);
        }
        Ok(Some(OpenedSession {
            text,
            signed_in: SignedIn::new(session, account),
        }))
    }
}
