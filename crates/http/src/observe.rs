//! The outermost middleware: every answer gets its request id, every failure its body, and every call one line in the
//! log.

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
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage, HttpResponse};

use crate::error::Code;
use crate::failure::Failure;
use crate::problem::{render, wants_problem};
use crate::trail::{REQUEST_ID, Trail, request_id};

/// What the middleware keeps of a request while it is being served. (No copy of the request itself may be held
/// meanwhile: the router needs it for itself.)
struct Kept {
    method: Method,
    wants_problem: bool,
    request_id: String,
    trail: Trail,
    began: Instant,
}

/// What the log says of a failure.
#[derive(Default)]
struct Told {
    code: Option<&'static str>,
    reason: Option<Box<str>>,
}

pub(crate) async fn observe<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let kept = Kept {
        method: request.method().clone(),
        wants_problem: wants_problem(request.headers()),
        request_id: request_id(request.headers()),
        trail: Trail::default(),
        began: Instant::now(),
    };
    if request.method() != Method::POST {
        // Only operations read bodies.
        let unread = request.take_payload();
        kept.trail.note(|notes| notes.unread = Some(unread));
    }
    request.extensions_mut().insert(kept.trail.clone());
    let served = guarded(next.call(request)).await;
    // Sending the response takes as long as its reader likes, and no longer counts as being served.
    drop(kept.trail.note(|notes| notes.place.take()));
    match served {
        Ok(Ok(response)) => Ok(kept.finish(response.map_into_boxed_body())),
        Ok(Err(error)) => Err(kept.lost(failure_of(&error))),
        Err(panic) => Err(kept.lost(Failure::internal(format!("panicked: {}", panic_text(&*panic))))),
    }
}

/// The body of an answer, holding the request's own until it is sent: see [`crate::trail::Notes::unread`].
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
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// The failure behind an error of the framework: our own, or the closest to what it made itself.
fn failure_of(error: &Error) -> Failure {
    let status = error.as_response_error().status_code();
    Failure { reason: Some(error.to_string().into()), ..Failure::plain(Code::of_status(status)) }
}

impl Kept {
    fn finish(&self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        let (request, response) = response.into_parts();
        let (mut response, told) = match response.error() {
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
        self.add_headers(response.headers_mut());
        if let Some(unread) = self.trail.note(|notes| notes.unread.take()) {
            response = response.map_body(|_, body| BoxBody::new(Holding { body, _unread: unread }));
        }
        let response = ServiceResponse::new(request, response);
        let path = response.request().match_pattern();
        self.log(path.as_deref(), response.status().as_u16(), &told);
        response
    }

    /// The answer where the request went down with what served it.
    fn lost(&self, failure: Failure) -> Error {
        let (mut response, told) = self.render(&failure);
        self.add_headers(response.headers_mut());
        self.log(None, response.status().as_u16(), &told);
        InternalError::from_response(failure, response).into()
    }

    fn render(&self, failure: &Failure) -> (HttpResponse, Told) {
        let told = Told { code: Some(failure.code.as_str()), reason: failure.reason.clone() };
        (render(failure, self.wants_problem, &self.request_id), told)
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let mut add = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        add(REQUEST_ID, &self.request_id);
        if let Some(quota) = self.trail.read(|notes| notes.quota) {
            add("ratelimit-policy", &quota.policy());
            add("ratelimit", &quota.state());
        }
    }

    /// One line a call. The path is the pattern that matched, and nothing else of what was sent is shown.
    fn log(&self, path: Option<&str>, status: u16, told: &Told) {
        let method = self.method.as_str();
        let path = path.unwrap_or("(none)");
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let store = self.trail.read(|notes| notes.store).map(|store| store.to_string());
        let store = store.as_deref();
        let request_id = self.request_id.as_str();
        let (code, reason) = (told.code, told.reason.as_deref());
        if Code::is_ours(status) {
            tracing::error!(method, path, status, duration_ms, store, request_id, code, reason, "request");
        } else {
            tracing::info!(method, path, status, duration_ms, store, request_id, code, reason, "request");
        }
    }
}
