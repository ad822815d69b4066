//! Statements about operators and their tokens.

use async_trait::async_trait;
use pressline_backoffice::operator::{
    OperatorDirectory, OperatorRecord, OperatorToken, Revocation, TokenUses,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::OperatorId;
use serde::Serialize;

use super::row::{OperatorRow, OperatorTokenRow, group_by_operator};
use super::sessions::{changed, locked_operator};
use crate::cold_store::{Access, ColdStore, Db};
use crate::dialect::Texts;
use crate::failure::Failure;
use crate::json;
use crate::sql::Row as _;

const NOTE_TOKEN_USES: Texts = Texts {
    postgres: include_str!("sql/note_token_uses.postgres.sql"),
    sqlite: include_str!("sql/note_token_uses.sqlite.sql"),
};

#[derive(Serialize)]
struct UseInput {
    token_id: String,
    minute: i64,
}

/// Sorts operators and tokens from old to new.
pub(super) fn list(db: &mut Db<'_>) -> Result<Vec<OperatorRecord>, Failure> {
    let rows = db.load(
        "SELECT
             operators.operator_id, operators.name, operators.role, operators.stores,
             operators.created_at,
             operator_tokens.token_id, operator_tokens.operator_id, operator_tokens.digest,
             operator_tokens.created_at, operator_tokens.expires_at, operator_tokens.last_used_at
         FROM operators
         LEFT JOIN operator_tokens ON operator_tokens.operator_id = operators.operator_id
         ORDER BY operators.created_at, operators.operator_id,
             operator_tokens.created_at, operator_tokens.token_id",
        &[],
    )?;
    Ok(group_by_operator(rows)?)
}

/// Returns `false` if the operator does not exist, or if the token already exists.
pub(super) fn add_token(
    db: &mut Db<'_>,
    operator: OperatorId,
    token: &OperatorToken,
) -> Result<bool, Failure> {
    let added = db.execute(
        "INSERT INTO operator_tokens (
             token_id, operator_id, digest, created_at, expires_at, last_used_at
         )
         SELECT :token_id, :operator_id, :digest, :created_at, :expires_at, :last_used_at
         FROM operators
         WHERE operator_id = :operator_id
         ON CONFLICT DO NOTHING",
        &OperatorTokenRow::new(operator, token).parameters(),
    )?;
    Ok(added > 0)
}

#[async_trait]
impl OperatorDirectory for ColdStore {
    #[tracing::instrument(name = "db.operator.add", level = "debug", skip_all)]
    async fn add(&self, record: &OperatorRecord) -> Result<()> {
        let record = record.clone();
        self.call(Access::Transaction, move |db| {
            let added = db.execute(
                "INSERT INTO operators (operator_id, name, role, stores, created_at)
                 VALUES (:operator_id, :name, :role, :stores, :created_at)
                 ON CONFLICT DO NOTHING",
                &OperatorRow::new(&record.operator)?.parameters(),
            )?;
            if added > 0 {
                for token in &record.tokens {
                    add_token(db, record.operator.id, token)?;
                }
                return Ok(());
            }
            // An earlier attempt may have been committed after all.
            if db.in_doubt && list(db)?.contains(&record) {
                return Ok(());
            }
            Err(RepositoryError::Duplicate("an operator with this name").into())
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<OperatorRecord>> {
        self.call(Access::Read, list).await
    }

    #[tracing::instrument(name = "db.operator.add_token", level = "debug", skip_all)]
    async fn add_token(&self, operator: OperatorId, token: &OperatorToken) -> Result<()> {
        let token = token.clone();
        self.call(Access::Change, move |db| {
            let is_added = add_token(db, operator, &token)?;
            changed(is_added || (db.in_doubt && is_stored(db, &token)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.revoke", level = "debug", skip_all)]
    async fn revoke(&self, revocation: Revocation) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            let id = match revocation {
                Revocation::Token(id) => {
                    let text = "DELETE FROM operator_tokens WHERE token_id = :id";
                    return db.run(text, &[("id", id.into())]);
                }
                Revocation::Operator(id) => id,
            };
            locked_operator(db, id)?;
            for text in [
                "DELETE FROM sign_in_links WHERE operator_id = :id",
                "DELETE FROM operator_sessions WHERE operator_id = :id",
                "UPDATE operator_accounts SET password_hash = NULL WHERE operator_id = :id",
                "DELETE FROM operator_tokens WHERE operator_id = :id",
            ] {
                db.execute(text, &[("id", id.into())])?;
            }
            Ok(())
        })
        .await
    }

    #[tracing::instrument(name = "db.operator.note_token_uses", level = "debug", skip_all)]
    async fn note_token_uses(&self, uses: &TokenUses) -> Result<()> {
        let inputs = uses.iter().map(|(token, minute)| UseInput {
            token_id: token.to_string(),
            minute: minute.as_millis(),
        });
        let document = json::write(&inputs.collect::<Vec<_>>())?;
        self.call(Access::Change, move |db| {
            db.run(NOTE_TOKEN_USES, &[("uses", document.as_str().into())])
        })
        .await
    }
}

fn is_stored(db: &mut Db<'_>, token: &OperatorToken) -> Result<bool, Failure> {
    let records = list(db)?;
    let mut tokens = records.iter().flat_map(|record| &record.tokens);
    Ok(tokens.any(|stored| stored == token))
}
