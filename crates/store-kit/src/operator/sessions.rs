//! Statements about sessions and sign-in links.
//!
//! A transaction that opens a session, sets a password or revokes an operator locks the operator's
//! row first: a session opened concurrently with a revocation must not survive it.

use async_trait::async_trait;
use pressline_backoffice::operator::{
    Account, Confirmation, MAX_SESSIONS, Proof, SecretDigest, Session, SessionRepository,
    SignInLink,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

use super::row::OperatorRow;
use super::session_row::{AccountRow, LinkRow, SessionRow, account};
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;
use crate::sql::{Row as _, Value};

pub(super) fn find_link(
    db: &mut Db<'_>,
    digest: SecretDigest,
) -> Result<Option<(SignInLink, Account)>, Failure> {
    let link_and_account = db
        .first::<(LinkRow, OperatorRow, Option<AccountRow>)>(
            "SELECT
             sign_in_links.digest, sign_in_links.operator_id, sign_in_links.expires_at,
             operators.operator_id, operators.name, operators.role, operators.stores,
             operators.created_at,
             operator_accounts.operator_id, operator_accounts.password_hash,
             operator_accounts.time_zone, operator_accounts.paper, operator_accounts.theme,
             operator_accounts.sounds, operator_accounts.keys
         FROM sign_in_links
         JOIN operators ON operators.operator_id = sign_in_links.operator_id
         LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
         WHERE sign_in_links.digest = :digest",
            &[("digest", digest.into())],
        )?
        .map(|(link, operator, set)| {
            Ok::<_, RepositoryError>((link.restore()?, account(&operator, set.as_ref())?))
        });
    Ok(link_and_account.transpose()?)
}

/// Checks `proof` for the session's operator. Deletes a valid link, because it works only once.
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
                "SELECT
                     operators.operator_id, operators.name, operators.role, operators.stores,
                     operators.created_at,
                     operator_accounts.operator_id, operator_accounts.password_hash,
                     operator_accounts.time_zone, operator_accounts.paper, operator_accounts.theme,
                     operator_accounts.sounds, operator_accounts.keys
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
    let operator = db.first::<OperatorRow>(
        "SELECT operator_id, name, role, stores, created_at
         FROM operators
         WHERE operator_id = :operator_id
         FOR UPDATE",
        &[("operator_id", id.into())],
    )?;
    Ok(operator)
}

