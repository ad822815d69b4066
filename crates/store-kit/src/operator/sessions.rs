//! Statements about sessions and sign-in links. The caller begins and ends the transaction.
//!
//! A transaction that opens a session, sets a password or revokes an operator locks the operator's
//! row first: a session opened concurrently with a revocation must not survive it.

use pressline_backoffice::operator::{
    Account, Confirmation, MAX_SESSIONS, Proof, SecretDigest, Session, SignInLink,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::id::{OperatorId, SessionId};
use pressline_domain::value::time::Timestamp;

use super::row::OperatorRow;
use super::session_row::{AccountRow, LinkRow, SessionRow, account};
use crate::cold_store::Db;
use crate::cold_value::{RowValues as _, Value};
use crate::failure::{Failure, restore_all};

/// Adds `link`. Returns `true` also if an earlier attempt of the call has already added it, and
/// `false` if the operator does not exist.
pub(super) fn add_link(db: &mut Db<'_>, link: &SignInLink) -> Result<bool, Failure> {
    let added = db.execute(
        "INSERT INTO sign_in_links ({sign_in_links})
         SELECT {:sign_in_links}
         FROM operators
         WHERE operator_id = :operator_id
         ON CONFLICT DO NOTHING",
        &LinkRow::new(link).values(),
    )?;
    Ok(added > 0 || find_link(db, link.digest)?.is_some())
}

pub(super) fn find_link(
    db: &mut Db<'_>,
    digest: SecretDigest,
) -> Result<Option<(SignInLink, Account)>, Failure> {
    let found = db.first::<(LinkRow, OperatorRow, Option<AccountRow>)>(
        "SELECT sign_in_links.*, operators.*, operator_accounts.*
         FROM sign_in_links
         JOIN operators ON operators.operator_id = sign_in_links.operator_id
         LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
         WHERE sign_in_links.digest = :digest",
        &[("digest", digest.into())],
    )?;
    let found = found.map(|(link, operator, set)| {
        Ok::<_, RepositoryError>((link.restore()?, account(&operator, set.as_ref())?))
    });
    Ok(found.transpose()?)
}

/// Adds `session`, and deletes all but the newest [`MAX_SESSIONS`] sessions of its operator.
/// Returns `false` if `proof` is not valid.
pub(super) fn open(db: &mut Db<'_>, session: &Session, proof: &Proof) -> Result<bool, Failure> {
    if locked_operator(db, session.operator)?.is_none() || !holds(db, session, proof)? {
        return Ok(false);
    }
    db.execute(
        "INSERT INTO operator_sessions ({operator_sessions})
         VALUES ({:operator_sessions})",
        &SessionRow::new(session).values(),
    )?;
    // SQLite accepts `OFFSET` only after `LIMIT`; no operator has 1000 older sessions.
    db.execute(
        "DELETE FROM operator_sessions
         WHERE session_id IN (
             SELECT session_id
             FROM operator_sessions
             WHERE operator_id = :operator_id
             ORDER BY signed_in_at DESC, session_id DESC
             LIMIT 1000
             OFFSET :limit
         )",
        &[
            ("operator_id", session.operator.into()),
            ("limit", MAX_SESSIONS.into()),
        ],
    )?;
    Ok(true)
}

/// Returns `true` if `proof` is valid for the operator of `session`. Deletes a valid sign-in link,
/// because it works only once.
fn holds(db: &mut Db<'_>, session: &Session, proof: &Proof) -> Result<bool, Failure> {
    let operator = Value::from(session.operator);
    match proof {
        Proof::Link(digest) => {
            let used = db.execute(
                "DELETE FROM sign_in_links
                 WHERE digest = :digest
                   AND operator_id = :operator_id",
                &[("digest", (*digest).into()), ("operator_id", operator)],
            )?;
            Ok(used > 0)
        }
        // The password may have changed since it was checked.
        Proof::Password(hash) => {
            let rows = db.load::<(OperatorRow, Option<AccountRow>)>(
                "SELECT operators.*, operator_accounts.*
                 FROM operators
                 JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
                 WHERE operators.operator_id = :operator_id
                   AND operator_accounts.password_hash = :hash",
                &[("operator_id", operator), ("hash", hash.as_str().into())],
            )?;
            Ok(!rows.is_empty())
        }
    }
}

pub(super) fn locked_operator(
    db: &mut Db<'_>,
    id: OperatorId,
) -> Result<Option<OperatorRow>, Failure> {
    let text = format!(
        "SELECT {{operators}}
         FROM operators
         WHERE operator_id = :operator_id
         {}",
        db.dialect.locks.exclusive
    );
    let found = db.first::<OperatorRow>(&text, &[("operator_id", id.into())])?;
    Ok(found)
}

pub(super) fn find(
    db: &mut Db<'_>,
    digest: SecretDigest,
) -> Result<Option<(Session, Account)>, Failure> {
    let found = db.first::<(SessionRow, OperatorRow, Option<AccountRow>)>(
        "SELECT operator_sessions.*, operators.*, operator_accounts.*
         FROM operator_sessions
         JOIN operators ON operators.operator_id = operator_sessions.operator_id
         LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
         WHERE operator_sessions.digest = :digest",
        &[("digest", digest.into())],
    )?;
    let found = found.map(|(session, operator, set)| {
        Ok::<_, RepositoryError>((session.restore()?, account(&operator, set.as_ref())?))
    });
    Ok(found.transpose()?)
}

/// Returns the sessions of `operator`, latest sign-in first.
pub(super) fn list(db: &mut Db<'_>, operator: OperatorId) -> Result<Vec<Session>, Failure> {
    let rows = db.load::<SessionRow>(
        "SELECT operator_sessions.*
         FROM operator_sessions
         WHERE operator_id = :operator_id
         ORDER BY signed_in_at DESC, session_id DESC",
        &[("operator_id", operator.into())],
    )?;
    restore_all(&rows, SessionRow::restore)
}

/// Does nothing if a later time of use is stored.
pub(super) fn note_use(db: &mut Db<'_>, session: SessionId, at: Timestamp) -> Result<(), Failure> {
    db.run(
        "UPDATE operator_sessions
         SET last_used_at = :at
         WHERE session_id = :session_id
           AND last_used_at < :at",
        &[("session_id", session.into()), ("at", at.into())],
    )
}

/// Returns `false` if `session` does not exist.
pub(super) fn confirm(
    db: &mut Db<'_>,
    session: SessionId,
    at: Timestamp,
    by: Confirmation,
) -> Result<bool, Failure> {
    let changed = db.execute(
        "UPDATE operator_sessions
         SET confirmed_at = :at, confirmed_by = :by
         WHERE session_id = :session_id",
        &[
            ("session_id", session.into()),
            ("at", at.into()),
            ("by", by.as_str().into()),
        ],
    )?;
    Ok(changed > 0)
}

/// Deletes `session`. Returns `false` if `operator` does not have this session.
pub(super) fn close(
    db: &mut Db<'_>,
    operator: OperatorId,
    session: SessionId,
) -> Result<bool, Failure> {
    let removed = db.execute(
        "DELETE FROM operator_sessions
         WHERE session_id = :session_id
           AND operator_id = :operator_id",
        &[
            ("session_id", session.into()),
            ("operator_id", operator.into()),
        ],
    )?;
    Ok(removed > 0)
}
