//! An operator's own password and preferences.

use super::{Client, Confirmation, SessionError, SessionService, SignedIn};
use crate::audit::AuditAction;
use crate::operator::{Password, Preferences};
use pressline_domain::error::RepositoryError;

impl SessionService {
    /// Sets the operator's password, ends all its other sessions, and returns the session as it is
    /// then.
    ///
    /// `current` is its present password. It may be absent where
    /// [`SignedIn::needs_current_password`] says so.
    ///
    /// # Errors
    /// [`SessionError::CurrentNeeded`]; [`SessionError::Denied`] if `current` is wrong;
    /// [`SessionError::Unfit`] if the new password is too short or too easy to guess;
    /// [`SessionError::TooManyTries`], [`SessionError::Busy`], [`SessionError::Ended`].
    #[pressline_kit::boxed]
    pub async fn set_password(
        &self,
        who: &SignedIn,
        current: Option<&str>,
        new: &str,
        client: &Client,
    ) -> Result<SignedIn, SessionError> {
        let new = Password::new(new);
        new.check_length()?;
        match current {
            Some(current) => self.check_password(who, current, client).await?,
            None if who.needs_current_password(self.ports.clock.now()) => {
                return Err(SessionError::CurrentNeeded);
            }
            None => {}
        }
        let name = who.operator.name.as_str();
        let strength = self
            .ports
            .hasher
            .strength(&new, &[name, "pressline"])
            .await?;
        strength.check()?;
        let hash = self.ports.hasher.hash(&new).await?;
        let now = self.ports.clock.now();
        let trail = self.trail(&who.operator, client);
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

    /// Replaces the operator's preferences.
    #[pressline_kit::boxed]
    pub async fn save_preferences(
        &self,
        who: &SignedIn,
        preferences: &Preferences,
    ) -> Result<(), RepositoryError> {
        let (accounts, operator) = (&self.ports.accounts, who.operator.id);
        accounts.save_preferences(operator, preferences).await
    }
}
