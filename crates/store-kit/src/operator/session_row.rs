//! Rows of an account, a session and a sign-in link.

use pressline_backoffice::operator::{
    Account, Confirmation, Paper, PasswordHash, Preferences, SecretDigest, Session, SignInLink,
    Theme,
};
use pressline_domain::error::Result;
use pressline_domain::value::{OperatorId, Timestamp};

use super::OperatorRow;
use crate::corrupt::StoredRow;
use crate::sql::Row;

#[derive(Clone, PartialEq, Row)]
pub(crate) struct AccountRow {
    pub(crate) operator_id: String,
    pub(crate) password_hash: Option<String>,
    pub(crate) time_zone: String,
    pub(crate) paper: String,
    pub(crate) theme: String,
    pub(crate) sounds: bool,
    pub(crate) keys: bool,
}

#[derive(Clone, PartialEq, Row)]
pub(crate) struct SessionRow {
    pub(crate) session_id: String,
    pub(crate) operator_id: String,
    pub(crate) digest: Vec<u8>,
    pub(crate) client: String,
    pub(crate) signed_in_at: i64,
    pub(crate) last_used_at: i64,
    pub(crate) confirmed_at: i64,
    pub(crate) confirmed_by: String,
}

#[derive(Clone, PartialEq, Row)]
pub(crate) struct LinkRow {
    pub(crate) digest: Vec<u8>,
    pub(crate) operator_id: String,
    pub(crate) expires_at: i64,
}

impl AccountRow {
    pub(super) fn new(
        operator: OperatorId,
        password: Option<&PasswordHash>,
        preferences: &Preferences,
    ) -> Self {
        Self {
            operator_id: operator.to_string(),
            password_hash: password.map(|hash| hash.as_str().to_owned()),
            time_zone: preferences.time_zone.to_string(),
            paper: preferences.paper.as_str().to_owned(),
            theme: preferences.theme.as_str().to_owned(),
            sounds: preferences.sounds,
            keys: preferences.keys,
        }
    }

    fn restore(&self) -> Result<(Option<PasswordHash>, Preferences)> {
        let stored = StoredRow("operator_accounts", &[&self.operator_id]);
        let paper = Paper::from_name(&self.paper).ok_or("not a paper");
        let theme = Theme::from_name(&self.theme).ok_or("not a theme");
        let preferences = Preferences {
            time_zone: stored.read("time_zone", self.time_zone.parse())?,
            paper: stored.read("paper", paper)?,
            theme: stored.read("theme", theme)?,
            sounds: self.sounds,
            keys: self.keys,
        };
        Ok((
            self.password_hash.clone().map(PasswordHash::new),
            preferences,
        ))
    }
}

/// Expects `row` to be `None` until the operator sets a password or preferences.
pub(super) fn account(operator: &OperatorRow, row: Option<&AccountRow>) -> Result<Account> {
    let set = row.map(AccountRow::restore).transpose()?;
    let (password, preferences) = set.unwrap_or_default();
    Ok(Account {
        operator: operator.restore()?,
        password,
        preferences,
    })
}

impl SessionRow {
    pub(super) fn new(session: &Session) -> Self {
        Self {
            session_id: session.id.to_string(),
            operator_id: session.operator.to_string(),
            digest: session.digest.as_bytes().to_vec(),
            client: session.client.to_string(),
            signed_in_at: session.signed_in_at.as_millis(),
            last_used_at: session.last_used_at.as_millis(),
            confirmed_at: session.confirmed_at.as_millis(),
            confirmed_by: session.confirmed_by.as_str().to_owned(),
        }
    }

    pub(super) fn restore(&self) -> Result<Session> {
        let stored = StoredRow("operator_sessions", &[&self.session_id]);
        let by = Confirmation::from_name(&self.confirmed_by).ok_or("not a confirmation");
        Ok(Session {
            id: stored.read("session_id", self.session_id.parse())?,
            operator: stored.read("operator_id", self.operator_id.parse())?,
            digest: stored.read("digest", digest(&self.digest))?,
            client: stored.read("client", self.client.parse())?,
            signed_in_at: Timestamp::from_millis(self.signed_in_at),
            last_used_at: Timestamp::from_millis(self.last_used_at),
            confirmed_at: Timestamp::from_millis(self.confirmed_at),
            confirmed_by: stored.read("confirmed_by", by)?,
        })
    }
}

impl LinkRow {
    pub(super) fn new(link: &SignInLink) -> Self {
        Self {
            digest: link.digest.as_bytes().to_vec(),
            operator_id: link.operator.to_string(),
            expires_at: link.expires_at.as_millis(),
        }
    }

    pub(super) fn restore(&self) -> Result<SignInLink> {
        let stored = StoredRow("sign_in_links", &[&self.operator_id]);
        Ok(SignInLink {
            digest: stored.read("digest", digest(&self.digest))?,
            operator: stored.read("operator_id", self.operator_id.parse())?,
            expires_at: Timestamp::from_millis(self.expires_at),
        })
    }
}

fn digest(bytes: &[u8]) -> Result<SecretDigest, std::array::TryFromSliceError> {
    bytes.try_into().map(SecretDigest::new)
}
