//! The statements about accounts, sessions and links for signing in, within the transaction of a
//! connection.
//!
//! A transaction that opens a session, sets a password or revokes an operator locks the operator's
//! row first, so that no access is left over where these happen at once.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Nullable;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, SessionId};
use pressline_domain::operator::{
    Account, Confirmation, MAX_SESSIONS, Proof, SecretDigest, Session, SignInLink,
};
use pressline_domain::time::Timestamp;

use super::row::OperatorRow;
use super::session_row::{AccountRow, LinkRow, SessionRow, account};
use crate::cold::{Cold, RowLocks, Value, execute, load};
use crate::schema::{operator_accounts, operator_sessions, operators, sign_in_links};

/// An operator and what it has set.
pub(super) type AccountSql = (operators::SqlType, Nullable<operator_accounts::SqlType>);
/// A session with its account.
pub(super) type SessionSql = (
    operator_sessions::SqlType,
    operators::SqlType,
    Nullable<operator_accounts::SqlType>,
);
/// A link with its account.
pub(super) type LinkSql = (
    sign_in_links::SqlType,
    operators::SqlType,
    Nullable<operator_accounts::SqlType>,
);

/// The accounts and sessions that a connection reads and writes. `F` is the error that ends the
/// transaction.
#[derive(Debug)]
pub struct Sessions<'c, C, F> {
    pub(super) connection: &'c mut C,
    pub(super) locks: RowLocks,
    failure: PhantomData<F>,
}

