//! Sessions of operators: signing in, how long it lasts, passwords, and what the audit has of it.

mod audit;
mod passwords;
mod signing_in;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use async_trait::async_trait;
use pressline_backoffice::audit::{Audit, AuditAction, Author};
use pressline_backoffice::memory::MemoryAudit;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    Client, HashingError, NewOperator, OpenedSession, OperatorAdmin, OperatorRole, Password,
    PasswordHash, PasswordHasher, SecretBytes, SecretSource, SessionError, SessionPorts,
    SessionService, SignedIn, Strength,
};
use pressline_domain::error::Source;
use pressline_domain::id::MonotonicIds;
use pressline_domain::runtime::FixedClock;
use pressline_domain::time::Timestamp;

const NOW: i64 = 1_760_000_000_000;
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// A password that the hasher below finds strong.
const PASSWORD: &str = "violet anvil hums";

/// Secrets that differ from each other.
#[derive(Default)]
struct Secrets(AtomicU8);

impl SecretSource for Secrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(SecretBytes::from([0xa0 + number; 32]))
    }
}

/// A hash is the password behind a word. Counts what it is asked for.
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
    /// A directory with the operators Ana, and Carl, who is a carrier.
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

    /// The text of a new link.
    async fn link(&self, name: &str) -> String {
        let made = self.sessions.make_link(name, Author::COMMAND_LINE).await;
        made.unwrap().text.expose().to_owned()
    }

    /// Signs Ana in by a link.
    async fn by_link(&self) -> OpenedSession {
        let link = self.link("Ana").await;
        let opened = self.sessions.sign_in_by_link(&link, &client()).await;
        opened.unwrap()
    }

    /// Signs Ana in by a link, and sets her password.
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

    /// Lets so many milliseconds pass.
    fn wait(&self, millis: i64) {
        self.clock.advance(millis);
    }

    /// What the audit has, oldest first: action and subject.
    async fn recorded(&self) -> Vec<(AuditAction, String)> {
        let entries = self.audit.entries(None, 1000).await.unwrap();
        let entries = entries.into_iter().rev();
        entries.map(|entry| (entry.action, entry.subject)).collect()
    }
}

/// A client at 192.0.2.1.
fn client() -> Client {
    at("192.0.2.1")
}

fn at(address: &str) -> Client {
    Client {
        address: address.parse::<IpAddr>().unwrap(),
        request_id: Some("request-1".to_owned()),
    }
}
