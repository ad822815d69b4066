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
use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::RowValues as _;
use crate::failure::Failure;

/// Inserts `row` if its operator exists. `conflict` is the `ON CONFLICT` clause.
fn insert_account(db: &mut Db<'_>, row: &AccountRow, conflict: &str) -> Result<usize, Failure> {
    let text = format!(
        "INSERT INTO operator_accounts ({{operator_accounts}})
         SELECT {{:operator_accounts}}
         FROM operators
         WHERE operator_id = :operator_id
         {conflict}"
    );
    Ok(db.execute(&text, &row.values())?)
}

#[async_trait]
impl AccountRepository for ColdStore {
    #[tracing::instrument(name = "db.account.find", level = "debug", skip_all)]
    async fn account(&self, name: &str) -> Result<Option<Account>> {
        let found = self.load::<(OperatorRow, Option<AccountRow>)>(
            "SELECT operators.*, operator_accounts.*
             FROM operators
             LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
             WHERE operators.name = :name",
            vec![("name", name.into())],
        );
        let found = found.await?.pop();
        let found = found.map(|(operator, set)| account(&operator, set.as_ref()));
        found.transpose()
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
            let found = db.first::<SessionRow>(
                "SELECT operator_sessions.*
                 FROM operator_sessions
                 WHERE session_id = :session_id",
                &[("session_id", id.into())],
            )?;
            let found = found.as_ref().map(SessionRow::restore).transpose()?;
            let Some(Session { operator, .. }) = found else {
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
            insert_account(
                db,
                &row,
                "ON CONFLICT (operator_id) DO UPDATE
                 SET password_hash = excluded.password_hash",
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
            let saved = insert_account(
                db,
                &row,
                "ON CONFLICT (operator_id) DO UPDATE
                 SET time_zone = excluded.time_zone, paper = excluded.paper,
                     theme = excluded.theme, sounds = excluded.sounds, keys = excluded.keys",
            )?;
            changed(saved > 0)
        })
        .await
    }
}
