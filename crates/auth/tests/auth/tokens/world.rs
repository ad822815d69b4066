//! An observed directory, a manually advanced clock, and one operator.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_auth::{SystemSecrets, TokenAuthenticator};
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    AuthenticatedOperator, NewOperator, OperatorAdmin, OperatorAuthenticator, OperatorDenied,
    OperatorDirectory, OperatorRecord, OperatorRole, OperatorToken, OperatorWithToken, Revocation,
    TokenUses,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::{OperatorId, Timestamp};

use crate::watch::Watch;

/// The clock's time when a world begins, in milliseconds since 1970: ten seconds after a full
/// minute.
pub(crate) const NOW: i64 = 1_760_000_050_000;

/// An in-memory directory with an observer of its lists.
#[derive(Default)]
pub(crate) struct Watched {
    operators: MemoryOperators,
    pub(crate) lists: Watch,
    pub(crate) read_only: AtomicBool,
    /// The calls that record uses of tokens, including calls that fail because the directory is
    /// `read_only`.
    pub(crate) writes: Mutex<Vec<TokenUses>>,
}

#[async_trait]
impl OperatorDirectory for Watched {
    async fn add(&self, record: &OperatorRecord) -> Result<(), RepositoryError> {
        self.operators.add(record).await
    }

    async fn list(&self) -> Result<Vec<OperatorRecord>, RepositoryError> {
        self.lists.read().await?;
        self.operators.list().await
    }

    async fn add_token(
        &self,
        operator: OperatorId,
        token: &OperatorToken,
    ) -> Result<(), RepositoryError> {
        self.operators.add_token(operator, token).await
    }

    async fn revoke(&self, revocation: Revocation) -> Result<(), RepositoryError> {
        self.operators.revoke(revocation).await
    }

    async fn note_token_uses(&self, uses: &TokenUses) -> Result<(), RepositoryError> {
        self.writes.lock().unwrap().push(uses.clone());
        if self.read_only.load(SeqCst) {
            return Err(RepositoryError::Refused("read-only".into()));
        }
        self.operators.note_token_uses(uses).await
    }
}

pub(crate) struct World {
    pub(crate) directory: Arc<Watched>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) admin: OperatorAdmin,
    pub(crate) authenticator: Arc<TokenAuthenticator>,
    pub(crate) made: OperatorWithToken,
}

impl World {
    pub(crate) async fn new() -> Self {
        let directory = Arc::new(Watched::default());
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let admin = OperatorAdmin::new(
            directory.clone(),
            Arc::new(SystemSecrets),
            clock.clone(),
            Arc::new(MonotonicIds::new()),
        );
        let new = NewOperator {
            name: "Ana".to_owned(),
            role: OperatorRole::Operator,
            stores: None,
            lifetime: Some(Duration::from_secs(3600)),
        };
        let made = admin.create(new).await.unwrap();
        let (authenticator, writes) = TokenAuthenticator::new(directory.clone(), clock.clone());
        tokio::spawn(writes);
        Self {
            directory,
            clock,
            admin,
            authenticator: Arc::new(authenticator),
            made,
        }
    }

    /// Issues another token for the operator. Returns its text.
    pub(crate) async fn another_token(&self) -> String {
        let made = self.admin.issue_token("Ana", None).await.unwrap();
        made.text.expose()
    }

    pub(crate) async fn call(
        &self,
        token: &str,
    ) -> Result<Arc<AuthenticatedOperator>, OperatorDenied> {
        self.authenticator.authenticate(token).await
    }

    /// Calls with the operator's first token.
    pub(crate) async fn call_as_ana(&self) -> Result<Arc<AuthenticatedOperator>, OperatorDenied> {
        self.call(&self.made.text.expose()).await
    }
}
