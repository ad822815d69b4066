//! Operators and their tokens in PostgreSQL. The statements are those of the store kit.

mod session;

use async_trait::async_trait;
use diesel::connection::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, TokenId};
use pressline_domain::operator::{OperatorDirectory, OperatorRecord, OperatorToken, Revocation};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Operators;

use crate::PostgresStore;
use crate::error::Failure;

use self::session::sessions;

fn operators(connection: &mut PgConnection) -> Operators<'_, PgConnection, Failure> {
    Operators::new(connection)
}

#[async_trait]
impl OperatorDirectory for PostgresStore {
    #[tracing::instrument(name = "db.operator.add", level = "debug", skip_all)]
    async fn add(&self, record: &OperatorRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.pool
            .call(move |connection, in_doubt| {
                let added =
                    connection.transaction(|connection| operators(connection).add(&record))?;
                // An earlier try, whose end is not known, may have been committed.
                if added || (in_doubt && operators(connection).list()?.contains(&record)) {
                    return Ok(());
                }
                Err(RepositoryError::Duplicate("an operator with this name").into())
            })
            .await
    }

    #[tracing::instrument(name = "db.operator.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<OperatorRecord>, RepositoryError> {
        self.pool
            .call(|connection, _| operators(connection).list())
            .await
    }

    #[tracing::instrument(name = "db.operator.add_token", level = "debug", skip_all)]
    async fn add_token(
        &self,
        operator: OperatorId,
        token: &OperatorToken,
    ) -> Result<(), RepositoryError> {
        let token = token.clone();
        self.pool
            .call(move |connection, in_doubt| {
                let added = operators(connection).add_token(operator, &token)?;
                if added || (in_doubt && is_stored(connection, &token)?) {
                    return Ok(());
                }
                Err(RepositoryError::Stale.into())
            })
            .await
    }

    #[tracing::instrument(name = "db.operator.revoke", level = "debug", skip_all)]
    async fn revoke(&self, revocation: Revocation) -> Result<(), RepositoryError> {
        let revoke = move |connection: &mut PgConnection| {
            if let Revocation::Operator(id) = revocation {
                sessions(connection).revoke(id)?;
            }
            operators(connection).revoke(revocation)
        };
        self.pool
            .call(move |connection, _| connection.transaction(revoke))
            .await
    }

    #[tracing::instrument(name = "db.operator.note_use", level = "debug", skip_all)]
    async fn note_use(&self, token: TokenId, minute: Timestamp) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, _| operators(connection).note_use(token, minute))
            .await
    }
}

/// Returns whether an earlier try, whose end is not known, has stored the token.
fn is_stored(connection: &mut PgConnection, token: &OperatorToken) -> Result<bool, Failure> {
    let records = operators(connection).list()?;
    let mut tokens = records.iter().flat_map(|record| &record.tokens);
    Ok(tokens.any(|stored| stored == token))
}
