//! Statements about accounts.

use async_trait::async_trait;
use pressline_backoffice::operator::{
    Account, AccountRepository, Confirmation, PasswordHash, Preferences, Session,
};
use pressline_domain::error::Result;
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

use super::row::OperatorRow;
use super::session_row::{AccountRow, SessionRow, account};
use super::sessions::{changed, confirm, locked_operator};
use crate::cold_store::{Access, ColdStore};
use crate::sql::Row as _;

#[async_trait]
impl AccountRepository for ColdStore {
    #[tracing::instrument(name = "db.account.find", level = "debug", skip_all)]
    async fn account(&self, name: &str) -> Result<Option<Account>> {
        let account = self
            .load::<(OperatorRow, Option<AccountRow>)>(
                "SELECT
                 operators.operator_id, operators.name, operators.role, operators.stores,
                 operators.created_at,
                 operator_accounts.operator_id, operator_accounts.password_hash,
                 operator_accounts.time_zone, operator_accounts.paper, operator_accounts.theme,
                 operator_accounts.sounds, operator_accounts.keys
             FROM operators
             LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
             WHERE operators.name = :name",
                vec![("name", name.into())],
            )
            .await?
            .pop()
            .map(|(operator, set)| account(&operator, set.as_ref()));
        account.transpose()
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
            let session = db
                .first::<SessionRow>(
                    "SELECT
                     session_id, operator_id, digest, client, signed_in_at, last_used_at,
                     confirmed_at, confirmed_by
                 FROM operator_sessions
                 WHERE session_id = :session_id",
                    &[("session_id", id.into())],
                )?
                .as_ref()
                .map(SessionRow::restore)
                .transpose()?;
            let Some(Session { operator, .. }) = session else {
                return Ok(false);
            };
            // A concurrent revocation may have ended the session before the row was locked.
            if locked_operator(db, operator)?.is_none()
                || !confirm(db, id, at, Confirmation::Password)?
            {
                return Ok(false);
            }
            db.execute(
                "DELETE FROM operator_sessions
                 WHERE operator_id = :operator_id
                   AND session_id <> :session_id",
                &[("operator_id", operator.into()), ("session_id", id.into())],
            )?;
            db.execute(
                "DELETE FROM sign_in_links WHERE operator_id = :operator_id",
                &[("operator_id", operator.into())],
            )?;
            // The row's preferences apply only if the operator has no account yet.
            let row = AccountRow::new(operator, Some(&hash), &Preferences::default());
            db.execute(
                "INSERT INTO operator_accounts (
                     operator_id, password_hash, time_zone, paper, theme, sounds, keys
                 )
                 SELECT :operator_id, :password_hash, :time_zone, :paper, :theme, :sounds, :keys
                 FROM operators
                 WHERE operator_id = :operator_id
                 ON CONFLICT (operator_id) DO UPDATE
                 SET password_hash = excluded.password_hash",
                &row.parameters(),
            )?;
            Ok(true)
        })
        .await
    }

    #[tracing::instrument(name = "db.account.save_preferences", level = "debug", skip_all)]
    async fn save_preferences(
        &self,
        operator: OperatorId,
        preferences: &Preferences,
    ) -> Result<()> {
        // The row's empty password applies only if the operator has no account yet.
        let row = AccountRow::new(operator, None, preferences);
        self.call(Access::Change, move |db| {
            // The operator may have been removed.
            let saved = db.execute(
                "INSERT INTO operator_accounts (
                     operator_id, password_hash, time_zone, paper, theme, sounds, keys
                 )
                 SELECT :operator_id, :password_hash, :time_zone, :paper, :theme, :sounds, :keys
                 FROM operators
                 WHERE operator_id = :operator_id
                 ON CONFLICT (operator_id) DO UPDATE
                 SET time_zone = excluded.time_zone, paper = excluded.paper,
                     theme = excluded.theme, sounds = excluded.sounds, keys = excluded.keys",
                &row.parameters(),
            )?;
            changed(saved > 0)
        })
        .await
    }
}
