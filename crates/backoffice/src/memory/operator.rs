//! Operators and their sessions in memory.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::at_most;
use crate::operator::{
    Account, AccountRepository, Confirmation, MAX_SESSIONS, Operator, OperatorDirectory,
    OperatorRecord, OperatorToken, PasswordHash, Preferences, Proof, Revocation, SecretDigest,
    Session, SessionRepository, SignInLink, TokenUses,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::{OperatorId, SessionId, Timestamp};
use pressline_kit::lock;

/// Stores operators and their sessions in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryOperators {
    kept: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    records: Vec<OperatorRecord>,
    passwords: HashMap<OperatorId, PasswordHash>,
    preferences: HashMap<OperatorId, Preferences>,
    sessions: Vec<Session>,
    links: Vec<SignInLink>,
}

impl MemoryOperators {
    pub(super) fn end_sessions(&self) {
        let mut inner = lock(&self.kept);
        inner.sessions.clear();
        inner.links.clear();
    }
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
        let all_records = &mut lock(&self.kept).records;
        let mut records = all_records.iter_mut();
        let record = records
            .find(|record| record.operator.id == operator)
            .ok_or(RepositoryError::Stale)?;
        record.tokens.push(token.clone());
        Ok(())
    }

    async fn revoke(&self, revocation: Revocation) -> Result<()> {
        let inner = &mut *lock(&self.kept);
        for record in &mut inner.records {
            match revocation {
                Revocation::Token(id) => record.tokens.retain(|token| token.id != id),
                Revocation::Operator(id) if record.operator.id == id => record.tokens.clear(),
                Revocation::Operator(_) => {}
            }
        }
        if let Revocation::Operator(id) = revocation {
            inner.passwords.remove(&id);
            inner.sessions.retain(|session| session.operator != id);
            inner.links.retain(|link| link.operator != id);
        }
        Ok(())
    }

    async fn note_token_uses(&self, uses: &TokenUses) -> Result<()> {
        let records = &mut lock(&self.kept).records;
        for token in records.iter_mut().flat_map(|record| &mut record.tokens) {
            // Calls can be recorded in another order than they were made.
            token.last_used_at = token.last_used_at.max(uses.get(&token.id).copied());
        }
        Ok(())
    }
}

impl Inner {
    fn account(&self, is_it: impl Fn(&Operator) -> bool) -> Option<Account> {
        let mut operators = self.records.iter().map(|record| &record.operator);
        let operator = operators.find(|operator| is_it(operator))?;
        let preferences = self.preferences.get(&operator.id).cloned();
        Some(Account {
            operator: operator.clone(),
            password: self.passwords.get(&operator.id).cloned(),
            preferences: preferences.unwrap_or_default(),
        })
    }

    fn has_operator(&self, id: OperatorId) -> bool {
        self.records.iter().any(|record| record.operator.id == id)
    }

    fn session(&mut self, id: SessionId) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// Removes a valid sign-in link, so that it works only once.
    fn holds(&mut self, operator: OperatorId, proof: &Proof) -> bool {
        match proof {
            Proof::Password(hash) => self.passwords.get(&operator) == Some(hash),
            Proof::Link(digest) => {
                let is_it =
                    |link: &mut SignInLink| link.digest == *digest && link.operator == operator;
                self.links.extract_if(.., is_it).count() > 0
            }
        }
    }

    fn of_operator(&self, operator: OperatorId) -> Vec<Session> {
        let own = self
            .sessions
            .iter()
            .filter(|session| session.operator == operator);
        let mut sessions: Vec<_> = own.cloned().collect();
        sessions.sort_by_key(|session| Reverse((session.signed_in_at, session.id)));
        sessions
    }
}

#[async_trait]
impl SessionRepository for MemoryOperators {
    async fn add_link(&self, link: &SignInLink) -> Result<()> {
        let mut inner = lock(&self.kept);
        if !inner.has_operator(link.operator) {
            return Err(RepositoryError::Stale);
        }
        inner.links.push(link.clone());
        Ok(())
    }

