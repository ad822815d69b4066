//! A shop in memory with an operator of each role, and the console over it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, init_service, try_call_service};
use async_trait::async_trait;
use pressline_console::{Console, Services, TransportRule, configure};
use pressline_domain::audit::Audit;
use pressline_domain::error::Source;
use pressline_domain::id::{OperatorId, StoreId};
use pressline_domain::memory::{
    FixedClock, MemoryAudit, MemoryCatalog, MemoryForms, MemoryNotes, MemoryOperators,
    MemoryOrders, MemoryOverview, MemoryProduction, MemoryStores,
};
use pressline_domain::operator::{
    FormService, HashingError, Operator, OperatorAdmin, OperatorDirectory, OperatorRecord,
    OperatorRole, Password, PasswordHash, PasswordHasher, SecretBytes, SecretSource, SessionPorts,
    SessionService, Strength,
};
use pressline_domain::order::queue::QueueService;
use pressline_domain::order::{NoteService, OrderService};
use pressline_domain::overview::{OverviewPorts, OverviewService};
use pressline_domain::production::Steps;
use pressline_domain::runtime::IdSource;
use pressline_domain::time::Timestamp;
use pressline_http::InFlightLimit;
use pressline_http::intake::{Intake, IntakeLimits};
use pressline_http::response_budget::ResponseBudget;
use uuid::Uuid;

use crate::browser::Browser;
use crate::faults::FaultySessions;

/// 2026-11-21T13:05:00Z, the time of every test's start, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_795_266_300_000;
/// The password of every operator.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// The console with the ports behind it.
pub(crate) struct World {
    pub(crate) console: Console,
    pub(crate) sessions: SessionService,
    pub(crate) orders: OrderService,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) fails: Arc<AtomicBool>,
}

/// A response, read.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts that the page contains a text.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> &Self {
        assert!(self.body.contains(text), "no `{text}` in {}", self.body);
        self
    }

    /// Asserts that the page does not contain a text.
    #[track_caller]
    pub(crate) fn hides(&self, text: &str) -> &Self {
        assert!(!self.body.contains(text), "`{text}` in {}", self.body);
        self
    }

    /// Asserts the status.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self
    }

    /// Asserts that it leads to another page.
    #[track_caller]
    pub(crate) fn leads_to(&self, path: &str) -> &Self {
        assert_eq!(self.header("location"), path, "{}", self.body);
        self.is(303)
    }
}

/// What Today shows, of a shop without records of production.
fn overview(
    orders: Arc<MemoryOrders>,
    stores: MemoryStores,
    clock: Arc<FixedClock>,
) -> OverviewService {
    OverviewService::new(OverviewPorts {
        overview: Arc::new(MemoryOverview::new(&orders, &MemoryProduction::new())),
        queue: orders,
        stores: Arc::new(stores),
        clock,
        steps: Steps::default(),
    })
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(TransportRule::default()).await
    }

    pub(crate) async fn with(rule: TransportRule) -> Self {
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let ids: Arc<dyn IdSource> = Arc::new(CountedIds::default());
        let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
        let orders = MemoryOrders::new(&stores, &catalog);
        let operators = operators_in_memory().await;
        let directory: Arc<dyn OperatorDirectory> = Arc::new(operators.clone());
        let audit = Audit::new(Arc::new(MemoryAudit::new()), clock.clone(), ids.clone());
        let fails = Arc::new(AtomicBool::new(false));
        let faulty = FaultySessions {
            operators: operators.clone(),
            fails: fails.clone(),
        };
        let ports = SessionPorts {
            sessions: Arc::new(faulty),
            accounts: Arc::new(operators),
            hasher: Arc::new(PlainHasher),
            secrets: Arc::new(CountedSecrets::default()),
            clock: clock.clone(),
            ids: ids.clone(),
        };
        let sessions = SessionService::new(ports, audit.clone());
        let admin = crate::shop::store_admin(&stores, &clock, &ids);
        crate::shop::add_stores(&stores).await;
        let repository = Arc::new(orders);
        let catalog = Arc::new(catalog);
        let operators = OperatorAdmin::new(
            directory,
            Arc::new(CountedSecrets::default()),
            clock.clone(),
            ids.clone(),
        );
        let orders = OrderService::new(repository.clone(), catalog, clock.clone(), ids.clone());
        let notes = NoteService::new(
            orders.clone(),
            Arc::new(MemoryNotes::new()),
            operators.clone(),
        );
        let services = Services {
            sessions: sessions.clone(),
            stores: admin,
            queue: QueueService::new(repository.clone(), repository.clone()),
            overview: overview(repository, stores, clock.clone()),
            orders: orders.clone(),
            notes,
            operators,
            audit,
            forms: FormService::new(Arc::new(MemoryForms::new()), clock.clone(), ids),
            secrets: Arc::new(CountedSecrets::default()),
            clock: clock.clone(),
        };
        let console = Console::new(services, rule, intake(), ResponseBudget::of(1 << 24));
        Self {
            console,
            sessions,
            orders,
            clock,
            fails,
        }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn send(&self, request: TestRequest) -> Response {
        let console = self.console.clone();
        let app = init_service(App::new().configure(|config| configure(config, console))).await;
        let response = match try_call_service(&app, request.to_request()).await {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => actix_web::HttpResponse::from_error(error),
        };
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body()).await.unwrap();
        Response {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// Returns a browser in which an operator has signed in by a link.
    pub(crate) async fn signed_in(&self, name: &str) -> Browser<'_> {
        let mut browser = Browser::new(self);
        let link = self.link(name).await;
        let response = browser.post("/console/sign-in", &[("link", &link)]).await;
        response.leads_to("/console");
        browser
    }

    /// Makes a link for signing in, as the command line does.
    pub(crate) async fn link(&self, name: &str) -> String {
        let author = pressline_domain::audit::Author::COMMAND_LINE;
        let link = self.sessions.make_link(name, author).await.unwrap();
        link.text.expose().to_owned()
    }

    /// Returns a browser of an operator who has set [`PASSWORD`].
    pub(crate) async fn with_password(&self, name: &str) -> Browser<'_> {
        let mut browser = self.signed_in(name).await;
        browser.get("/console/account").await.is(200);
        let new = [("new", PASSWORD)];
        let set = browser.post("/console/account/password", &new).await;
        set.leads_to("/console/account");
        browser
    }

    pub(crate) fn minutes_pass(&self, minutes: i64) {
        self.clock.advance(minutes * 60_000);
    }
}

