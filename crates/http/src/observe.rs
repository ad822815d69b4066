//! The outermost middleware: every answer gets its request id, every failure its body, and every
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
use crate::failure::{CheckedBody, Detail, Failure};
use crate::problem::render;
use crate::response_budget::ResponseBudget;
use crate::streamed::Streamed;

/// What the middleware keeps of a request while it is being served. (No copy of the request itself
/// may be held meanwhile: the router needs it for itself.)
struct Kept {
    responses: ResponseBudget,
    method: Method,
    wants_problem: bool,
    request_id: String,
    context: RequestContext,
    began: Instant,
}

/// What the log says of a failure.
#[derive(Default)]
struct Told {
    code: Option<&'static str>,
    reason: Option<Box<str>>,
    errors: Option<String>,
    body: Option<(usize, String)>,
}

/// Most errors that the log line of a call names.
const LOGGED_ERRORS: usize = 10;
/// Most characters of a path in the log.
const LOGGED_PATH: usize = 80;

/// Serves a request: adds its id to the response, gives a failure its body, and logs one line.
pub async fn observe<B: MessageBody + 'static>(
    responses: ResponseBudget,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let kept = Kept {
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
        kept.context.note(|notes| notes.unread = Some(unread));
    }
    request.extensions_mut().insert(kept.context.clone());
    let served = guarded(next.call(request)).await;
    // Sending the response takes as long as its reader likes, and no longer counts as being served.
    drop(kept.context.note(|notes| notes.place.take()));
    match served {
        Ok(Ok(response)) => Ok(kept.finish(response.map_into_boxed_body())),
        Ok(Err(error)) => Err(kept.lost(failure_of(&error))),
        Err(panic) => Err(kept.lost(Failure::internal(format!(
            "panicked: {}",
            panic_text(&*panic)
        )))),
    }
}

/// The body of an answer, holding the request's own until it is sent: see
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

/// Runs a call to its end, even where that is a panic: the caller gets an answer all the same.
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

/// The failure behind an error of the framework: our own, or the closest to what it made itself.
fn failure_of(error: &Error) -> Failure {
    let status = error.as_response_error().status_code();
    Failure {
        reason: Some(error.to_string().into()),
        ..Failure::plain(Code::of_status(status))
    }
}

impl Kept {
    fn finish(&self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        let (request, response) = response.into_parts();
        let (response, told) = match response.error() {
            None => (response, Told::default()),
            Some(error) => {
                let framework;
                let failure = match error.as_error::<Failure>() {
                    Some(failure) => failure,
                    None => {
                        framework = failure_of(error);
                        &framework
                    }
                };
                self.render(failure)
            }
        };
        let (mut response, told) = self.bounded(response, told);
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
        self.log(path.as_deref(), response.status().as_u16(), &told);
        response
    }

    /// Counts a large response against what all of them may take, and refuses it where that is too
    /// much.
    fn bounded(&self, response: HttpResponse, told: Told) -> (HttpResponse, Told) {
        match response.body().size() {
            BodySize::Stream => {
                let request_id = self.request_id.as_str().into();
                (
                    response.map_body(|_, body| BoxBody::new(Streamed { body, request_id })),
                    told,
                )
            }
            size if self.responses.counts(size) => {
                let (head, body) = response.into_parts();
                match self.responses.counted(body) {
                    Ok(body) => (head.set_body(body), told),
                    Err(failure) => self.render(&failure),
                }
            }
            _ => (response, told),
        }
    }

    /// The answer where the request went down with what served it.
    fn lost(&self, failure: Failure) -> Error {
        let (mut response, told) = self.render(&failure);
        self.add_headers(response.headers_mut());
        self.log(None, response.status().as_u16(), &told);
        InternalError::from_response(failure, response).into()
    }

    fn render(&self, failure: &Failure) -> (HttpResponse, Told) {
        let body = match failure.detail.as_deref() {
            Some(Detail::CheckedBody(CheckedBody { length, sha256 })) => {
                Some((*length, sha256.clone()))
            }
            _ => None,
        };
        let told = Told {
            code: Some(failure.code.as_str()),
            reason: failure.reason.clone(),
            errors: logged_errors(failure),
            body,
        };
        (render(failure, self.wants_problem, &self.request_id), told)
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
    fn log(&self, path: Option<&str>, status: u16, told: &Told) {
        let method = self.method.as_str();
        let path = path.unwrap_or("(none)");
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let store = self
            .context
            .read(|notes| notes.store)
            .map(|store| store.to_string());
        let store = store.as_deref();
        let request_id = self.request_id.as_str();
        let (code, reason, errors) = (told.code, told.reason.as_deref(), told.errors.as_deref());
        let body_length = told.body.as_ref().map(|(length, _)| *length);
        let body_sha256 = told.body.as_ref().map(|(_, sha256)| sha256.as_str());
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

/// Codes and paths of a failure, bounded; `None` where it has none. Messages may repeat what was
/// sent, so they are left out.
fn logged_errors(failure: &Failure) -> Option<String> {
    if failure.errors.is_empty() {
        return None;
    }
    let shown = failure.errors.iter().take(LOGGED_ERRORS).map(|error| {
        // Paths are made of known names and numbers; escaping keeps the log safe should that ever
        // change.
        let path: String = error
            .field
            .chars()
            .take(LOGGED_PATH)
            .flat_map(char::escape_debug)
            .collect();
        match failure.position() {
            Some((line, column)) => format!("{} at {line}:{column}", error.code),
            None if path.is_empty() => error.code.to_owned(),
            None => format!("{} {path}", error.code),
        }
    });
    let shown: Vec<String> = shown.collect();
    let rest = failure.errors.len() - shown.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    Some(shown.join(", ") + &more)
}