    async fn link(&self, digest: SecretDigest) -> Result<Option<(SignInLink, Account)>> {
        let inner = lock(&self.kept);
        let link = inner.links.iter().find(|link| link.digest == digest);
        Ok(link.and_then(|link| {
            let account = inner.account(|operator| operator.id == link.operator)?;
            Some((link.clone(), account))
        }))
    }

    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool> {
        let mut inner = lock(&self.kept);
        let operator = session.operator;
        if !inner.holds(operator, proof) {
            return Ok(false);
        }
        inner.sessions.push(session.clone());
        // `of_operator` returns the newest session first.
        for oldest in inner
            .of_operator(operator)
            .iter()
            .skip(at_most(MAX_SESSIONS))
        {
            inner.sessions.retain(|session| session.id != oldest.id);
        }
        Ok(true)
    }

    async fn find(&self, digest: SecretDigest) -> Result<Option<(Session, Account)>> {
        let inner = lock(&self.kept);
        let mut sessions = inner.sessions.iter();
        let session = sessions.find(|session| session.digest == digest);
        Ok(session.and_then(|session| {
            let account = inner.account(|operator| operator.id == session.operator)?;
            Some((session.clone(), account))
        }))
    }

    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>> {
        Ok(lock(&self.kept).of_operator(operator))
    }

    async fn note_session_use(&self, id: SessionId, at: Timestamp) -> Result<()> {
        if let Some(session) = lock(&self.kept).session(id) {
            session.last_used_at = session.last_used_at.max(at);
        }
        Ok(())
    }

    async fn confirm(&self, id: SessionId, at: Timestamp, by: Confirmation) -> Result<bool> {
        let mut inner = lock(&self.kept);
        let session = inner.session(id).map(|session| {
            session.confirmed_at = at;
            session.confirmed_by = by;
        });
        Ok(session.is_some())
    }

    async fn close(&self, operator: OperatorId, id: SessionId) -> Result<bool> {
        let mut inner = lock(&self.kept);
        let is_it = |session: &mut Session| session.id == id && session.operator == operator;
        Ok(inner.sessions.extract_if(.., is_it).count() > 0)
    }

    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64> {
        let inner = &mut *lock(&self.kept);
        let over = inner
            .sessions
            .extract_if(.., |session| session.is_over(now));
        let expired = inner.links.extract_if(.., |link| link.expires_at <= now);
        let removed = over.take(at_most(limit)).count() + expired.take(at_most(limit)).count();
        Ok(u64::try_from(removed).unwrap_or(u64::MAX))
    }
}

#[async_trait]
impl AccountRepository for MemoryOperators {
    async fn account(&self, name: &str) -> Result<Option<Account>> {
        Ok(lock(&self.kept).account(|operator| operator.name == name))
    }

    async fn set_password(
        &self,
        session: SessionId,
        hash: &PasswordHash,
        at: Timestamp,
    ) -> Result<bool> {
        let mut inner = lock(&self.kept);
        let Some(open_session) = inner.session(session) else {
            return Ok(false);
        };
        open_session.confirmed_at = at;
        open_session.confirmed_by = Confirmation::Password;
        let operator = open_session.operator;
        // A new password ends all other sessions and sign-in links.
        inner.passwords.insert(operator, hash.clone());
        inner
            .sessions
            .retain(|other| other.operator != operator || other.id == session);
        inner.links.retain(|link| link.operator != operator);
        Ok(true)
    }

    async fn save_preferences(
        &self,
        operator: OperatorId,
        preferences: &Preferences,
    ) -> Result<()> {
        let mut inner = lock(&self.kept);
        if !inner.has_operator(operator) {
            return Err(RepositoryError::Stale);
        }
        inner.preferences.insert(operator, preferences.clone());
        Ok(())
    }
}
