//! The services and limits of the API for stores, and the paths that it serves.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::{HttpServiceFactory, Server};
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, Route, Scope, web};
use pressline_backoffice::sandbox::SandboxService;
use pressline_domain::catalog::ProductService;
use pressline_domain::event::EventService;
use pressline_domain::order::{OrderRepository, OrderService};
use pressline_domain::store::Authenticator;

use crate::docs;
use crate::event::EventWatch;
use crate::operation::{Operation, OperationCall};
use crate::operations::TABLE;
use crate::request_limits::serve;
use crate::sandbox::fault::{self, Faults};
use crate::webhook::WebhookServices;
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::health;
use pressline_http::health::{Health, Readiness};
use pressline_http::in_flight::InFlightLimit;
use pressline_http::limit::RateLimit;
use pressline_http::observe::observe;
use pressline_http::request_error::RequestError;
use pressline_http::request_limits::{RequestLimitSettings, RequestLimits};
use pressline_http::response_budget::ResponseBudget;
use pressline_http::server::ServerSettings;

/// Limits of the API of one listener.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Time limit for receiving a request body; `request_timeout` afterwards.
    pub body_deadline: Duration,
    /// Maximum total size of all request bodies in progress, in bytes.
    pub body_budget: usize,
    /// Limit on the requests of each caller; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Maximum age of a reused `/readyz` response. Probes need no signature, so a flood of them
    /// must cost nothing.
    pub readiness_age: Duration,
    /// Limit on the concurrent calls of each caller; `rate_limited` beyond it.
    pub in_flight: InFlightLimit,
    /// Maximum total memory of large responses in progress, in bytes. Further large responses are
    /// refused with `unavailable`.
    pub response_budget: u64,
}

impl Default for Settings {
    /// Returns 10 s and 64 MiB for bodies, the default `rate_limit` and `in_flight` of each caller,
    /// 256 MiB for large responses, and 1 s for `readiness_age`.
    fn default() -> Self {
        Self {
            body_deadline: Duration::from_secs(10),
            // As many as 64 bodies of the largest size. 1,000 clients that stall keep a server at 186 MiB.
            body_budget: 64 * 1024 * 1024,
            rate_limit: Some(RateLimit::default()),
            in_flight: InFlightLimit::default(),
            readiness_age: Duration::from_secs(1),
            // With 64 pages of a hundred orders of 1 MiB at the same time, a server stays under 350 MiB.
            response_budget: 256 * 1024 * 1024,
        }
    }
}

impl Settings {
    pub(crate) fn request_limits(&self) -> RequestLimitSettings {
        RequestLimitSettings {
            rate_limit: self.rate_limit,
            in_flight: self.in_flight,
            body_budget: self.body_budget,
            body_deadline: self.body_deadline,
        }
    }
}

/// The use cases that the operations call, and the repository behind them.
#[derive(Clone)]
pub struct Services {
    /// Creates, changes and finds orders.
    pub orders: OrderService,
    /// Finds products.
    pub products: ProductService,
    /// Reads events.
    pub events: EventService,
    /// Manages webhook endpoints and resends events.
    pub webhooks: WebhookServices,
    /// Wakes calls that wait for events. It must observe `orders`.
    pub watch: EventWatch,
    /// Moves orders and webhooks of test stores.
    pub sandbox: SandboxService,
    /// Stores the orders of `orders`. `/readyz` checks it. A call that creates an order is refused
    /// early if the repository's write queue is full.
    pub repository: Arc<dyn OrderRepository>,
}

/// The API for stores: its services and limits. Clones share everything, including the counters of
/// the rate limit.
#[derive(Clone)]
pub struct Api {
    pub(crate) services: Services,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) health: Health,
    pub(crate) responses: ResponseBudget,
    pub(crate) request_limits: RequestLimits,
    pub(crate) faults: Faults,
}