pub(super) fn find(
    db: &mut Db<'_>,
    digest: SecretDigest,
) -> Result<Option<(Session, Account)>, Failure> {
    let session_and_account = db
        .first::<(SessionRow, OperatorRow, Option<AccountRow>)>(
            "SELECT
             operator_sessions.session_id, operator_sessions.operator_id, operator_sessions.digest,
             operator_sessions.client, operator_sessions.signed_in_at,
             operator_sessions.last_used_at, operator_sessions.confirmed_at,
             operator_sessions.confirmed_by,
             operators.operator_id, operators.name, operators.role, operators.stores,
             operators.created_at,
             operator_accounts.operator_id, operator_accounts.password_hash,
             operator_accounts.time_zone, operator_accounts.paper, operator_accounts.theme,
             operator_accounts.sounds, operator_accounts.keys
         FROM operator_sessions
         JOIN operators ON operators.operator_id = operator_sessions.operator_id
         LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
         WHERE operator_sessions.digest = :digest",
            &[("digest", digest.into())],
        )?
        .map(|(session, operator, set)| {
            Ok::<_, RepositoryError>((session.restore()?, account(&operator, set.as_ref())?))
        });
    Ok(session_and_account.transpose()?)
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

/// Returns [`RepositoryError::Stale`] unless `is_changed`: the operator does not exist.
pub(super) fn changed(is_changed: bool) -> Result<(), Failure> {
    if is_changed {
        return Ok(());
    }
    Err(RepositoryError::Stale.into())
}

#[async_trait]
impl SessionRepository for ColdStore {
    #[tracing::instrument(name = "db.session.add_link", level = "debug", skip_all)]
    async fn add_link(&self, link: &SignInLink) -> Result<()> {
        let link = link.clone();
        self.call(Access::Change, move |db| {
            let added = db.execute(
                "INSERT INTO sign_in_links (digest, operator_id, expires_at)
                 SELECT :digest, :operator_id, :expires_at
                 FROM operators
                 WHERE operator_id = :operator_id
                 ON CONFLICT DO NOTHING",
                &LinkRow::new(&link).parameters(),
            )?;
            // An earlier attempt of this call may have added the link.
            changed(added > 0 || find_link(db, link.digest)?.is_some())
        })
        .await
    }

    #[tracing::instrument(name = "db.session.link", level = "debug", skip_all)]
    async fn link(&self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>> {
        self.call(Access::Read, move |db| find_link(db, digest))
            .await
    }

    #[tracing::instrument(name = "db.session.open", level = "debug", skip_all)]
    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool> {
        let (session, proof) = (session.clone(), proof.clone());
        self.call(Access::Transaction, move |db| {
            // An earlier attempt may have been committed after all.
            if db.in_doubt && find(db, session.digest)?.is_some() {
                return Ok(true);
            }
            if locked_operator(db, session.operator)?.is_none() || !holds(db, &session, &proof)? {
                return Ok(false);
            }
            db.execute(
                "INSERT INTO operator_sessions (
                     session_id, operator_id, digest, client, signed_in_at, last_used_at,
                     confirmed_at, confirmed_by
                 )
                 VALUES (
                     :session_id, :operator_id, :digest, :client, :signed_in_at, :last_used_at,
                     :confirmed_at, :confirmed_by
                 )",
                &SessionRow::new(&session).parameters(),
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
        })
        .await
    }

    #[tracing::instrument(name = "db.session.find", level = "debug", skip_all)]
    async fn find(&self, digest: SecretDigest) -> Result<Option<(Session, Account)>> {
        self.call(Access::Read, move |db| find(db, digest)).await
    }

    #[tracing::instrument(name = "db.session.list", level = "debug", skip_all)]
    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>> {
        let rows = self.load::<SessionRow>(
            "SELECT
                 session_id, operator_id, digest, client, signed_in_at, last_used_at, confirmed_at,
                 confirmed_by
             FROM operator_sessions
             WHERE operator_id = :operator_id
             ORDER BY signed_in_at DESC, session_id DESC",
            vec![("operator_id", operator.into())],
        );
        rows.await?.iter().map(SessionRow::restore).collect()
    }

    #[tracing::instrument(name = "db.session.note_use", level = "debug", skip_all)]
    async fn note_session_use(&self, id: SessionId, at: Timestamp) -> Result<()> {
        let text = "UPDATE operator_sessions
             SET last_used_at = :at
             WHERE session_id = :session_id
               AND last_used_at < :at";
        let values = vec![("session_id", id.into()), ("at", at.into())];
        self.execute(text, values).await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.session.confirm", level = "debug", skip_all)]
    async fn confirm(&self, id: SessionId, at: Timestamp, by: Confirmation) -> Result<bool> {
        self.call(Access::Change, move |db| confirm(db, id, at, by))
            .await
    }

    #[tracing::instrument(name = "db.session.close", level = "debug", skip_all)]
    async fn close(&self, operator: OperatorId, id: SessionId) -> Result<bool> {
        self.call(Access::Change, move |db| {
            let removed = db.execute(
                "DELETE FROM operator_sessions
                 WHERE session_id = :session_id
                   AND operator_id = :operator_id",
                &[("session_id", id.into()), ("operator_id", operator.into())],
            )?;
            // An earlier attempt may have deleted the session.
            Ok(removed > 0 || db.in_doubt)
        })
        .await
    }

    #[tracing::instrument(name = "db.session.prune", level = "debug", skip_all)]
    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64> {
        self.call(Access::Transaction, move |db| {
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
        })
        .await
    }
}
