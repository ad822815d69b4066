//! Sessions that fail to load on demand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    Account, Confirmation, Proof, SecretDigest, Session, SessionRepository, SignInLink,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

/// In-memory repository that fails to find sessions while `fails` is set.
pub(crate) struct FaultySessions {
    pub(crate) operators: MemoryOperators,
    pub(crate) fails: Arc<AtomicBool>,
}

#[async_trait]
impl SessionRepository for FaultySessions {
    async fn add_link(&self, link: &SignInLink) -> Result<(), RepositoryError> {
        self.operators.add_link(link).await
    }

    async fn link(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<(SignInLink, Account)>, RepositoryError> {
        self.operators.link(digest).await
    }

    async fn open(&self, session: &Session, proof: &Proof) -> Result<bool, RepositoryError> {
        self.operators.open(session, proof).await
    }

    async fn find(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<(Session, Account)>, RepositoryError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(RepositoryError::Unavailable("secret-host refused".into()));
        }
        self.operators.find(digest).await
    }

    async fn list(&self, operator: OperatorId) -> Result<Vec<Session>, RepositoryError> {
        SessionRepository::list(&self.operators, operator).await
    }

    async fn note_session_use(
        &self,
        session: SessionId,
        at: Timestamp,
    ) -> Result<(), RepositoryError> {
        self.operators.note_session_use(session, at).await
    }

    async fn confirm(
        &self,
        session: SessionId,
        at: Timestamp,
        by: Confirmation,
    ) -> Result<bool, RepositoryError> {
        self.operators.confirm(session, at, by).await
    }

    async fn close(
        &self,
        operator: OperatorId,
        session: SessionId,
    ) -> Result<bool, RepositoryError> {
        self.operators.close(operator, session).await
    }

    async fn prune_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.operators.prune_sessions(now, limit).await
    }
}
