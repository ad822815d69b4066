//! Faults that a test store requests, to test how its program handles failed calls.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use pressline_backoffice::sandbox::check_test_store;
use pressline_domain::check::{IssueCode, Path, Report};
use pressline_domain::order::OrderError;
use pressline_domain::store::Store;
use pressline_domain::value::StoreId;
use pressline_http::Caller;
use pressline_http::context::RequestContext;
use pressline_http::error::OK;
use pressline_http::headers::FAULT;
use pressline_http::request_error::RequestError;
use pressline_http::server::Stopping;
use pressline_kit::lock;

/// Time for which a call with the fault `timeout` is held. Afterwards, its connection is closed
/// without a response. The time is longer than the usual timeouts of callers.
const SILENCE: Duration = Duration::from_secs(30);
/// Maximum number of held calls of all stores. Each held call has a connection, but no thread.
const HELD_CALLS: usize = 64;
/// Maximum number of held calls per store. Eight stores can reach their limits concurrently.
const HELD_OF_STORE: usize = 8;
/// Value of `Retry-After` for `rate_limited`, and if too many calls are held.
const WAIT: Duration = Duration::from_secs(2);

pub(crate) const NAMES: [&str; 4] = ["unavailable", "timeout", "rate_limited", "internal_error"];

enum Fault {
    /// The call is served, but its response is `internal_error`.
    InternalError,
    /// The call is served, but its connection is closed without a response.
    Silence(HoldGuard),
}

/// Counters of held calls, which limit calls with the fault `timeout`. Clones share the counters.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<CallsOnHold>>);

/// Only stores with held calls have an entry.
type CallsOnHold = BTreeMap<StoreId, usize>;

struct HoldGuard {
    faults: Faults,
    store: StoreId,
}

impl Drop for HoldGuard {
    fn drop(&mut self) {
        let mut held = lock(&self.faults.0);
        if let Some(of_store) = held.get_mut(&self.store) {
            *of_store -= 1;
        }
        // Without this, the map would grow with every store that has ever requested `timeout`.
        held.retain(|_, of_store| *of_store > 0);
    }
}

impl Faults {
    /// Returns `None` if the limit of all stores or of `store` is reached.
    fn hold(&self, store: StoreId) -> Option<HoldGuard> {
        let mut held = lock(&self.0);
        let all: usize = held.values().sum();
        let of_store = held.get(&store).copied().unwrap_or_default();
        if all >= HELD_CALLS || of_store >= HELD_OF_STORE {
            return None;
        }
        held.insert(store, of_store + 1);
        let faults = self.clone();
        Some(HoldGuard { faults, store })
    }

    /// Applies the fault in the header [`FAULT`], or puts it into the extensions of `request`, for
    /// [`answer`], if it concerns the response. Also returns `not_a_test_store`,
    /// `validation_failed` for an unknown fault, or `rate_limited` if too many calls are held.
    pub(crate) fn take(&self, request: &HttpRequest, store: &Store) -> Result<(), RequestError> {
        let Some(value) = request.headers().get(FAULT) else {
            return Ok(());
        };
        check_test_store(store)?;
        let caller = Caller::Store(store.id);
        let fault = match value.to_str().unwrap_or_default() {
            "unavailable" => {
                let message = "the service is not available, as `X-Sandbox-Fault` asks for";
                return Err(RequestError::unavailable(message));
            }
            "rate_limited" => return Err(RequestError::rate_limited(caller, WAIT)),
            "internal_error" => Fault::InternalError,
            "timeout" => {
                let guard = self.hold(store.id);
                Fault::Silence(guard.ok_or_else(|| RequestError::rate_limited(caller, WAIT))?)
            }
            _ => return Err(unknown()),
        };
        request.extensions_mut().insert(fault);
        Ok(())
    }
}

fn unknown() -> RequestError {
    let mut report = Report::default();
    let message = format!("not one of {}", NAMES.join(", "));
    report.violation(&Path::Root.key(FAULT), IssueCode::InvalidFormat, message);
    OrderError::from(report).into()
}

/// Applies the fault that [`Faults::take`] left in the extensions of the request, if any.
pub(crate) async fn answer(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?;
    let fault = response.request().extensions_mut().remove::<Fault>();
    match fault {
        None => Ok(response),
        Some(Fault::InternalError) => {
            let error = RequestError::internal("`X-Sandbox-Fault` asks for it");
            Ok(response.error_response(error))
        }
        Some(Fault::Silence(guard)) => {
            hold(response.request()).await;
            drop(guard);
            Ok(response.into_response(HttpResponse::build(OK).body(Cut)))
        }
    }
}

/// Waits for [`SILENCE`] or the server's stop. Meanwhile, the call does not count as in flight.
async fn hold(request: &HttpRequest) {
    let context = RequestContext::from_request(request);
    drop(context.note(|notes| (notes.permit.take(), notes.body.take())));
    tokio::select! {
        () = tokio::time::sleep(SILENCE) => {}
        () = Stopping::begun_for(request) => {}
    }
}

/// A body that fails immediately, so that the connection is closed before any response is sent.
struct Cut;

impl MessageBody for Cut {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Sized(1)
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(Some(Err("`X-Sandbox-Fault` asks for no response".into())))
    }
}
