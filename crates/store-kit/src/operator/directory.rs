//! The statements about operators and their tokens, within the transaction of a connection.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Nullable;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, TokenId};
use pressline_domain::operator::{OperatorRecord, OperatorToken, Revocation};
use pressline_domain::time::Timestamp;

use super::row::{OperatorRow, OperatorTokenRow, group_by_operator};
use crate::cold::{Cold, Value, execute, load};
use crate::schema::{operator_tokens, operators};

/// An operator and one of its tokens.
type OperatorSql = (operators::SqlType, Nullable<operator_tokens::SqlType>);

/// The operators and tokens that a connection reads and writes. `F` is the error that ends the
/// transaction.
#[derive(Debug)]
pub struct Operators<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

impl<'c, C, F> Operators<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> Operators<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<OperatorSql>: LoadQuery<'q, C, (OperatorRow, Option<OperatorTokenRow>)>,
{
    /// Returns all operators, oldest first, each with its tokens, oldest first.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn list(&mut self) -> Result<Vec<OperatorRecord>, F> {
        let rows = load::<OperatorSql, _, _>(
            self.connection,
            "SELECT operators.*, operator_tokens.*
             FROM operators
             LEFT JOIN operator_tokens ON operator_tokens.operator_id = operators.operator_id
             ORDER BY operators.created_at, operators.operator_id,
                 operator_tokens.created_at, operator_tokens.token_id",
            &[],
        )?;
        Ok(group_by_operator(rows)?)
    }

    /// Adds an operator with its tokens. Returns false if the operator, or another one with its
    /// name, exists.
    ///
    /// # Errors
    /// As the database fails.
    pub fn add(&mut self, record: &OperatorRecord) -> Result<bool, F> {
        let row = OperatorRow::of(&record.operator)?;
        let added = execute(
            self.connection,
            "INSERT INTO operators ({operators})
             VALUES (:operator_id, :name, :role, :stores, :created_at)
             ON CONFLICT DO NOTHING",
            &[
                ("operator_id", Value::text(&row.operator_id)),
                ("name", Value::text(&row.name)),
                ("role", Value::text(&row.role)),
                ("stores", Value::OptionalText(row.stores)),
                ("created_at", Value::BigInt(row.created_at)),
            ],
        )?;
        if added == 0 {
            return Ok(false);
        }
        for token in &record.tokens {
            self.add_token(record.operator.id, token)?;
        }
        Ok(true)
    }

    /// Adds a token. Returns false if there is no such operator, or if the token exists.
    ///
    /// # Errors
    /// As the database fails.
    pub fn add_token(&mut self, operator: OperatorId, token: &OperatorToken) -> Result<bool, F> {
        let row = OperatorTokenRow::of(operator, token);
        let added = execute(
            self.connection,
            "INSERT INTO operator_tokens ({operator_tokens})
             SELECT :token_id, operator_id, :digest, :created_at, :expires_at, :last_used_at
             FROM operators
             WHERE operator_id = :operator_id
             ON CONFLICT DO NOTHING",
            &[
                ("token_id", Value::text(&row.token_id)),
                ("operator_id", Value::text(&row.operator_id)),
                ("digest", Value::binary(&row.digest)),
                ("created_at", Value::BigInt(row.created_at)),
                ("expires_at", Value::OptionalBigInt(row.expires_at)),
                ("last_used_at", Value::OptionalBigInt(row.last_used_at)),
            ],
        )?;
        Ok(added > 0)
    }

    /// Removes the tokens that are revoked.
    ///
    /// # Errors
    /// As the database fails.
    pub fn revoke(&mut self, revocation: Revocation) -> Result<(), F> {
        let (text, id) = match revocation {
            Revocation::Token(id) => (
                "DELETE FROM operator_tokens WHERE token_id = :id",
                id.to_string(),
            ),
            Revocation::Operator(id) => (
                "DELETE FROM operator_tokens WHERE operator_id = :id",
                id.to_string(),
            ),
        };
        execute(self.connection, text, &[("id", Value::text(&id))])?;
        Ok(())
    }

    /// Notes that a token was used at this minute, unless a later one is noted.
    ///
    /// # Errors
    /// As the database fails.
    pub fn note_use(&mut self, token: TokenId, minute: Timestamp) -> Result<(), F> {
        execute(
            self.connection,
            "UPDATE operator_tokens
             SET last_used_at = :minute
             WHERE token_id = :id
               AND (last_used_at IS NULL OR last_used_at < :minute)",
            &[
                ("id", Value::text(&token.to_string())),
                ("minute", Value::BigInt(minute.as_millis())),
            ],
        )?;
        Ok(())
    }
}
