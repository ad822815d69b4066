//! What bounds the calls of a listener, and the steps of receiving a call that do not depend on who
//! makes it.

use std::any::type_name;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use pressline_domain::report::{Path, Warning};
use pressline_http::budget::BodyBudget;
use pressline_http::context::RequestContext;
use pressline_http::in_flight::InFlight;
use pressline_http::limit::CallLimiter;
use pressline_http::request_error::RequestError;
use pressline_http::wanted::BodyWanted;
use pressline_http::{CallKind, Caller, body};
use pressline_kit::json::scan;

use crate::Settings;
use crate::admission::Admitted;
use crate::json::{Body, Object, Unknown};

/// The limits and budgets of one listener. Clones share them.
#[derive(Clone)]
pub(crate) struct Intake {
    limiter: Option<Arc<CallLimiter>>,
    in_flight: InFlight,
    bodies: Arc<BodyBudget>,
    body_deadline: Duration,
}

impl Intake {
    pub(crate) fn new(settings: &Settings) -> Self {
        let limiter = settings.rate_limit.map(CallLimiter::new).map(Arc::new);
        Self {
            limiter,
            in_flight: InFlight::new(settings.in_flight),
            bodies: BodyBudget::new(settings.body_budget),
            body_deadline: settings.body_deadline,
        }
    }

    /// Reads the body of a call whose head was admitted. The body's share of the budget is held
    /// until the call ends, and so is a body that is not read.
    pub(crate) async fn receive<C>(
        &self,
        request: &HttpRequest,
        mut payload: web::Payload,
        admitted: Result<Admitted<C>, RequestError>,
    ) -> Result<(C, Vec<u8>), RequestError> {
        let context = RequestContext::of(request);
        let read = match admitted {
            Ok(admitted) => self
                .read(request, &mut payload, admitted.length)
                .await
                .map(|body| (admitted.credentials, body)),
            Err(error) => Err(error),
        };
        if read.is_err() {
            context.note(|notes| notes.unread = Some(payload.into_inner()));
        }
        read
    }

    async fn read(
        &self,
        request: &HttpRequest,
        payload: &mut web::Payload,
        declared: Option<usize>,
    ) -> Result<Vec<u8>, RequestError> {
        BodyWanted::signal(request);
        let (body, share) = body::read(payload, declared, &self.bodies, self.body_deadline).await?;
        RequestContext::of(request).note(|notes| notes.body = Some(share));
        Ok(body)
    }

    /// Takes a call from the caller's quota.
    pub(crate) fn check_rate(
        &self,
        caller: Caller,
        context: &RequestContext,
    ) -> Result<(), RequestError> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        let checked = limiter.check(caller);
        context.note(|notes| notes.quota = Some(checked.quota));
        checked
            .wait
            .map_or(Ok(()), |wait| Err(RequestError::rate_limited(caller, wait)))
    }

    /// Waits for a permit to serve the call, which is held until the call has been served.
    pub(crate) async fn enter(
        &self,
        caller: Caller,
        kind: CallKind,
        bytes: usize,
        context: &RequestContext,
    ) -> Result<(), RequestError> {
        let permit = self.in_flight.enter(caller, kind, bytes).await?;
        context.note(|notes| notes.permit = Some(permit));
        Ok(())
    }
}

/// The future of an extractor.
pub(crate) type Extraction<T> = Pin<Box<dyn Future<Output = Result<T, RequestError>>>>;

/// Extracts what a handler takes from a call and its unread body.
pub(crate) fn extract<T, F>(
    request: &HttpRequest,
    payload: &mut Payload,
    receive: fn(HttpRequest, web::Payload) -> F,
) -> Extraction<T>
where
    F: Future<Output = Result<T, RequestError>> + 'static,
    T: 'static,
{
    let request = request.clone();
    let payload = web::Payload::from_request(&request, payload);
    Box::pin(async move {
        let payload = payload.await;
        let payload = payload.map_err(|error| RequestError::internal(error.to_string()))?;
        receive(request, payload).await
    })
}

/// Returns what the application or the resource was configured with.
pub(crate) fn app_data<T: 'static>(request: &HttpRequest) -> Result<&T, RequestError> {
    let missing = || RequestError::internal(format!("no {}", type_name::<T>()));
    request.app_data::<T>().ok_or_else(missing)
}

/// Reads the JSON of a body. Returns the draft, and warnings about unknown fields.
pub(crate) fn parse<T: Body>(body: &[u8]) -> Result<(T::Draft, Vec<Warning>), RequestError> {
    let text = scan(body)?.text();
    let object = Object::<T>::whole(text).map_err(|found| {
        RequestError::invalid_json(format!("expected an object, found {found}"), None)
    })?;
    let mut unknown = Unknown::default();
    let draft = object.draft(&Path::Root, &mut unknown);
    Ok((draft, unknown.into_warnings()))
}
