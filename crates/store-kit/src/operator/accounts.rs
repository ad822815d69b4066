//! Statements that change accounts and end sessions.

use pressline_backoffice::operator::{Account, Confirmation, PasswordHash, Preferences, Session};
use pressline_domain::value::id::{OperatorId, SessionId};
use pressline_domain::value::time::Timestamp;

use super::row::OperatorRow;
use super::session_row::{AccountRow, SessionRow, account};
use super::sessions::{confirm, locked_operator};
use crate::cold_store::Db;
use crate::cold_value::{RowValues as _, Value};
use crate::failure::Failure;

pub(super) fn find(db: &mut Db<'_>, name: &str) -> Result<Option<Account>, Failure> {
    let found = db.first::<(OperatorRow, Option<AccountRow>)>(
        "SELECT operators.*, operator_accounts.*
         FROM operators
         LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
         WHERE operators.name = :name",
        &[("name", name.into())],
    )?;
    let found = found.map(|(operator, set)| account(&operator, set.as_ref()));
    Ok(found.transpose()?)
}

/// Sets the password of the operator of `session`, and records that the session was confirmed at
/// `at`. Deletes the operator's other sessions and sign-in links. Returns `false` if `session` does
/// not exist.
pub(super) fn set_password(
    db: &mut Db<'_>,
    session: SessionId,
    hash: &PasswordHash,
    at: Timestamp,
) -> Result<bool, Failure> {
    let found = db.first::<SessionRow>(
        "SELECT operator_sessions.*
         FROM operator_sessions
         WHERE session_id = :session_id",
        &[("session_id", session.into())],
    )?;
    let found = found.as_ref().map(SessionRow::restore).transpose()?;
    let Some(Session { operator, .. }) = found else {
        return Ok(false);
    };
    // A concurrent revocation may have ended the session before the operator's row was locked.
    if locked_operator(db, operator)?.is_none()
        || !confirm(db, session, at, Confirmation::Password)?
    {
        return Ok(false);
    }
    let operator_id = Value::from(operator);
    db.execute(
        "DELETE FROM operator_sessions
         WHERE operator_id = :operator_id
           AND session_id <> :session_id",
        &[
            ("operator_id", operator_id.clone()),
            ("session_id", session.into()),
        ],
    )?;
    remove_links(db, operator)?;
    // The row's preferences apply only if the operator has no account yet.
    let row = AccountRow::new(operator, Some(hash), &Preferences::default());
    insert_account(
        db,
        &row,
        "ON CONFLICT (operator_id) DO UPDATE
         SET password_hash = excluded.password_hash",
    )?;
    Ok(true)
}

pub(super) fn save_preferences(
    db: &mut Db<'_>,
    operator: OperatorId,
    preferences: &Preferences,
) -> Result<bool, Failure> {
    // The row's empty password applies only if the operator has no account yet.
    let row = AccountRow::new(operator, None, preferences);
    let saved = insert_account(
        db,
        &row,
        "ON CONFLICT (operator_id) DO UPDATE
         SET time_zone = excluded.time_zone, paper = excluded.paper, theme = excluded.theme,
             sounds = excluded.sounds, keys = excluded.keys",
    )?;
    Ok(saved > 0)
}

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

pub(super) fn revoke(db: &mut Db<'_>, operator: OperatorId) -> Result<(), Failure> {
    locked_operator(db, operator)?;
    remove_links(db, operator)?;
    for text in [
        "DELETE FROM operator_sessions WHERE operator_id = :operator_id",
        "UPDATE operator_accounts SET password_hash = NULL WHERE operator_id = :operator_id",
    ] {
        let operator_id = Value::from(operator);
        db.execute(text, &[("operator_id", operator_id)])?;
    }
    Ok(())
}

fn remove_links(db: &mut Db<'_>, operator: OperatorId) -> Result<(), Failure> {
    db.run(
        "DELETE FROM sign_in_links WHERE operator_id = :operator_id",
        &[("operator_id", operator.into())],
    )
}

/// Deletes up to `limit` expired sessions and up to `limit` expired sign-in links.
pub(super) fn prune(db: &mut Db<'_>, now: Timestamp, limit: u32) -> Result<u64, Failure> {
    let limit = Value::from(limit);
    let sessions = db.execute(
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
            ("used_before", Session::used_before(now).into()),
            ("begun_before", Session::begun_before(now).into()),
            ("limit", limit.clone()),
        ],
    )?;
    let links = db.execute(
        "DELETE FROM sign_in_links
         WHERE digest IN (
             SELECT digest
             FROM sign_in_links
             WHERE expires_at <= :now
             ORDER BY digest
             LIMIT :limit
         )",
        &[("now", now.into()), ("limit", limit)],
    )?;
    Ok(u64::try_from(sessions + links).unwrap_or(u64::MAX))
}
