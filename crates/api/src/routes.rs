//! The paths of the two APIs.

use std::io;
use std::net::TcpListener;

use actix_web::dev::{HttpServiceFactory, Server};
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, Route, Scope, web};
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::health::{self, Health};
use pressline_http::observe::observe;
use pressline_http::request_error::RequestError;
use pressline_http::response_budget::ResponseBudget;
use pressline_http::server::ServerSettings;

use crate::caller::{ByOperator, CallRules, Signed, app_data};
use crate::docs;
use crate::operation::{Handler, Operation};
use crate::operations::{of_operators, of_stores};
use crate::response::Response;
use crate::state::{Api, OperatorApi, fault};

/// Adds all paths of the API for stores to an application: the operations, `/livez`, `/readyz`,
/// `/openapi.json` and `/docs`.
///
/// All other paths get `not_found`, so add the application's other paths before this call.
pub fn configure(config: &mut web::ServiceConfig, api: Api) {
    let paths = Paths {
        document: || web::to(docs::document),
        health: api.health.clone(),
        responses: api.responses.clone(),
    };
    let scope = web::scope("")
        .app_data(web::Data::new(api))
        .service(readable("/", || web::to(docs::home)));
    configure_paths(config, scope, of_stores(), paths);
}

/// Adds all paths of the API for operators to an application: the operations, `/livez`, `/readyz`,
/// `/openapi.json` and `/docs`.
///
/// All other paths get `not_found`, so add the application's other paths before this call.
pub fn configure_operators(config: &mut web::ServiceConfig, api: OperatorApi) {
    let paths = Paths {
        document: || web::to(docs::operator_document),
        health: api.health.clone(),
        responses: api.responses.clone(),
    };
    let scope = web::scope("").app_data(web::Data::new(api));
    configure_paths(config, scope, of_operators(), paths);
}

struct Paths {
    document: fn() -> Route,
    health: Health,
    responses: ResponseBudget,
}

fn configure_paths(
    config: &mut web::ServiceConfig,
    mut scope: Scope,
    operations: impl Iterator<Item = &'static Operation>,
    paths: Paths,
) {
    let responses = paths.responses.clone();
    let responses_elsewhere = paths.responses;
    for operation in operations {
        for path in operation.paths() {
            scope = scope.service(resource(operation, path));
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
pub fn server(api: Api, listener: TcpListener, settings: &ServerSettings) -> io::Result<Server> {
    let configured = move |config: &mut web::ServiceConfig| configure(config, api.clone());
    pressline_http::server(configured, listener, settings)
}

#[derive(Clone, Copy)]
struct Called {
    rules: CallRules,
    handler: Handler,
}

fn resource(operation: &Operation, path: &'static str) -> impl HttpServiceFactory + 'static {
    let called = Called {
        rules: CallRules {
            path,
            ..operation.rules
        },
        handler: operation.handler,
    };
    web::resource(path)
        .app_data(called)
        .route(web::post().to(serve))
        .default_service(refused(|| RequestError::method_not_allowed("POST")))
        .wrap(from_fn(fault::answer))
}

async fn serve(http: HttpRequest, payload: web::Payload) -> Response {
    let Called { rules, handler } = *app_data(&http)?;
    let serving = match handler {
        Handler::Store(handle) => {
            let (call, body) = Signed::receive(rules, http, payload).await?;
            handle(call, &body)?
        }
        Handler::Operator(handle) => {
            let (call, body) = ByOperator::receive(rules, http, payload).await?;
            handle(call, &body)?
        }
    };
    serving.await
}

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

/// Returns a route that refuses every request with `error`, without reading the body.
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
