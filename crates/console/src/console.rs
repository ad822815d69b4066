//! The use cases and limits of the console, and the paths that are served.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::http::Method as HttpMethod;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, Scope, web};
use pressline_domain::audit::Audit;
use pressline_domain::catalog::ProductService;
use pressline_domain::catalog::import::ImportService;
use pressline_domain::egress::FileSource;
use pressline_domain::figures::FiguresService;
use pressline_domain::operator::{
    FormService, OperatorAdmin, OperatorImports, SecretSource, SessionService, UploadService,
};
use pressline_domain::order::queue::QueueService;
use pressline_domain::order::{NoteService, OrderService};
use pressline_domain::overview::OverviewService;
use pressline_domain::production::{ProductionService, ShipmentExport};
use pressline_domain::runtime::Clock;
use pressline_domain::store::{ChecklistService, StoreAdmin};
use pressline_domain::task::TaskService;
use pressline_domain::webhook::{DeliveryService, EndpointService, EndpointTester};
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::intake::Intake;
use pressline_http::observe::observe;
use pressline_http::request_error::RequestError;
use pressline_http::response_budget::ResponseBudget;
use tokio::sync::Semaphore;

use crate::assets;
use crate::frame::error_pages;
use crate::problem::ProblemCounts;
use crate::reply::{Compress, Reply};
use crate::route::Method;
use crate::routes;
use crate::system::SystemStatus;
use crate::today::KeptOverviews;
use crate::visit::serve::{serve, session_of};
use crate::visit::transport::TransportRule;

const ROOT: &str = "/console";
/// Maximum number of concurrent downloads. Each fetches its files one after the other, at the browser's speed.
const DOWNLOADS: usize = 4;

/// The use cases that the pages call.
#[derive(Clone)]
pub struct Services {
    /// Signs operators in and out.
    pub sessions: SessionService,
    /// Knows the stores that an operator reaches.
    pub stores: StoreAdmin,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Makes the overview of the day.
    pub overview: OverviewService,
    /// Sets webhook endpoints up.
    pub endpoints: EndpointService,
    /// Finds products.
    pub products: ProductService,
    /// Exports what orders are priced with.
    pub imports: ImportService,
    /// Adds placed orders up.
    pub figures: FiguresService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
    /// Makes batches of items, and knows how far items have come.
    pub production: ProductionService,
    /// Reads orders with the notes about them, and adds notes.
    pub notes: NoteService,
    /// Knows the names of operators.
    pub operators: OperatorAdmin,
    /// Reads the audit.
    pub audit: Audit,
    /// Remembers the results of forms that create something.
    pub forms: FormService,
    /// Keeps files between their check and their import.
    pub uploads: UploadService,
    /// Carries out commands about many orders.
    pub tasks: TaskService,
    /// Imports files.
    pub file_imports: OperatorImports,
    /// Exports parcels to send.
    pub exports: ShipmentExport,
    /// Makes the masks of tokens.
    pub secrets: Arc<dyn SecretSource>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Fetches print files.
    pub files: Arc<dyn FileSource>,
    /// The name of the store whose orders are made up; `None` without the demo.
    pub demo_store: Option<String>,
    /// Finds out what stores need.
    pub checklist: ChecklistService,
    /// Tries webhook endpoints out.
    pub tester: EndpointTester,
    /// Searches deliveries, and sends events again.
    pub deliveries: DeliveryService,
    /// Knows how the program and its database are.
    pub status: Arc<dyn SystemStatus>,
    /// The address of the API for stores, such as `http://127.0.0.1:8080`, for lines to paste.
    pub stores_address: String,
}

/// The use cases and limits of the console. Clones share everything.
#[derive(Clone)]
pub struct Console {
    pub(crate) services: Arc<Services>,
    pub(crate) intake: Intake,
    pub(crate) rule: Arc<TransportRule>,
    pub(crate) problems: ProblemCounts,
    pub(crate) overviews: KeptOverviews,
    responses: ResponseBudget,
    /// Permits to download the files of a batch.
    pub(crate) downloads: Arc<Semaphore>,
}

