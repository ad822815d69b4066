//! Builds the console from its parts, and serves its routes.

use std::sync::Arc;

use actix_web::http::Method as HttpMethod;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, Scope, web};
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::observe::observe;
use pressline_http::request_error::RequestError;
use pressline_http::request_limits::RequestLimits;
use pressline_http::response_budget::ResponseBudget;
use tokio::sync::Semaphore;

use crate::routes;
use crate::serve::{serve, session_of};
use crate::shell::access::Method;
use crate::shell::assets;
use crate::shell::console::Console;
use crate::shell::frame::error_pages;
use crate::shell::overviews::OverviewCache;
use crate::shell::problem_counts::ProblemCounts;
use crate::shell::reply::{Compress, Reply};
use crate::shell::services::Services;
use crate::shell::session::transport::TransportRule;

const ROOT: &str = "/console";
/// Maximum number of concurrent requests for `Download files`.
const DOWNLOADS: usize = 4;

impl Console {
    /// Creates the console. Pass the `request_limits` and `responses` of the operator API: console
    /// and API share a listener and its limits.
    pub fn new(
        services: Services,
        rule: TransportRule,
        request_limits: RequestLimits,
        responses: ResponseBudget,
    ) -> Self {
        Self {
            services: Arc::new(services),
            pages: routes::pages(),
            request_limits,
            rule: Arc::new(rule),
            problems: ProblemCounts::default(),
            overviews: OverviewCache::default(),
            responses,
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        }
    }
}

/// Adds the console to `config`: its pages below `/console`, their assets, and a redirect from `/`.
/// Add it before the operator API, because the API answers all other paths.
pub fn configure(config: &mut web::ServiceConfig, console: Console) {
    let budget = console.responses.clone();
    // `/` is outside of the scope below, so the `wrap` of the scope does not cover it.
    let wrapped = from_fn(move |request, next| observe(budget.clone(), request, next));
    config.service(web::resource("/").to(home).wrap(wrapped));
    let budget = console.responses.clone();
    let mut resources = web::scope(ROOT)
        .service(assets::resource())
        .service(web::resource("/").to(home));
    for path in paths() {
        resources = add(resources, path, &console);
    }
    let elsewhere = console.clone();
    // Unknown paths below `/console` get a page, not the JSON error of the operator API.
    let scope = resources
        .default_service(web::to(move |request, payload| {
            refuse(elsewhere.clone(), not_found(), request, payload)
        }))
        .wrap(from_fn(move |request, next| {
            observe(budget.clone(), request, next)
        }));
    config.service(scope);
}

fn paths() -> Vec<&'static str> {
    // Each path once: actix-web uses the first resource that matches.
    let mut paths = Vec::new();
    for route in routes::all() {
        if !paths.contains(&route.info.path) {
            paths.push(route.info.path);
        }
    }
    paths
}

fn add(scope: Scope, path: &'static str, console: &Console) -> Scope {
    let mut resource: Resource = web::resource(path.strip_prefix(ROOT).unwrap_or(path));
    let mut methods = Vec::new();
    for route in routes::all().filter(|route| route.info.path == path) {
        methods.push(route.info.method);
        for method in http_methods(route.info.method) {
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

fn http_methods(method: Method) -> Vec<HttpMethod> {
    match method {
        // actix-web does not route HEAD to the handler of GET.
        Method::Get => vec![HttpMethod::GET, HttpMethod::HEAD],
        Method::Post => vec![HttpMethod::POST],
    }
}

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

async fn refuse(
    console: Console,
    error: RequestError,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, RequestError> {
    let context = RequestContext::from_request(&request);
    // Dropping an unread body before the response would block the connection.
    context.note(|notes| {
        notes.unread.get_or_insert_with(|| payload.into_inner());
    });
    let session = session_of(&console, &request).await;
    error_pages(
        &context,
        &console,
        session.as_ref(),
        Compress::from_request(&request),
    );
    Err(error)
}

async fn home(request: HttpRequest) -> Result<HttpResponse, RequestError> {
    let is_read = matches!(*request.method(), HttpMethod::GET | HttpMethod::HEAD);
    if !is_read {
        return Err(RequestError::method_not_allowed("GET, HEAD"));
    }
    Ok(Reply::redirect(ROOT).respond(Compress::from_request(&request)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::route::Route;

    #[test]
    fn every_route_is_below_the_root_and_named_once() {
        for (position, route) in routes::all().enumerate() {
            assert!(
                crate::shell::form::is_own_address(route.info.path),
                "{}",
                route.info.path
            );
            let same = |other: &&Route| {
                other.info.path == route.info.path && other.info.method == route.info.method
            };
            assert_eq!(routes::all().position(|other| same(&other)), Some(position));
        }
    }
}
