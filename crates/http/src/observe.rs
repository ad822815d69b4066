//! The outermost middleware: every response gets its request id, every error its body, and every
//! call one line in the log.

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
use actix_web::{Error, HttpMessage, HttpResponse};

use crate::accept::wants_problem;
use crate::context::{REQUEST_ID, RequestContext, request_id};
use crate::error::Code;
use crate::problem::render;
use crate::request_error::{CheckedBody, Detail, RequestError};
use crate::response_budget::ResponseBudget;
use crate::streamed::Streamed;

/// What the middleware keeps of a request while it is being served. (No copy of the request itself
/// may be held meanwhile: the router needs it for itself.)
struct Observation {
    responses: ResponseBudget,
    method: Method,
    wants_problem: bool,
    request_id: String,
    context: RequestContext,
    began: Instant,
}

/// What the log says of an error.
#[derive(Default)]
struct LoggedError {
    code: Option<&'static str>,
    reason: Option<Box<str>>,
    errors: Option<String>,
    body: Option<(usize, String)>,
}

/// Most errors that the log line of a call names.
const LOGGED_ERRORS: usize = 10;
/// Most characters of a path in the log.
const LOGGED_PATH: usize = 80;

/// Serves a request: adds its id to the response, gives an error its body, and logs one line.
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
    if request.method() != Method::POST {
        // Only operations read bodies.
        let unread = request.take_payload();
        observation
            .context
            .note(|notes| notes.unread = Some(unread));
    }
    request.extensions_mut().insert(observation.context.clone());
    let served = guarded(next.call(request)).await;
    // Sending the response takes as long as its reader likes, and no longer counts as being served.
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

/// The body of a response, holding the request's own until it is sent: see
/// [`crate::context::Notes::unread`].
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

/// Runs a call to its end, even where that is a panic: the caller gets a response all the same.
async fn guarded<F: Future>(call: F) -> Result<F::Output, Box<dyn Any + Send>> {
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

/// The error behind an error of the framework: our own, or the closest to what it made itself.
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
        let path = response.request().match_pattern();
        self.log(path.as_deref(), response.status().as_u16(), &logged);
        response
    }

    /// Counts a large response against what all of them may take, and refuses it where that is too
    /// much.
    fn bounded(&self, response: HttpResponse, logged: LoggedError) -> (HttpResponse, LoggedError) {
        match response.body().size() {
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

    /// The response where the request went down with what served it.
    fn lost(&self, error: RequestError) -> Error {
        let (mut response, logged) = self.render(&error);
        self.add_headers(response.headers_mut());
        self.log(None, response.status().as_u16(), &logged);
        InternalError::from_response(error, response).into()
    }

    fn render(&self, error: &RequestError) -> (HttpResponse, LoggedError) {
        let body = match error.detail.as_deref() {
            Some(Detail::CheckedBody(CheckedBody { length, sha256 })) => {
                Some((*length, sha256.clone()))
            }
            _ => None,
        };
        let logged = LoggedError {
            code: Some(error.code.as_str()),
            reason: error.reason.clone(),
            errors: logged_errors(error),
            body,
        };
        (render(error, self.wants_problem, &self.request_id), logged)
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
        // Responses are a store's data or the state of a moment. Only the documentation may be
        // cached, and says so.
        if !headers.contains_key(CACHE_CONTROL) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }

    /// One line a call. The path is the pattern that matched, and nothing else of what was sent is
    /// shown.
    fn log(&self, path: Option<&str>, status: u16, logged: &LoggedError) {
        let method = self.method.as_str();
        let path = path.unwrap_or("(none)");
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let store = self
            .context
            .read(|notes| notes.store)
            .map(|store| store.to_string());
        let store = store.as_deref();
        let request_id = self.request_id.as_str();
        let (code, reason, errors) = (
            logged.code,
            logged.reason.as_deref(),
            logged.errors.as_deref(),
        );
        let body_length = logged.body.as_ref().map(|(length, _)| *length);
        let body_sha256 = logged.body.as_ref().map(|(_, sha256)| sha256.as_str());
        macro_rules! event {
            ($level:ident) => {
                tracing::$level!(
                    method,
                    path,
                    status,
                    duration_ms,
                    store,
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

/// Codes and paths of an error, bounded; `None` where it has none. Messages may repeat what was
/// sent, so they are left out.
fn logged_errors(error: &RequestError) -> Option<String> {
    if error.errors.is_empty() {
        return None;
    }
    let shown = error.errors.iter().take(LOGGED_ERRORS).map(|violation| {
        // Paths are made of known names and numbers; escaping keeps the log safe should that ever
        // change.
        let path: String = violation
            .field
            .chars()
            .take(LOGGED_PATH)
            .flat_map(char::escape_debug)
            .collect();
        match error.position() {
            Some((line, column)) => format!("{} at {line}:{column}", violation.code),
            None if path.is_empty() => violation.code.to_string(),
            None => format!("{} {path}", violation.code),
        }
    });
    let shown: Vec<String> = shown.collect();
    let rest = error.errors.len() - shown.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    Some(shown.join(", ") + &more)
}