impl Api {
    /// Creates an API for `services`. `readiness` checks all dependencies of the service except the
    /// order repository, which is always checked.
    pub fn new(
        services: Services,
        authenticator: Arc<dyn Authenticator>,
        readiness: Arc<dyn Readiness>,
        settings: Settings,
    ) -> Self {
        let health = Health::new(
            services.repository.clone(),
            readiness,
            settings.readiness_age,
        );
        Self {
            services,
            authenticator,
            health,
            responses: ResponseBudget::new(settings.response_budget),
            request_limits: RequestLimits::new(&settings.request_limits()),
            faults: Faults::default(),
        }
    }

    /// Returns the checks of `/readyz`, for another listener of the same process.
    pub fn health(&self) -> Health {
        self.health.clone()
    }
}

/// Adds all paths of the API for stores to an application: the operations, `/livez`, `/readyz`,
/// `/openapi.json` and `/docs`.
///
/// All other paths get `not_found`, so add the application's other paths before this call.
pub fn configure(config: &mut web::ServiceConfig, api: Api) {
    let paths = Paths {
        operations: TABLE,
        document: || web::to(docs::document),
        health: api.health.clone(),
        responses: api.responses.clone(),
    };
    let scope = web::scope("")
        .app_data(web::Data::new(api))
        .service(readable("/", || web::to(docs::home)));
    configure_paths(config, scope, paths);
}

pub(crate) struct Paths {
    pub(crate) operations: &'static [Operation],
    pub(crate) document: fn() -> Route,
    pub(crate) health: Health,
    pub(crate) responses: ResponseBudget,
}

/// Adds the operations, probes and documentation in `paths` to an application.
pub(crate) fn configure_paths(config: &mut web::ServiceConfig, mut scope: Scope, paths: Paths) {
    let responses = paths.responses.clone();
    let responses_elsewhere = paths.responses;
    for operation in paths.operations {
        for path in operation.paths() {
            scope = scope.service(resource(OperationCall { operation, path }));
        }
    }
    let scope = scope
        .app_data(web::Data::new(paths.health))
        .service(readable("/livez", || web::to(health::live)))
        .service(readable("/readyz", || web::to(health::ready)))
        .service(readable("/openapi.json", paths.document))
        .service(readable("/docs", || web::to(docs::index)))
        .service(readable("/docs/{file:.*}", || web::to(docs::page)))
        .default_service(refused(not_found))
        .wrap(from_fn(move |request, next| {
            observe(responses.clone(), request, next)
        }));
    config.service(scope);
    // A target that is not a path, such as `*`, is outside every scope.
    config.default_service(refused(not_found).wrap(from_fn(move |request, next| {
        observe(responses_elsewhere.clone(), request, next)
    })));
}

/// Serves the API on `listener`; see [`pressline_http::server()`].
///
/// # Errors
/// Returns an error if the listener cannot be used.
pub fn server(api: Api, listener: TcpListener, settings: &ServerSettings) -> io::Result<Server> {
    let configured = move |config: &mut web::ServiceConfig| configure(config, api.clone());
    pressline_http::server(configured, listener, settings)
}

fn resource(called: OperationCall) -> impl HttpServiceFactory + 'static {
    web::resource(called.path)
        .app_data(called)
        .route(web::post().to(serve))
        .default_service(refused(|| RequestError::method_not_allowed("POST")))
        .wrap(from_fn(fault::answer))
}

/// Returns a resource that serves GET and HEAD with `route`.
fn readable(path: &'static str, route: fn() -> Route) -> Resource {
    web::resource(path)
        .route(route().method(Method::GET))
        .route(route().method(Method::HEAD))
        .default_service(refused(|| RequestError::method_not_allowed("GET, HEAD")))
}

fn not_found() -> RequestError {
    let message = "this path does not exist; the operations are listed at /openapi.json";
    RequestError::new(Code::NotFound, message)
}

/// Returns a route that refuses every request with `error`, without reading its body.
fn refused(error: impl Fn() -> RequestError + Clone + Send + Sync + 'static) -> Route {
    web::to(move |request: HttpRequest, payload: web::Payload| {
        let error = error();
        async move {
            RequestContext::from_request(&request).note(|notes| {
                notes.unread.get_or_insert_with(|| payload.into_inner());
            });
            Err::<HttpResponse, RequestError>(error)
        }
    })
}
