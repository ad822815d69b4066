//! Sessions and accounts of operators in PostgreSQL. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::connection::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, SessionId};
use pressline_domain::operator::{
    Account, AccountRepository, Confirmation, PasswordHash, Preferences, Proof, SecretDigest,
    Session, SessionRepository, SignInLink,
};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Sessions;

use crate::PostgresStore;
use crate::error::Failure;
use crate::store::LOCKS;

pub(super) fn sessions(connection: &mut PgConnection) -> Sessions<'_, PgConnection, Failure> {
    Sessions::new(connection, LOCKS)
}

/// Refuses a change of an operator that does not exist.
fn of_operator(is_changed: bool) -> Result<(), Failure> {
    match is_changed {
        true => Ok(()),
        false => Err(RepositoryError::Stale.into()),
    }
}

#[async_trait]
impl SessionRepository for PostgresStore {
    #[tracing::instrument(name = "db.session.add_link", level = "debug", skip_all)]
    async fn add_link(&self, link: &SignInLink) -> Result<(), RepositoryError> {
        let link = link.clone();
        self.pool
            .call(move |connection, _| of_operator(sessions(connection).add_link(&link)?))
            .await
    }

    #[tracing::instrument(name = "db.session.link", level = "debug", skip_all)]
    async fn link(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<(SignInLink, Account)>, RepositoryError> {
        self.pool
            .call(move |connection, _| sessions(connection).link(digest))
            .await
    }

    #[tracing::instrument(name = "db.session.open", level = "debug", skip_all)]
    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool, RepositoryError> {
        let (session, proof) = (session.clone(), proof.clone());
        self.pool
            .call(move |connection, in_doubt| {
                let open =
                    |connection: &mut PgConnection| sessions(connection).open(&session, &proof);
                // An earlier try, whose end is not known, may have been committed.
                let was_opened = in_doubt && sessions(connection).find(session.digest)?.is_some();
                Ok(was_opened || connection.transaction(open)?)
            })
            .await
    }

    #[tracing::instrument(name = "db.session.find", level = "debug", skip_all)]
    async fn find(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<(Session, Account)>, RepositoryError> {
        self.pool
            .call(move |connection, _| sessions(connection).find(digest))
            .await
    }

    #[tracing::instrument(name = "db.session.list", level = "debug", skip_all)]
    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>, RepositoryError> {
        self.pool
            .call(move |connection, _| sessions(connection).list(operator))
            .await
    }

    #[tracing::instrument(name = "db.session.note_use", level = "debug", skip_all)]
    async fn note_session_use(
        &self,
        session: SessionId,
        at: Timestamp,
    ) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, _| sessions(connection).note_use(session, at))
            .await
    }

    #[tracing::instrument(name = "db.session.confirm", level = "debug", skip_all)]
    async fn confirm(
        &self,
        session: SessionId,
        at: Timestamp,
        by: Confirmation,
    ) -> Result<bool, RepositoryError> {
        self.pool
            .call(move |connection, _| sessions(connection).confirm(session, at, by))
            .await
    }

    #[tracing::instrument(name = "db.session.close", level = "debug", skip_all)]
    async fn close(
        &self,
        operator: OperatorId,
        session: SessionId,
    ) -> Result<bool, RepositoryError> {
        self.pool
            .call(move |connection, in_doubt| {
                // An earlier try, whose end is not known, may have removed it.
                Ok(sessions(connection).close(operator, session)? || in_doubt)
            })
            .await
    }

    #[tracing::instrument(name = "db.session.prune", level = "debug", skip_all)]
    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| sessions(connection).prune(now, limit))
            })
            .await
    }
}

#[async_trait]
impl AccountRepository for PostgresStore {
    #[tracing::instrument(name = "db.account.find", level = "debug", skip_all)]
    async fn account(&self, name: &str) -> Result<Option<Account>, RepositoryError> {
        let name = name.to_owned();
        self.pool
            .call(move |connection, _| sessions(connection).account(&name))
            .await
    }

    #[tracing::instrument(name = "db.account.set_password", level = "debug", skip_all)]
    async fn set_password(
        &self,
        session: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool, RepositoryError> {
        let hash = hash.clone();
        self.pool
            .call(move |connection, _| {
                connection
                    .transaction(|connection| sessions(connection).set_password(session, &hash, at))
            })
            .await
    }

    #[tracing::instrument(name = "db.account.save_preferences", level = "debug", skip_all)]
    async fn save_preferences(
        &self,
        operator: OperatorId,
        preferences: &Preferences,
    ) -> Result<(), RepositoryError> {
        let preferences = preferences.clone();
        let save = move |connection: &mut PgConnection| {
            of_operator(sessions(connection).save_preferences(operator, &preferences)?)
        };
        self.pool.call(move |connection, _| save(connection)).await
    }
}
