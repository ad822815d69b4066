//! What bounds the calls of a listener, and the steps of receiving a call that do not depend on who
//! makes it.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CONTENT_LENGTH, HeaderMap};
use actix_web::{HttpRequest, web};
use pressline_domain::limits;

use crate::body::{self, BodyBounds, too_large};
use crate::budget::BodyBudget;
use crate::caller::Caller;
use crate::context::RequestContext;
use crate::in_flight::{CallKind, InFlight, InFlightLimit};
use crate::limit::{CallLimiter, RateLimit};
use crate::request_error::RequestError;
use crate::wanted::BodyWanted;

/// What bounds the calls of a listener.
#[derive(Debug, Clone)]
pub struct IntakeLimits {
    /// How many requests a caller may send; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// How many calls of a caller are served at the same time.
    pub in_flight: InFlightLimit,
    /// Maximum total size of all request bodies in progress, in bytes.
    pub body_budget: usize,
    /// Maximum time until a body is complete.
    pub body_deadline: Duration,
}

/// The limits and budgets of one listener. Clones share them.
#[derive(Clone)]
pub struct Intake {
    limiter: Option<Arc<CallLimiter>>,
    in_flight: InFlight,
    bodies: Arc<BodyBudget>,
    body_deadline: Duration,
}

/// A checked head.
#[derive(Debug)]
pub struct Admitted<C> {
    /// The declared length of the body, in bytes.
    pub length: Option<usize>,
    /// What the head says about who calls.
    pub credentials: C,
}

impl Intake {
    /// Returns an intake that nothing has been counted by.
    #[must_use]
    pub fn new(limits: &IntakeLimits) -> Self {
        let limiter = limits.rate_limit.map(CallLimiter::new).map(Arc::new);
        Self {
            limiter,
            in_flight: InFlight::new(limits.in_flight),
            bodies: BodyBudget::new(limits.body_budget),
            body_deadline: limits.body_deadline,
        }
    }

    /// Returns the bounds of a body without a file.
    #[must_use]
    pub fn body_bounds(&self) -> BodyBounds {
        BodyBounds {
            most: limits::BODY,
            deadline: self.body_deadline,
        }
    }

    /// Reads the body of a call whose head was admitted. The body's share of the budget is held
    /// until the call ends, and so is a body that is not read.
    ///
    /// # Errors
    /// The error of the head, and as [`body::read`].
    pub async fn receive<C>(
        &self,
        request: &HttpRequest,
        mut payload: web::Payload,
        admitted: Result<Admitted<C>, RequestError>,
        bounds: BodyBounds,
    ) -> Result<(C, Vec<u8>), RequestError> {
        let context = RequestContext::of(request);
        let read = match admitted {
            Ok(admitted) => self
                .read(request, &mut payload, admitted.length, bounds)
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
        bounds: BodyBounds,
    ) -> Result<Vec<u8>, RequestError> {
        BodyWanted::signal(request);
        let (body, share) = body::read(payload, declared, &self.bodies, bounds).await?;
        RequestContext::of(request).note(|notes| notes.body = Some(share));
        Ok(body)
    }

    /// Takes a call from the caller's quota.
    ///
    /// # Errors
    /// `rate_limited` if the quota is used up.
    pub fn check_rate(&self, caller: Caller, context: &RequestContext) -> Result<(), RequestError> {
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
    ///
    /// # Errors
    /// `rate_limited` if too many calls of the caller are served or wait.
    pub async fn enter(
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

/// Reads the declared length of a body. Actix has already refused repeated and malformed lengths.
///
/// # Errors
/// `body_too_large` above `most` bytes.
pub fn declared_length(headers: &HeaderMap, most: usize) -> Result<Option<usize>, RequestError> {
    let text = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length = text.and_then(|text| text.parse::<u64>().ok());
    match length.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(length)) if length <= most => Ok(Some(length)),
        Some(_) => Err(too_large(most)),
    }
}