impl Console {
    /// Returns a console over these use cases. `intake` and `responses` are those of the operator
    /// API, whose listener it shares.
    pub fn new(
        services: Services,
        rule: TransportRule,
        intake: Intake,
        responses: ResponseBudget,
    ) -> Self {
        Self {
            services: Arc::new(services),
            intake,
            rule: Arc::new(rule),
            problems: ProblemCounts::default(),
            overviews: KeptOverviews::default(),
            responses,
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        }
    }
}

/// Adds the console to an application: its pages below `/console`, their assets, and a redirect from
/// `/`. Add it before the operator API, which answers all other paths.
pub fn configure(config: &mut web::ServiceConfig, console: Console) {
    let budget = console.responses.clone();
    let wrapped = from_fn(move |request, next| observe(budget.clone(), request, next));
    config.service(web::resource("/").to(home).wrap(wrapped));
    let budget = console.responses.clone();
    let mut scope = web::scope(ROOT)
        .service(assets::resource())
        .service(web::resource("/").to(home));
    for path in paths() {
        scope = add(scope, path, &console);
    }
    let elsewhere = console.clone();
    let scope = scope
        .default_service(web::to(move |request, payload| {
            refuse(elsewhere.clone(), not_found(), request, payload)
        }))
        .wrap(from_fn(move |request, next| {
            observe(budget.clone(), request, next)
        }));
    config.service(scope);
}

fn paths() -> Vec<&'static str> {
    let mut paths = Vec::new();
    for route in routes::all() {
        if !paths.contains(&route.path) {
            paths.push(route.path);
        }
    }
    paths
}

fn add(scope: Scope, path: &'static str, console: &Console) -> Scope {
    let mut resource: Resource = web::resource(path.strip_prefix(ROOT).unwrap_or(path));
    let mut methods = Vec::new();
    for route in routes::all().filter(|route| route.path == path) {
        methods.push(route.method);
        for method in http_methods(route.method) {
            let console = console.clone();
            let handler = move |request, payload| serve(console.clone(), route, request, payload);
            resource = resource.route(web::method(method).to(handler));
        }
    }
    let (console, allow) = (console.clone(), allowed(&methods));
    scope.service(resource.default_service(web::to(move |request, payload| {
        let error = RequestError::method_not_allowed(allow);
        refuse(console.clone(), error, request, payload)
    })))
}

/// Runs a future beside the requests. It is boxed, so that the code around it exists once.
pub(crate) fn in_background(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    actix_web::rt::spawn(future);
}

fn http_methods(method: Method) -> Vec<HttpMethod> {
    match method {
        Method::Get => vec![HttpMethod::GET, HttpMethod::HEAD],
        Method::Post => vec![HttpMethod::POST],
    }
}

/// Value of `Allow`.
fn allowed(methods: &[Method]) -> &'static str {
    let has = |method| methods.contains(&method);
    match (has(Method::Get), has(Method::Post)) {
        (true, true) => "GET, HEAD, POST",
        (true, false) => "GET, HEAD",
        (false, _) => "POST",
    }
}

fn not_found() -> RequestError {
    RequestError::new(Code::NotFound, "the console has no such page")
}

/// Does not read the body.
async fn refuse(
    console: Console,
    error: RequestError,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, RequestError> {
    let context = RequestContext::of(&request);
    context.note(|notes| {
        notes.unread.get_or_insert_with(|| payload.into_inner());
    });
    let session = session_of(&console, &request).await;
    error_pages(&context, &console, session.as_ref(), Compress::of(&request));
    Err(error)
}

async fn home(request: HttpRequest) -> Result<HttpResponse, RequestError> {
    let is_read = matches!(*request.method(), HttpMethod::GET | HttpMethod::HEAD);
    if !is_read {
        return Err(RequestError::method_not_allowed("GET, HEAD"));
    }
    Ok(Reply::redirect(ROOT).respond(Compress::of(&request)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Route;

    #[test]
    fn every_route_is_below_the_root_and_named_once() {
        for (position, route) in routes::all().enumerate() {
            assert!(crate::form::is_own_address(route.path), "{}", route.path);
            let same = |other: &&Route| other.path == route.path && other.method == route.method;
            assert_eq!(routes::all().position(|other| same(&other)), Some(position));
        }
    }
}
