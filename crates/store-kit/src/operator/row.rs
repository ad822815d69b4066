//! Rows of an operator and its tokens.

use pressline_backoffice::operator::{
    Operator, OperatorRecord, OperatorRole, OperatorToken, SecretDigest,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OperatorId, Timestamp};

use crate::corrupt::StoredRow;
use crate::json;
use crate::sql::{Row, grouped};

#[derive(Clone, PartialEq, Row)]
pub(crate) struct OperatorRow {
    pub(crate) operator_id: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) stores: Option<String>,
    pub(crate) created_at: i64,
}

#[derive(Clone, PartialEq, Row)]
pub(crate) struct OperatorTokenRow {
    pub(crate) token_id: String,
    pub(crate) operator_id: String,
    pub(crate) digest: Vec<u8>,
    pub(crate) created_at: i64,
    pub(crate) expires_at: Option<i64>,
    pub(crate) last_used_at: Option<i64>,
}

impl OperatorRow {
    pub(super) fn new(operator: &Operator) -> Result<Self, RepositoryError> {
        let stores = operator.stores.as_ref().map(json::write);
        Ok(Self {
            operator_id: operator.id.to_string(),
            name: operator.name.clone(),
            role: operator.role.as_str().to_owned(),
            stores: stores.transpose()?,
            created_at: operator.created_at.as_millis(),
        })
    }

    pub(super) fn restore(&self) -> Result<Operator, RepositoryError> {
        let stored = StoredRow("operators", &[&self.operator_id]);
        let role = OperatorRole::from_name(&self.role).ok_or("not a role");
        Ok(Operator {
            id: stored.read("operator_id", self.operator_id.parse())?,
            name: self.name.clone(),
            role: stored.read("role", role)?,
            stores: stored.read_option("stores", self.stores.as_deref(), serde_json::from_str)?,
            created_at: Timestamp::from_millis(self.created_at),
        })
    }
}

impl OperatorTokenRow {
    pub(super) fn new(operator: OperatorId, token: &OperatorToken) -> Self {
        Self {
            token_id: token.id.to_string(),
            operator_id: operator.to_string(),
            digest: token.digest.as_bytes().to_vec(),
            created_at: token.created_at.as_millis(),
            expires_at: token.expires_at.map(Timestamp::as_millis),
            last_used_at: token.last_used_at.map(Timestamp::as_millis),
        }
    }

    fn restore(&self) -> Result<OperatorToken, RepositoryError> {
        let stored = StoredRow("operator_tokens", &[&self.token_id]);
        let digest: Result<[u8; 32], _> = self.digest.as_slice().try_into();
        let created_at = Timestamp::from_millis(self.created_at);
        Ok(OperatorToken {
            id: stored.read("token_id", self.token_id.parse())?,
            digest: SecretDigest::new(stored.read("digest", digest)?),
            created_at,
            expires_at: self.expires_at.map(Timestamp::from_millis),
            last_used_at: last_use(self.last_used_at, created_at),
        })
    }
}

/// Returns the time of the last use of a token or key: `minute`, in Unix milliseconds, but at least
/// `created_at`, because a minute can begin before the creation. `None` means no use yet.
pub(crate) fn last_use(minute: Option<i64>, created_at: Timestamp) -> Option<Timestamp> {
    minute.map(|minute| Timestamp::from_millis(minute).max(created_at))
}

/// Expects the rows of an operator to be adjacent.
pub(super) fn group_by_operator(
    rows: Vec<(OperatorRow, Option<OperatorTokenRow>)>,
) -> Result<Vec<OperatorRecord>, RepositoryError> {
    let groups = grouped(rows).into_iter();
    let records = groups.map(|(row, tokens)| {
        let tokens = tokens.iter().map(OperatorTokenRow::restore);
        Ok(OperatorRecord {
            operator: row.restore()?,
            tokens: tokens.collect::<Result<_, _>>()?,
        })
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_in_the_minute_of_creation_is_not_before_the_creation() {
        let created_at = Timestamp::from_millis(90_000);
        let use_at = |minute| last_use(minute, created_at).map(Timestamp::as_millis);
        assert_eq!(use_at(None), None);
        assert_eq!(use_at(Some(60_000)), Some(90_000));
        assert_eq!(use_at(Some(120_000)), Some(120_000));
    }
}
