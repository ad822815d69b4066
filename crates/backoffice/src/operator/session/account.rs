//! Password and preferences of a signed-in operator.

use super::{Client, Confirmation, SessionError, SessionService, SignedIn};
use crate::audit::AuditAction;
use crate::operator::{Password, Preferences};
use pressline_domain::error::Result;

impl SessionService {
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
    #[pressline_kit::boxed]
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
        let trail = self.trail(&who.operator, client);
        // Recorded first: an action that cannot be recorded is not done.
        trail.record(AuditAction::PasswordSet, name).await?;
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
    #[pressline_kit::boxed]
    pub async fn save_preferences(&self, who: &SignedIn, preferences: &Preferences) -> Result<()> {
        let (accounts, operator) = (&self.ports.accounts, who.operator.id);
        accounts.save_preferences(operator, preferences).await
    }
}
