//! Operators and their sessions in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::lock;
use crate::operator::{
    OperatorDirectory, OperatorRecord, OperatorToken, PasswordHash, Preferences, Revocation,
    Session, SignInLink,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::id::{OperatorId, TokenId};
use pressline_domain::value::time::Timestamp;

/// Stores operators and their sessions in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryOperators {
    pub(super) kept: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) records: Vec<OperatorRecord>,
    pub(super) passwords: HashMap<OperatorId, PasswordHash>,
    pub(super) preferences: HashMap<OperatorId, Preferences>,
    pub(super) sessions: Vec<Session>,
    pub(super) links: Vec<SignInLink>,
}

#[async_trait]
impl OperatorDirectory for MemoryOperators {
    async fn add(&self, record: &OperatorRecord) -> Result<()> {
        let records = &mut lock(&self.kept).records;
        let name = &record.operator.name;
        if records.iter().any(|other| other.operator.name == *name) {
            return Err(RepositoryError::Duplicate("an operator with this name"));
        }
        records.push(record.clone());
        Ok(())
    }

    async fn list(&self) -> Result<Vec<OperatorRecord>> {
        let mut records = lock(&self.kept).records.clone();
        records.sort_by_key(|record| (record.operator.created_at, record.operator.id));
        for record in &mut records {
            record
                .tokens
                .sort_by_key(|token| (token.created_at, token.id));
        }
        Ok(records)
    }

    async fn add_token(&self, operator: OperatorId, token: &OperatorToken) -> Result<()> {
        let records = &mut lock(&self.kept).records;
        let mut records = records.iter_mut();
        let record = records.find(|record| record.operator.id == operator);
        let record = record.ok_or(RepositoryError::Stale)?;
        record.tokens.push(token.clone());
        Ok(())
    }

    async fn revoke(&self, revocation: Revocation) -> Result<()> {
        let kept = &mut *lock(&self.kept);
        for record in &mut kept.records {
            match revocation {
                Revocation::Token(id) => record.tokens.retain(|token| token.id != id),
                Revocation::Operator(id) if record.operator.id == id => record.tokens.clear(),
                Revocation::Operator(_) => {}
            }
        }
        if let Revocation::Operator(id) = revocation {
            kept.passwords.remove(&id);
            kept.sessions.retain(|session| session.operator != id);
            kept.links.retain(|link| link.operator != id);
        }
        Ok(())
    }

    async fn note_use(&self, id: TokenId, minute: Timestamp) -> Result<()> {
        let records = &mut lock(&self.kept).records;
        let tokens = records.iter_mut().flat_map(|record| &mut record.tokens);
        for token in tokens.filter(|token| token.id == id) {
            // Notes of concurrent uses can arrive in any order.
            token.last_used_at = token.last_used_at.max(Some(minute));
        }
        Ok(())
    }
}
