//! The statements that change accounts, and end sessions.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, SessionId};
use pressline_domain::operator::{Account, Confirmation, PasswordHash, Preferences, Session};
use pressline_domain::time::Timestamp;

use super::row::OperatorRow;
use super::session_row::{AccountRow, LinkRow, SessionRow, account};
use super::sessions::{AccountSql, LinkSql, SessionSql, Sessions};
use crate::cold::{Cold, Value, execute, load};
use crate::schema::{operator_sessions, operators};

impl<C, F> Sessions<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<operators::SqlType>: LoadQuery<'q, C, OperatorRow>,
    for<'q> Cold<AccountSql>: LoadQuery<'q, C, (OperatorRow, Option<AccountRow>)>,
    for<'q> Cold<operator_sessions::SqlType>: LoadQuery<'q, C, SessionRow>,
    for<'q> Cold<SessionSql>: LoadQuery<'q, C, (SessionRow, OperatorRow, Option<AccountRow>)>,
    for<'q> Cold<LinkSql>: LoadQuery<'q, C, (LinkRow, OperatorRow, Option<AccountRow>)>,
{
    /// Returns the account of the operator with this name.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn account(&mut self, name: &str) -> Result<Option<Account>, F> {
        let rows = load::<AccountSql, (OperatorRow, Option<AccountRow>), _>(
            self.connection,
            "SELECT operators.*, operator_accounts.*
             FROM operators
             LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
             WHERE operators.name = :name",
            &[("name", Value::text(name))],
        )?;
        let found = rows.into_iter().next();
        let found = found.map(|(operator, set)| account(&operator, set.as_ref()));
        Ok(found.transpose()?)
    }

    /// Replaces the password of the operator whose session this is, and removes its other sessions
    /// and its links. Returns false if there is no such session.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn set_password(
        &mut self,
        session: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool, F> {
        let rows = load::<operator_sessions::SqlType, SessionRow, _>(
            self.connection,
            "SELECT operator_sessions.*
             FROM operator_sessions
             WHERE session_id = :session_id",
            &[("session_id", Value::text(&session.to_string()))],
        )?;
        let found = rows.first().map(SessionRow::restore).transpose()?;
        let Some(Session { operator, .. }) = found else {
            return Ok(false);
        };
        // A revocation may have ended the session before the operator was locked.
        if self.locked_operator(operator)?.is_none()
            || !self.confirm(session, at, Confirmation::Password)?
        {
            return Ok(false);
        }
        let operator_id = Value::text(&operator.to_string());
        execute(
            self.connection,
            "DELETE FROM operator_sessions
             WHERE operator_id = :operator_id
               AND session_id <> :session_id",
            &[
                ("operator_id", operator_id.clone()),
                ("session_id", Value::text(&session.to_string())),
            ],
        )?;
        self.remove_links(operator)?;
        let row = AccountRow::of(operator, Some(hash), &Preferences::default());
        self.insert_account(
            row,
            "ON CONFLICT (operator_id) DO UPDATE
             SET password_hash = excluded.password_hash",
        )?;
        Ok(true)
    }

    /// Replaces the preferences of an operator. Returns false if there is no such operator.
    ///
    /// # Errors
    /// As the database fails.
    pub fn save_preferences(
        &mut self,
        operator: OperatorId,
        preferences: &Preferences,
    ) -> Result<bool, F> {
        let row = AccountRow::of(operator, None, preferences);
        let saved = self.insert_account(
            row,
            "ON CONFLICT (operator_id) DO UPDATE
             SET time_zone = excluded.time_zone, paper = excluded.paper, theme = excluded.theme,
                 sounds = excluded.sounds, keys = excluded.keys",
        )?;
        Ok(saved > 0)
    }

    /// Adds the row of an account, if there is such an operator. `conflict` says what becomes of the
    /// row that is there.
    fn insert_account(&mut self, row: AccountRow, conflict: &str) -> Result<usize, F> {
        let text = format!(
            "INSERT INTO operator_accounts ({{operator_accounts}})
             SELECT operator_id, :password_hash, :time_zone, :paper, :theme, :sounds, :keys
             FROM operators
             WHERE operator_id = :operator_id
             {conflict}"
        );
        let added = execute(
            self.connection,
            &text,
            &[
                ("operator_id", Value::text(&row.operator_id)),
                ("password_hash", Value::OptionalText(row.password_hash)),
                ("time_zone", Value::text(&row.time_zone)),
                ("paper", Value::text(&row.paper)),
                ("theme", Value::text(&row.theme)),
                ("sounds", Value::Bool(row.sounds)),
                ("keys", Value::Bool(row.keys)),
            ],
        )?;
        Ok(added)
    }

    /// Removes the password, the sessions and the links of an operator.
    ///
    /// # Errors
    /// As the database fails.
    pub fn revoke(&mut self, operator: OperatorId) -> Result<(), F> {
        self.locked_operator(operator)?;
        self.remove_links(operator)?;
        for text in [
            "DELETE FROM operator_sessions WHERE operator_id = :operator_id",
            "UPDATE operator_accounts SET password_hash = NULL WHERE operator_id = :operator_id",
        ] {
            let operator_id = Value::text(&operator.to_string());
            execute(self.connection, text, &[("operator_id", operator_id)])?;
        }
        Ok(())
    }

    fn remove_links(&mut self, operator: OperatorId) -> Result<(), F> {
        execute(
            self.connection,
            "DELETE FROM sign_in_links WHERE operator_id = :operator_id",
            &[("operator_id", Value::text(&operator.to_string()))],
        )?;
        Ok(())
    }

    /// Removes at most so many sessions that are over, and as many links that have expired; returns
    /// how many.
    ///
    /// # Errors
    /// As the database fails.
    pub fn prune(&mut self, now: Timestamp, limit: u32) -> Result<u64, F> {
        let limit = Value::BigInt(i64::from(limit));
        let sessions = execute(
            self.connection,
            "DELETE FROM operator_sessions
             WHERE session_id IN (
                 SELECT session_id
                 FROM operator_sessions
                 WHERE last_used_at <= :used_before
                    OR signed_in_at <= :begun_before
                 ORDER BY session_id
                 LIMIT :limit
             )",
            &[
                (
                    "used_before",
                    Value::BigInt(Session::used_before(now).as_millis()),
                ),
                (
                    "begun_before",
                    Value::BigInt(Session::begun_before(now).as_millis()),
                ),
                ("limit", limit.clone()),
            ],
        )?;
        let links = execute(
            self.connection,
            "DELETE FROM sign_in_links
             WHERE digest IN (
                 SELECT digest
                 FROM sign_in_links
                 WHERE expires_at <= :now
                 ORDER BY digest
                 LIMIT :limit
             )",
            &[("now", Value::BigInt(now.as_millis())), ("limit", limit)],
        )?;
        Ok(u64::try_from(sessions + links).unwrap_or(u64::MAX))
    }
}
