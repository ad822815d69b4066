//! Operator sessions: signing in, expiry, passwords, and audit entries.

mod audit;
mod passwords;
mod signing_in;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use async_trait::async_trait;
use pressline_backoffice::audit::{Audit, AuditAction, AuditContext};
use pressline_backoffice::memory::MemoryAudit;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    Client, HashingError, NewOperator, OpenedSession, OperatorAdmin, OperatorRole, Password,
    PasswordHash, PasswordHasher, SecretBytes, SecretSource, SessionError, SessionPorts,
    SessionService, SignedIn, Strength,
};
use pressline_domain::error::Source;
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::Timestamp;

const NOW: i64 = 1_760_000_000_000;
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// A password that [`PlainHasher`] rates as strong.
const PASSWORD: &str = "violet anvil hums";

#[derive(Default)]
struct Secrets(AtomicU8);

impl SecretSource for Secrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(SecretBytes::from([0xa0 + number; 32]))
    }
}

/// Hashes are the password after the word `plain`. Counts comparisons.
#[derive(Default)]
struct PlainHasher {
    comparisons: AtomicUsize,
}

#[async_trait]
impl PasswordHasher for PlainHasher {
    async fn strength(
        &self,
        password: &Password,
        known: &[&str],
    ) -> Result<Strength, HashingError> {
        let is_known = known.iter().any(|text| password.expose().contains(text));
        Ok(Strength {
            score: if is_known { 2 } else { 3 },
            advice: String::new(),
        })
    }

    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError> {
        Ok(PasswordHash::new(format!("plain {}", password.expose())))
    }

    async fn is_of(
        &self,
        hash: Option<&PasswordHash>,
        password: &Password,
    ) -> Result<bool, HashingError> {
        self.comparisons.fetch_add(1, Ordering::Relaxed);
        let expected = self.hash(password).await?;
        Ok(hash == Some(&expected))
    }
}

struct World {
    admin: OperatorAdmin,
    sessions: SessionService,
    audit: Audit,
    clock: Arc<FixedClock>,
    hasher: Arc<PlainHasher>,
}

impl World {
    /// Creates a directory with Ana (`Operator`) and Carl (`Carrier`).
    async fn new() -> Self {
        let operators = Arc::new(MemoryOperators::default());
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let ids = Arc::new(MonotonicIds::new());
        let secrets = Arc::new(Secrets::default());
        let hasher = Arc::new(PlainHasher::default());
        let audit = Audit::new(Arc::new(MemoryAudit::default()), clock.clone(), ids.clone());
        let ports = SessionPorts {
            sessions: operators.clone(),
            accounts: operators.clone(),
            hasher: hasher.clone(),
            secrets: secrets.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
        };
        let admin = OperatorAdmin::new(operators, secrets, clock.clone(), ids);
        let world = Self {
            admin: admin.audited(audit.clone()),
            sessions: SessionService::new(ports, audit.clone()),
            audit,
            clock,
            hasher,
        };
        world.create("Ana", OperatorRole::Operator).await;
        world.create("Carl", OperatorRole::Carrier).await;
        world
    }

    async fn create(&self, name: &str, role: OperatorRole) {
        let new = NewOperator {
            name: name.to_owned(),
            role,
            stores: None,
            lifetime: None,
        };
        self.admin.create(new).await.unwrap();
    }

    /// Creates a sign-in link of `name` and returns its secret.
    async fn link(&self, name: &str) -> String {
        let made = self
            .sessions
            .make_link(name, AuditContext::COMMAND_LINE)
            .await;
        made.unwrap().text.expose().to_owned()
    }

    async fn by_link(&self) -> OpenedSession {
        let link = self.link("Ana").await;
        let opened = self.sessions.sign_in_by_link(&link, &client()).await;
        opened.unwrap()
    }

    async fn with_password(&self) -> OpenedSession {
        let opened = self.by_link().await;
        let set = self.set_password(&opened.signed_in, None, PASSWORD).await;
        let signed_in = set.unwrap();
        OpenedSession {
            signed_in,
            ..opened
        }
    }

    async fn set_password(
        &self,
        who: &SignedIn,
        current: Option<&str>,
        new: &str,
    ) -> Result<SignedIn, SessionError> {
        let client = client();
        let set = self.sessions.set_password(who, current, new, &client);
        set.await
    }

    fn wait(&self, millis: i64) {
        self.clock.advance(millis);
    }

    /// Action and subject of all audit entries, oldest first.
    async fn recorded(&self) -> Vec<(AuditAction, String)> {
        let entries = self.audit.entries(None, 1000).await.unwrap();
        let entries = entries.into_iter().rev();
        entries.map(|entry| (entry.action, entry.subject)).collect()
    }
}

fn client() -> Client {
    at("192.0.2.1")
}

fn at(address: &str) -> Client {
    Client {
        address: address.parse::<IpAddr>().unwrap(),
        request_id: Some("request-1".to_owned()),
    }
}
