//! The outermost middleware: adds the request id to every response and the body to every error, and
//! logs every call.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use pressline_domain::check::Violation;
use sha2::{Digest, Sha256};
use tracing::Level;

use crate::accept::wants_problem;
use crate::context::{REQUEST_ID, RequestContext, request_id};
use crate::error::Code;
use crate::problem::{render, with_headers};
use crate::request_error::{Detail, RequestError};
use crate::response_budget::ResponseBudget;
use crate::streamed::Streamed;

/// The request itself is not kept, because the router needs the only reference to it.
struct Observation {
    responses: ResponseBudget,
    method: Method,
    wants_problem: bool,
    request_id: String,
    context: RequestContext,
    began: Instant,
}

#[derive(Default)]
struct LoggedError {
    code: Option<&'static str>,
    reason: Option<Box<str>>,
    errors: Option<String>,
    /// Length and digest of a body with a refused signature, to compare it with the signed body.
    body: Option<(usize, String)>,
}

impl LoggedError {
    /// Returns no data if the log level disables the log line of the call.
    fn new(error: &RequestError) -> Self {
        if !is_logged(error.code.status().as_u16()) {
            return Self::default();
        }
        let body = match error.detail.as_deref() {
            Some(Detail::CheckedBody(body)) => {
                Some((body.len(), hex::encode(Sha256::digest(body))))
            }
            _ => None,
        };
        Self {
            code: Some(error.code.as_str()),
            reason: error.reason.clone(),
            errors: logged_errors(error),
            body,
        }
    }
}

/// Returns `true` for server errors, and for other calls if the log includes `INFO`.
fn is_logged(status: u16) -> bool {
    Code::is_ours(status) || tracing::enabled!(Level::INFO)
}

const LOGGED_ERRORS: usize = 10;
/// Maximum length of a field's path in a log line, in characters.
const LOGGED_PATH: usize = 80;

/// Serves `request` by calling `next`. Adds the request id to the response, renders errors as
/// response bodies, and logs one line. Large responses count towards `responses`.
pub async fn observe<B: MessageBody + 'static>(
    responses: ResponseBudget,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let observation = Observation {
        responses,
        method: request.method().clone(),
        wants_problem: wants_problem(request.headers()),
        request_id: request_id(request.headers()),
        context: RequestContext::default(),
        began: Instant::now(),
    };
    observation
        .context
        .note(|notes| notes.request_id.clone_from(&observation.request_id));
    if request.method() != Method::POST {
        // Only operations read bodies, and all operations are POST.
        let unread = request.take_payload();
        observation
            .context
            .note(|notes| notes.unread = Some(unread));
    }
    request.extensions_mut().insert(observation.context.clone());
    let served = guarded(next.call(request)).await;
    // The client decides how long sending takes, so sending does not count as in flight.
    drop(observation.context.note(|notes| notes.permit.take()));
    match served {
        Ok(Ok(response)) => Ok(observation.finish(response.map_into_boxed_body())),
        Ok(Err(error)) => Err(observation.lost(error_of(&error))),
        Err(panic) => Err(observation.lost(RequestError::internal(format!(
            "panicked: {}",
            panic_text(&*panic)
        )))),
    }
}

/// Keeps the unread request body during the response: see [`crate::context::Notes::unread`].
struct Holding {
    body: BoxBody,
    _unread: Payload,
}

impl MessageBody for Holding {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

/// Runs `call` and catches a panic, so that the caller gets a response in any case.
async fn guarded<F: Future>(call: F) -> Result<F::Output, Box<dyn Any + Send>> {
    // A call that has panicked is not polled again, so its broken state is never used.
    let mut call = pin!(call);
    poll_fn(
        |context| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(panic) => Poll::Ready(Err(panic)),
        },
    )
    .await
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

fn error_of(error: &Error) -> RequestError {
    let status = error.as_response_error().status_code();
    RequestError {
        reason: Some(error.to_string().into()),
        ..RequestError::plain(Code::of_status(status))
    }
}

impl Observation {
    fn finish(&self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        let (request, response) = response.into_parts();
        let (response, logged) = match response.error() {
            None => (response, LoggedError::default()),
            Some(error) => {
                let framework;
                let error = match error.as_error::<RequestError>() {
                    Some(error) => error,
                    None => {
                        framework = error_of(error);
                        &framework
                    }
                };
                self.render(error)
            }
        };
        let (mut response, logged) = self.bounded(response, logged);
        self.add_headers(response.headers_mut());
        if let Some(unread) = self.context.note(|notes| notes.unread.take()) {
            response = response.map_body(|_, body| {
                BoxBody::new(Holding {
                    body,
                    _unread: unread,
                })
            });
        }
        let response = ServiceResponse::new(request, response);
        let request = Some(response.request());
        self.log(request, response.status().as_u16(), &logged);
        response
    }