fn intake() -> Intake {
    Intake::new(&IntakeLimits {
        rate_limit: None,
        in_flight: InFlightLimit::default(),
        body_budget: 1 << 24,
        body_deadline: Duration::from_secs(10),
    })
}

async fn operators_in_memory() -> MemoryOperators {
    let operators = MemoryOperators::new();
    for operator in operators_of_all_roles() {
        let record = OperatorRecord {
            operator,
            tokens: Vec::new(),
        };
        operators.add(&record).await.unwrap();
    }
    operators
}

/// Returns an operator of each role, and admins that are bound to one store and to none.
fn operators_of_all_roles() -> Vec<Operator> {
    let bound: BTreeSet<StoreId> = [crate::shop::store("SUN").id].into();
    let operators = [
        ("vera", OperatorRole::Viewer, None),
        ("otto", OperatorRole::Operator, None),
        ("ana", OperatorRole::Admin, None),
        ("bert", OperatorRole::Admin, Some(bound)),
        ("<script>alert(1)</script>", OperatorRole::Admin, None),
    ];
    let operators = operators.into_iter().enumerate();
    operators
        .map(|(number, (name, role, stores))| Operator {
            id: OperatorId::new(Uuid::from_u128(number as u128 + 1)),
            name: name.to_owned(),
            role,
            stores,
            created_at: Timestamp::from_millis(NOW),
        })
        .collect()
}

/// Ids that count up.
#[derive(Default)]
struct CountedIds(AtomicU64);

impl IdSource for CountedIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Uuid::from_u128(0x01a1_f5f6_f249_7c3a_9d52_0000_0000_0000 + u128::from(number))
    }
}

/// Secrets that differ.
#[derive(Default)]
struct CountedSecrets(AtomicU64);

impl SecretSource for CountedSecrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        let mut bytes = SecretBytes::default();
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        Ok(bytes)
    }
}

/// Hashes passwords to themselves.
struct PlainHasher;

#[async_trait]
impl PasswordHasher for PlainHasher {
    async fn strength(&self, password: &Password, _: &[&str]) -> Result<Strength, HashingError> {
        let is_common = password.expose().starts_with("password");
        Ok(Strength {
            score: if is_common { 0 } else { 4 },
            advice: String::new(),
        })
    }

    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError> {
        Ok(PasswordHash::new(password.expose().to_owned()))
    }

    async fn is_of(
        &self,
        hash: Option<&PasswordHash>,
        password: &Password,
    ) -> Result<bool, HashingError> {
        Ok(hash.is_some_and(|hash| hash.as_str() == password.expose()))
    }
}