impl<'c, C, F> Sessions<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C, locks: RowLocks) -> Self {
        Self {
            connection,
            locks,
            failure: PhantomData,
        }
    }
}

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
    /// Adds a link. Returns false if there is no such operator. A link that an earlier try has
    /// stored is there once.
    ///
    /// # Errors
    /// As the database fails.
    pub fn add_link(&mut self, link: &SignInLink) -> Result<bool, F> {
        let row = LinkRow::of(link);
        let added = execute(
            self.connection,
            "INSERT INTO sign_in_links ({sign_in_links})
             SELECT :digest, operator_id, :expires_at
             FROM operators
             WHERE operator_id = :operator_id
             ON CONFLICT DO NOTHING",
            &[
                ("digest", Value::binary(&row.digest)),
                ("operator_id", Value::text(&row.operator_id)),
                ("expires_at", Value::BigInt(row.expires_at)),
            ],
        )?;
        Ok(added > 0 || self.link(link.digest)?.is_some())
    }

    /// Returns a link with its account.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn link(&mut self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>, F> {
        let rows = load::<LinkSql, (LinkRow, OperatorRow, Option<AccountRow>), _>(
            self.connection,
            "SELECT sign_in_links.*, operators.*, operator_accounts.*
             FROM sign_in_links
             JOIN operators ON operators.operator_id = sign_in_links.operator_id
             LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
             WHERE sign_in_links.digest = :digest",
            &[("digest", Value::binary(digest.as_bytes()))],
        )?;
        let found = rows.into_iter().next();
        let found = found.map(|(link, operator, set)| {
            Ok::<_, RepositoryError>((link.restore()?, account(&operator, set.as_ref())?))
        });
        Ok(found.transpose()?)
    }

    /// Adds a session if the proof holds, and removes the operator's oldest ones beyond the
    /// maximum. Returns false if the proof does not hold any more.
    ///
    /// # Errors
    /// As the database fails.
    pub fn open(&mut self, session: &Session, proof: &Proof) -> Result<bool, F> {
        if self.locked_operator(session.operator)?.is_none() || !self.holds(session, proof)? {
            return Ok(false);
        }
        let row = SessionRow::of(session);
        execute(
            self.connection,
            "INSERT INTO operator_sessions ({operator_sessions})
             VALUES (:session_id, :operator_id, :digest, :client, :signed_in_at, :last_used_at,
                 :confirmed_at, :confirmed_by)",
            &[
                ("session_id", Value::text(&row.session_id)),
                ("operator_id", Value::text(&row.operator_id)),
                ("digest", Value::binary(&row.digest)),
                ("client", Value::text(&row.client)),
                ("signed_in_at", Value::BigInt(row.signed_in_at)),
                ("last_used_at", Value::BigInt(row.last_used_at)),
                ("confirmed_at", Value::BigInt(row.confirmed_at)),
                ("confirmed_by", Value::text(&row.confirmed_by)),
            ],
        )?;
        execute(
            self.connection,
            "DELETE FROM operator_sessions
             WHERE session_id IN (
                 SELECT session_id
                 FROM operator_sessions
                 WHERE operator_id = :operator_id
                 ORDER BY signed_in_at DESC, session_id DESC
                 LIMIT 1000
                 OFFSET :most
             )",
            &[
                ("operator_id", Value::text(&row.operator_id)),
                ("most", Value::BigInt(i64::from(MAX_SESSIONS))),
            ],
        )?;
        Ok(true)
    }

    /// Returns whether a proof holds, and uses a link up.
    fn holds(&mut self, session: &Session, proof: &Proof) -> Result<bool, F> {
        let operator = Value::text(&session.operator.to_string());
        match proof {
            Proof::Link(digest) => {
                let used = execute(
                    self.connection,
                    "DELETE FROM sign_in_links
                     WHERE digest = :digest
                       AND operator_id = :operator_id",
                    &[
                        ("digest", Value::binary(digest.as_bytes())),
                        ("operator_id", operator),
                    ],
                )?;
                Ok(used > 0)
            }
            Proof::Password(hash) => {
                let rows = load::<AccountSql, (OperatorRow, Option<AccountRow>), _>(
                    self.connection,
                    "SELECT operators.*, operator_accounts.*
                     FROM operators
                     JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
                     WHERE operators.operator_id = :operator_id
                       AND operator_accounts.password_hash = :hash",
                    &[
                        ("operator_id", operator),
                        ("hash", Value::text(hash.as_str())),
                    ],
                )?;
                Ok(!rows.is_empty())
            }
        }
    }

    /// Locks an operator, and returns it; `None` if there is none.
    pub(super) fn locked_operator(&mut self, id: OperatorId) -> Result<Option<OperatorRow>, F> {
        let text = format!(
            "SELECT {{operators}}
             FROM operators
             WHERE operator_id = :operator_id
             {}",
            self.locks.exclusive
        );
        let rows = load::<operators::SqlType, OperatorRow, _>(
            self.connection,
            &text,
            &[("operator_id", Value::text(&id.to_string()))],
        )?;
        Ok(rows.into_iter().next())
    }

    /// Returns a session with its account.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn find(&mut self, digest: SecretDigest) -> Result<Option<(Session, Account)>, F> {
        let rows = load::<SessionSql, (SessionRow, OperatorRow, Option<AccountRow>), _>(
            self.connection,
            "SELECT operator_sessions.*, operators.*, operator_accounts.*
             FROM operator_sessions
             JOIN operators ON operators.operator_id = operator_sessions.operator_id
             LEFT JOIN operator_accounts ON operator_accounts.operator_id = operators.operator_id
             WHERE operator_sessions.digest = :digest",
            &[("digest", Value::binary(digest.as_bytes()))],
        )?;
        let found = rows.into_iter().next();
        let found = found.map(|(session, operator, set)| {
            Ok::<_, RepositoryError>((session.restore()?, account(&operator, set.as_ref())?))
        });
        Ok(found.transpose()?)
    }

    /// Returns the sessions of an operator, latest sign-in first.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn list(&mut self, operator: OperatorId) -> Result<Vec<Session>, F> {
        let rows = load::<operator_sessions::SqlType, SessionRow, _>(
            self.connection,
            "SELECT operator_sessions.*
             FROM operator_sessions
             WHERE operator_id = :operator_id
             ORDER BY signed_in_at DESC, session_id DESC",
            &[("operator_id", Value::text(&operator.to_string()))],
        )?;
        let sessions: Result<Vec<Session>, RepositoryError> =
            rows.iter().map(SessionRow::restore).collect();
        Ok(sessions?)
    }

    /// Notes that a session was used, unless a later use is noted.
    ///
    /// # Errors
    /// As the database fails.
    pub fn note_use(&mut self, session: SessionId, at: Timestamp) -> Result<(), F> {
        execute(
            self.connection,
            "UPDATE operator_sessions
             SET last_used_at = :at
             WHERE session_id = :session_id
               AND last_used_at < :at",
            &[
                ("session_id", Value::text(&session.to_string())),
                ("at", Value::BigInt(at.as_millis())),
            ],
        )?;
        Ok(())
    }

    /// Records that the operator of a session has shown who it is. Returns false if there is no
    /// such session.
    ///
    /// # Errors
    /// As the database fails.
    pub fn confirm(
        &mut self,
        session: SessionId,
        at: Timestamp,
        by: Confirmation,
    ) -> Result<bool, F> {
        let changed = execute(
            self.connection,
            "UPDATE operator_sessions
             SET confirmed_at = :at, confirmed_by = :by
             WHERE session_id = :session_id",
            &[
                ("session_id", Value::text(&session.to_string())),
                ("at", Value::BigInt(at.as_millis())),
                ("by", Value::text(by.as_str())),
            ],
        )?;
        Ok(changed > 0)
    }

    /// Removes a session of an operator. Returns false if it has no such session.
    ///
    /// # Errors
    /// As the database fails.
    pub fn close(&mut self, operator: OperatorId, session: SessionId) -> Result<bool, F> {
        let removed = execute(
            self.connection,
            "DELETE FROM operator_sessions
             WHERE session_id = :session_id
               AND operator_id = :operator_id",
            &[
                ("session_id", Value::text(&session.to_string())),
                ("operator_id", Value::text(&operator.to_string())),
            ],
        )?;
        Ok(removed > 0)
    }
}
