//! Operators and their tokens in SQLite. The statements are those of the store kit.

mod session;

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, TokenId};
use pressline_domain::operator::{OperatorDirectory, OperatorRecord, OperatorToken, Revocation};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Operators;

use crate::SqliteStore;
use crate::error::Failure;

use self::session::sessions;

fn operators(connection: &mut SqliteConnection) -> Operators<'_, SqliteConnection, Failure> {
    Operators::new(connection)
}

#[async_trait]
impl OperatorDirectory for SqliteStore {
    #[tracing::instrument(name = "db.operator.add", level = "debug", skip_all)]
    async fn add(&self, record: &OperatorRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.change_alone(
            move |connection| match operators(connection).add(&record)? {
                true => Ok(()),
                false => Err(RepositoryError::Duplicate("an operator with this name").into()),
            },
        )
        .await
    }

    #[tracing::instrument(name = "db.operator.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<OperatorRecord>, RepositoryError> {
        self.readers
            .call(|connection| operators(connection).list())
            .await
    }

    #[tracing::instrument(name = "db.operator.add_token", level = "debug", skip_all)]
    async fn add_token(
        &self,
        operator: OperatorId,
        token: &OperatorToken,
    ) -> Result<(), RepositoryError> {
        let token = token.clone();
        self.change_alone(move |connection| {
            match operators(connection).add_token(operator, &token)? {
                true => Ok(()),
                false => Err(RepositoryError::Stale.into()),
            }
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.revoke", level = "debug", skip_all)]
    async fn revoke(&self, revocation: Revocation) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| {
            if let Revocation::Operator(id) = revocation {
                sessions(connection).revoke(id)?;
            }
            operators(connection).revoke(revocation)
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.note_use", level = "debug", skip_all)]
    async fn note_use(&self, token: TokenId, minute: Timestamp) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| operators(connection).note_use(token, minute))
            .await
    }
}