    /// Takes the bytes of a large `response` from the response budget. If the budget is exhausted,
    /// returns an `unavailable` response instead. `logged` describes the error of `response`. The
    /// returned [`LoggedError`] describes the error of the returned response.
    fn bounded(&self, response: HttpResponse, logged: LoggedError) -> (HttpResponse, LoggedError) {
        match response.body().size() {
            // A streamed body is not in memory as a whole.
            BodySize::Stream => {
                let request_id = self.request_id.as_str().into();
                (
                    response.map_body(|_, body| BoxBody::new(Streamed { body, request_id })),
                    logged,
                )
            }
            size if self.responses.counts(size) => {
                let (head, body) = response.into_parts();
                match self.responses.counted(body) {
                    Ok(body) => (head.set_body(body), logged),
                    Err(error) => self.render(&error),
                }
            }
            _ => (response, logged),
        }
    }

    /// Returns an error with a complete response, for a call that lost its request object. Logs the
    /// call without its path, because only the request object has the path.
    fn lost(&self, error: RequestError) -> Error {
        let (mut response, logged) = self.render(&error);
        self.add_headers(response.headers_mut());
        self.log(None, response.status().as_u16(), &logged);
        InternalError::from_response(error, response).into()
    }

    fn render(&self, error: &RequestError) -> (HttpResponse, LoggedError) {
        let page = self.context.read(|notes| notes.error_page.clone());
        let response = match page {
            Some(page) => with_headers(page(error, &self.request_id), error),
            None => render(error, self.wants_problem, &self.request_id),
        };
        (response, LoggedError::new(error))
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let mut add = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        add(REQUEST_ID, &self.request_id);
        if let Some(quota) = self.context.read(|notes| notes.quota) {
            add("ratelimit-policy", &quota.policy());
            add("ratelimit", &quota.state());
        }
        // Responses contain a store's data or current state. Only the documentation may be cached;
        // it has already set the header.
        if !headers.contains_key(CACHE_CONTROL) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }

    /// Logs the call. `path` is the pattern that the request's path matched, never the path itself.
    fn log(&self, request: Option<&HttpRequest>, status: u16, logged: &LoggedError) {
        let method = self.method.as_str();
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let store = self.context.read(|notes| notes.store);
        let token_caller = self.context.read(|notes| notes.operator.clone());
        let user = self.context.read(|notes| notes.user.clone());
        let operator = token_caller
            .as_ref()
            .map(|caller| caller.operator.name.as_str())
            .or(user.as_deref());
        let request_id = self.request_id.as_str();
        let (code, reason, errors) = (
            logged.code,
            logged.reason.as_deref(),
            logged.errors.as_deref(),
        );
        let body_length = logged.body.as_ref().map(|(length, _)| *length);
        let body_sha256 = logged.body.as_ref().map(|(_, sha256)| sha256.as_str());
        // Strings are created inside the event, so that a disabled line costs none.
        macro_rules! event {
            ($level:ident) => {
                tracing::$level!(
                    method,
                    path = pattern(request).as_deref().unwrap_or("(none)"),
                    status,
                    duration_ms,
                    store = store.map(|store| store.to_string()).as_deref(),
                    operator,
                    request_id,
                    code,
                    reason,
                    errors,
                    body_length,
                    body_sha256,
                    "request"
                )
            };
        }
        if Code::is_ours(status) {
            event!(error);
        } else {
            event!(info);
        }
    }
}

fn pattern(request: Option<&HttpRequest>) -> Option<String> {
    request?.match_pattern()
}

/// Returns codes and paths of up to [`LOGGED_ERRORS`] problems; `None` if `error` lists none.
/// Messages may repeat values of the request, so they are not logged.
fn logged_errors(error: &RequestError) -> Option<String> {
    if error.errors.is_empty() {
        return None;
    }
    let logged = error.errors.iter().take(LOGGED_ERRORS);
    let shown: Vec<String> = logged
        .map(|violation| logged_violation(violation, error.position()))
        .collect();
    let rest = error.errors.len() - shown.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    Some(shown.join(", ") + &more)
}

fn logged_violation(violation: &Violation, position: Option<(u32, u32)>) -> String {
    if let Some((line, column)) = position {
        return format!("{} at {line}:{column}", violation.code);
    }
    // Paths consist of known names and numbers. Escaping protects the log if that changes.
    let path: String = violation
        .field
        .chars()
        .take(LOGGED_PATH)
        .flat_map(char::escape_debug)
        .collect();
    if path.is_empty() {
        return violation.code.to_string();
    }
    format!("{} {path}", violation.code)
}
