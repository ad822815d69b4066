//! Implements the ports of operators, sessions and accounts.

use async_trait::async_trait;
use pressline_backoffice::operator::{
    Account, AccountRepository, Confirmation, OperatorDirectory, OperatorRecord, OperatorToken,
    PasswordHash, Preferences, Proof, Revocation, SecretDigest, Session, SessionRepository,
    SignInLink,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::id::{OperatorId, SessionId, TokenId};
use pressline_domain::value::time::Timestamp;

use super::{accounts, directory, sessions};
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;

fn of_operator(is_changed: bool) -> Result<(), Failure> {
    if is_changed {
        return Ok(());
    }
    Err(RepositoryError::Stale.into())
}

#[async_trait]
impl OperatorDirectory for ColdStore {
    #[tracing::instrument(name = "db.operator.add", level = "debug", skip_all)]
    async fn add(&self, record: &OperatorRecord) -> Result<()> {
        let record = record.clone();
        self.call(Access::Transaction, move |db| {
            let is_added = directory::add(db, &record)?;
            // An earlier attempt may have been committed after all.
            if is_added || (db.in_doubt && directory::list(db)?.contains(&record)) {
                return Ok(());
            }
            Err(RepositoryError::Duplicate("an operator with this name").into())
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<OperatorRecord>> {
        self.call(Access::Read, directory::list).await
    }

    #[tracing::instrument(name = "db.operator.add_token", level = "debug", skip_all)]
    async fn add_token(&self, operator: OperatorId, token: &OperatorToken) -> Result<()> {
        let token = token.clone();
        self.call(Access::Change, move |db| {
            let is_added = directory::add_token(db, operator, &token)?;
            of_operator(is_added || (db.in_doubt && is_stored(db, &token)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.revoke", level = "debug", skip_all)]
    async fn revoke(&self, revocation: Revocation) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            // Revoking an operator also ends its sessions and removes its password and links.
            if let Revocation::Operator(id) = revocation {
                accounts::revoke(db, id)?;
            }
            directory::revoke(db, revocation)
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.note_use", level = "debug", skip_all)]
    async fn note_use(&self, token: TokenId, minute: Timestamp) -> Result<()> {
        self.call(Access::Change, move |db| {
            directory::note_use(db, token, minute)
        })
        .await
    }
}

fn is_stored(db: &mut Db<'_>, token: &OperatorToken) -> Result<bool, Failure> {
    let records = directory::list(db)?;
    let mut tokens = records.iter().flat_map(|record| &record.tokens);
    Ok(tokens.any(|stored| stored == token))
}

#[async_trait]
impl SessionRepository for ColdStore {
    #[tracing::instrument(name = "db.session.add_link", level = "debug", skip_all)]
    async fn add_link(&self, link: &SignInLink) -> Result<()> {
        let link = link.clone();
        self.call(Access::Change, move |db| {
            of_operator(sessions::add_link(db, &link)?)
        })
        .await
    }

    #[tracing::instrument(name = "db.session.link", level = "debug", skip_all)]
    async fn link(&self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>> {
        self.call(Access::Read, move |db| sessions::find_link(db, digest))
            .await
    }

    #[tracing::instrument(name = "db.session.open", level = "debug", skip_all)]
    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool> {
        let (session, proof) = (session.clone(), proof.clone());
        self.call(Access::Transaction, move |db| {
            // An earlier attempt may have been committed after all.
            let was_opened = db.in_doubt && sessions::find(db, session.digest)?.is_some();
            Ok(was_opened || sessions::open(db, &session, &proof)?)
        })
        .await
    }

    #[tracing::instrument(name = "db.session.find", level = "debug", skip_all)]
    async fn find(&self, digest: SecretDigest) -> Result<Option<(Session, Account)>> {
        self.call(Access::Read, move |db| sessions::find(db, digest))
            .await
    }

    #[tracing::instrument(name = "db.session.list", level = "debug", skip_all)]
    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>> {
        self.call(Access::Read, move |db| sessions::list(db, operator))
            .await
    }

    #[tracing::instrument(name = "db.session.note_use", level = "debug", skip_all)]
    async fn note_session_use(&self, id: SessionId, at: Timestamp) -> Result<()> {
        self.call(Access::Change, move |db| sessions::note_use(db, id, at))
            .await
    }

    #[tracing::instrument(name = "db.session.confirm", level = "debug", skip_all)]
    async fn confirm(&self, id: SessionId, at: Timestamp, by: Confirmation) -> Result<bool> {
        self.call(Access::Change, move |db| sessions::confirm(db, id, at, by))
            .await
    }

    #[tracing::instrument(name = "db.session.close", level = "debug", skip_all)]
    async fn close(&self, operator: OperatorId, id: SessionId) -> Result<bool> {
        self.call(Access::Change, move |db| {
            // An earlier attempt may have deleted the session.
            Ok(sessions::close(db, operator, id)? || db.in_doubt)
        })
        .await
    }

    #[tracing::instrument(name = "db.session.prune", level = "debug", skip_all)]
    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64> {
        self.call(Access::Transaction, move |db| {
            accounts::prune(db, now, limit)
        })
        .await
    }
}

#[async_trait]
impl AccountRepository for ColdStore {
    #[tracing::instrument(name = "db.account.find", level = "debug", skip_all)]
    async fn account(&self, name: &str) -> Result<Option<Account>> {
        let name = name.to_owned();
        self.call(Access::Read, move |db| accounts::find(db, &name))
            .await
    }

    #[tracing::instrument(name = "db.account.set_password", level = "debug", skip_all)]
    async fn set_password(
        &self,
        id: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool> {
        let hash = hash.clone();
        self.call(Access::Transaction, move |db| {
            accounts::set_password(db, id, &hash, at)
        })
        .await
    }

    #[tracing::instrument(name = "db.account.save_preferences", level = "debug", skip_all)]
    async fn save_preferences(
        &self,
        operator: OperatorId,
        preferences: &Preferences,
    ) -> Result<()> {
        let preferences = preferences.clone();
        self.call(Access::Change, move |db| {
            of_operator(accounts::save_preferences(db, operator, &preferences)?)
        })
        .await
    }
}
