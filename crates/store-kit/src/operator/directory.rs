//! Statements about operators and their tokens. The caller begins and ends the transaction.

use pressline_backoffice::operator::{OperatorRecord, OperatorToken, Revocation};
use pressline_domain::value::id::{OperatorId, TokenId};
use pressline_domain::value::time::Timestamp;

use super::row::{OperatorRow, OperatorTokenRow, group_by_operator};
use crate::cold_store::Db;
use crate::cold_value::RowValues as _;
use crate::failure::Failure;

/// Returns the operators, and the tokens of each operator, oldest first.
pub(super) fn list(db: &mut Db<'_>) -> Result<Vec<OperatorRecord>, Failure> {
    let rows = db.load(
        "SELECT operators.*, operator_tokens.*
         FROM operators
         LEFT JOIN operator_tokens ON operator_tokens.operator_id = operators.operator_id
         ORDER BY operators.created_at, operators.operator_id,
             operator_tokens.created_at, operator_tokens.token_id",
        &[],
    )?;
    Ok(group_by_operator(rows)?)
}

/// Returns `false` if an operator with the same id or name already exists.
pub(super) fn add(db: &mut Db<'_>, record: &OperatorRecord) -> Result<bool, Failure> {
    let added = db.execute(
        "INSERT INTO operators ({operators})
         VALUES ({:operators})
         ON CONFLICT DO NOTHING",
        &OperatorRow::new(&record.operator)?.values(),
    )?;
    if added == 0 {
        return Ok(false);
    }
    for token in &record.tokens {
        add_token(db, record.operator.id, token)?;
    }
    Ok(true)
}

/// Returns `false` if the operator does not exist, or if the token already exists.
pub(super) fn add_token(
    db: &mut Db<'_>,
    operator: OperatorId,
    token: &OperatorToken,
) -> Result<bool, Failure> {
    let added = db.execute(
        "INSERT INTO operator_tokens ({operator_tokens})
         SELECT {:operator_tokens}
         FROM operators
         WHERE operator_id = :operator_id
         ON CONFLICT DO NOTHING",
        &OperatorTokenRow::new(operator, token).values(),
    )?;
    Ok(added > 0)
}

pub(super) fn revoke(db: &mut Db<'_>, revocation: Revocation) -> Result<(), Failure> {
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
    db.run(text, &[("id", id.clone().into())])
}

/// Does nothing if a later time of use is stored.
pub(super) fn note_use(db: &mut Db<'_>, token: TokenId, minute: Timestamp) -> Result<(), Failure> {
    db.run(
        "UPDATE operator_tokens
         SET last_used_at = :minute
         WHERE token_id = :id
           AND (last_used_at IS NULL OR last_used_at < :minute)",
        &[("id", token.into()), ("minute", minute.into())],
    )
}
