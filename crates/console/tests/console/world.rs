//! An in-memory print shop with an operator of each role, and its console.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs};

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, init_service, try_call_service};
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::operator::{Operator, SessionService};
use pressline_backoffice::production::ProductionService;
use pressline_backoffice::task::TaskService;
use pressline_console::{Console, TransportRule, configure};
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::OrderService;
use pressline_domain::runtime::FixedClock;
use pressline_http::InFlightLimit;
use pressline_http::request_limits::{RequestLimitSettings, RequestLimits};
use pressline_http::response_budget::ResponseBudget;

use crate::hooks::Hooks;
use crate::html::{Element, assert_well_made};
use crate::memory::Memory;
use crate::people::operators_of_all_roles;

/// Environment variable with a folder. If it is set, every page is written there.
const PAGES: &str = "PRESSLINE_TEST_PAGES";
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) struct World {
    pub(crate) console: Console,
    pub(crate) sessions: SessionService,
    pub(crate) orders: OrderService,
    pub(crate) imports: ImportService,
    pub(crate) production: ProductionService,
    pub(crate) tasks: TaskService,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) fails: Arc<AtomicBool>,
    pub(crate) hooks: Hooks,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    /// Raw body, for files that are not UTF-8.
    pub(crate) bytes: Vec<u8>,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> &Self {
        assert!(self.body.contains(text), "no `{text}` in {}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn hides(&self, text: &str) -> &Self {
        assert!(!self.body.contains(text), "`{text}` in {}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn leads_to(&self, path: &str) -> &Self {
        assert_eq!(self.header("location"), path, "{}", self.body);
        self.is(303)
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(TransportRule::default()).await
    }

    pub(crate) async fn with(rule: TransportRule) -> Self {
        let memory = Memory::new().await;
        let clock = memory.clock.clone();
        let fails = Arc::new(AtomicBool::new(false));
        let sessions = memory.sessions(fails.clone()).await;
        let hooks = memory.hooks();
        let services = memory.services(sessions.clone(), &hooks);
        let (orders, imports) = (services.orders.clone(), services.imports.clone());
        let (production, tasks) = (services.production.clone(), services.tasks.clone());
        let console = Console::new(
            services,
            rule,
            request_limits(),
            ResponseBudget::new(1 << 24),
        );
        Self {
            console,
            sessions,
            orders,
            imports,
            production,
            tasks,
            clock,
            fails,
            hooks,
        }
    }

    /// Sends a request. Every HTML page in a response is checked by [`assert_well_made`].
    pub(crate) async fn send(&self, request: TestRequest) -> Response {
        let console = self.console.clone();
        let app = init_service(App::new().configure(|config| configure(config, console))).await;
        let request = request.to_request();
        let path = request.path().to_owned();
        let response = match try_call_service(&app, request).await {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => actix_web::HttpResponse::from_error(error),
        };
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body()).await.unwrap();
        let response = Response {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
            bytes: body.to_vec(),
        };
        if response.body.starts_with("<!DOCTYPE") {
            let elements = assert_well_made(&path, &response.body);
            keep(&elements, &response.body);
        }
        response
    }

    /// Creates a sign-in link as the command line does and returns its secret.
    pub(crate) async fn link(&self, name: &str) -> String {
        let author = pressline_backoffice::audit::AuditContext::COMMAND_LINE;
        let link = self.sessions.make_link(name, author).await.unwrap();
        link.text.expose().to_owned()
    }

    pub(crate) fn operator(&self, name: &str) -> (Operator, Caller) {
        let mut operators = operators_of_all_roles().into_iter();
        let operator = operators.find(|operator| operator.name == name).unwrap();
        let by = Caller {
            actor: operator.actor(),
            request_id: None,
        };
        (operator, by)
    }

    pub(crate) fn minutes_pass(&self, minutes: i64) {
        self.clock.advance(minutes * 60_000);
    }
}

fn request_limits() -> RequestLimits {
    RequestLimits::new(&RequestLimitSettings {
        rate_limit: None,
        in_flight: InFlightLimit::default(),
        body_budget: 1 << 24,
        body_deadline: Duration::from_secs(10),
    })
}

/// Writes a page into the folder of [`PAGES`]. Pages with the same elements and attribute names
/// share a file.
fn keep(elements: &[Element], page: &str) {
    let Some(folder) = env::var_os(PAGES) else {
        return;
    };
    let mut hasher = DefaultHasher::new();
    for element in elements {
        element.name.hash(&mut hasher);
        for (name, _) in &element.attributes {
            name.hash(&mut hasher);
        }
    }
    let file = Path::new(&folder).join(format!("{:016x}.html", hasher.finish()));
    fs::write(file, page).unwrap();
}
