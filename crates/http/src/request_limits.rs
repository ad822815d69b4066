//! Request limits of a listener, and the steps of receiving a call that are the same for all
//! callers.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CONTENT_LENGTH, HeaderMap};
use actix_web::{HttpRequest, web};
use pressline_backoffice::limits;

use crate::body::{self, BodyBounds, too_large};
use crate::budget::BodyBudget;
use crate::caller::Caller;
use crate::context::RequestContext;
use crate::file_work::FileWork;
use crate::in_flight::{CallKind, InFlight, InFlightLimit};
use crate::limit::{CallLimiter, RateLimit};
use crate::request_error::RequestError;
use crate::wanted::BodyWanted;

/// Settings for the [`RequestLimits`] of a listener.
#[derive(Debug, Clone)]
pub struct RequestLimitSettings {
    /// Limit on the requests of each caller; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Limit on the concurrent calls of each caller.
    pub in_flight: InFlightLimit,
    /// Maximum total size of all request bodies in progress, in bytes.
    pub body_budget: usize,
    /// Time limit for receiving a request body without a file.
    pub body_deadline: Duration,
}

/// Limits of a listener on calls and request bodies. Clones share the counters.
#[derive(Clone)]
pub struct RequestLimits {
    limiter: Option<Arc<CallLimiter>>,
    in_flight: InFlight,
    bodies: Arc<BodyBudget>,
    body_deadline: Duration,
    file_work: FileWork,
}

/// A request head that has passed the checks before its body is read, with the caller's
/// credentials.
#[derive(Debug)]
pub struct AdmittedHead<C> {
    /// Declared length of the body, in bytes; `None` if it is not declared.
    pub length: Option<usize>,
    /// Credentials of the caller from the head, not verified yet.
    pub credentials: C,
}

impl RequestLimits {
    /// Creates request limits from `limits`, with empty counters.
    pub fn new(limits: &RequestLimitSettings) -> Self {
        let limiter = limits.rate_limit.map(CallLimiter::new).map(Arc::new);
        Self {
            limiter,
            in_flight: InFlight::new(limits.in_flight),
            bodies: BodyBudget::new(limits.body_budget),
            body_deadline: limits.body_deadline,
            file_work: FileWork::default(),
        }
    }

    /// Returns the listener's [`FileWork`], which runs work on operators' files.
    pub fn file_work(&self) -> &FileWork {
        &self.file_work
    }

    /// Returns the bounds of a body without a file: `limits::BODY` and the configured deadline.
    pub fn body_bounds(&self) -> BodyBounds {
        BodyBounds {
            limit: limits::BODY,
            deadline: self.body_deadline,
        }
    }

    /// Reads the body in `payload` within `bounds`, if the head was admitted. Returns the
    /// credentials and the body. The context of `request` holds the body's share of the budget, or
    /// an unread body, until the call ends.
    ///
    /// # Errors
    /// The error in `admitted`, or the same errors as [`body::read`].
    pub async fn receive<C>(
        &self,
        request: &HttpRequest,
        mut payload: web::Payload,
        admitted: Result<AdmittedHead<C>, RequestError>,
        bounds: BodyBounds,
    ) -> Result<(C, Vec<u8>), RequestError> {
        let context = RequestContext::from_request(request);
        let read = match admitted {
            Ok(admitted) => self
                .read(request, &mut payload, admitted.length, bounds)
                .await
                .map(|body| (admitted.credentials, body)),
            Err(error) => Err(error),
        };
        // Dropping an unread body before the response would block the connection.
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
        // The client may wait for `100 Continue` before it sends the body.
        BodyWanted::signal(request);
        let (body, share) = body::read(payload, declared, &self.bodies, bounds).await?;
        RequestContext::from_request(request).note(|notes| notes.body = Some(share));
        Ok(body)
    }

    /// Takes a call from the quota of `caller`, and stores the remaining quota in `context` for the
    /// response headers. Does nothing without a rate limit.
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

    /// Waits for a permit to serve a call of `caller` with a body of `bytes` bytes. `context` holds
    /// the permit until the call has been served.
    ///
    /// # Errors
    /// `rate_limited` under the conditions of [`InFlight::enter`].
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

/// Returns the declared length of a body, in bytes; `None` if `headers` declare no length. Actix
/// has already refused repeated and malformed lengths.
///
/// # Errors
/// `body_too_large` if the length is more than `limit` bytes.
pub fn declared_length(headers: &HeaderMap, limit: usize) -> Result<Option<usize>, RequestError> {
    let text = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length = text.and_then(|text| text.parse::<u64>().ok());
    match length.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(length)) if length <= limit => Ok(Some(length)),
        Some(_) => Err(too_large(limit)),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;
    use actix_web::{FromRequest, HttpMessage};
    use pressline_domain::value::StoreId;
    use uuid::Uuid;

    use super::*;
    use crate::error::Code;

    const CALLER: Caller = Caller::Store(StoreId::new(Uuid::from_u128(1)));

    fn request_limits() -> RequestLimits {
        RequestLimits::new(&RequestLimitSettings {
            rate_limit: Some(RateLimit {
                per_minute: 1.try_into().unwrap(),
                burst: 1.try_into().unwrap(),
            }),
            in_flight: InFlightLimit {
                calls: 1,
                waiting: 0,
                ..InFlightLimit::default()
            },
            body_budget: 100,
            body_deadline: Duration::from_secs(7),
        })
    }

    async fn request(body: &'static [u8]) -> (HttpRequest, web::Payload) {
        let (request, mut payload) = TestRequest::post().set_payload(body).to_http_parts();
        request.extensions_mut().insert(RequestContext::default());
        let payload = web::Payload::from_request(&request, &mut payload).await;
        (request, payload.unwrap())
    }

    fn admitted(length: usize) -> Result<AdmittedHead<()>, RequestError> {
        Ok(AdmittedHead {
            length: Some(length),
            credentials: (),
        })
    }

    #[test]
    fn a_declared_length_is_checked_before_the_body_is_read() {
        for (text, limit, expected) in [
            (None, 10, Ok(None)),
            (Some("10"), 10, Ok(Some(10))),
            (Some("11"), 10, Err(Code::BodyTooLarge)),
            (Some("18446744073709551615"), 10, Err(Code::BodyTooLarge)),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(text) = text {
                headers.insert(CONTENT_LENGTH, HeaderValue::from_static(text));
            }
            let length = declared_length(&headers, limit);
            assert_eq!(length.map_err(|error| error.code), expected, "{text:?}");
        }
    }

    #[test]
    fn a_body_without_a_file_has_the_configured_deadline() {
        let bounds = request_limits().body_bounds();
        assert_eq!(bounds.deadline, Duration::from_secs(7));
        assert_eq!(bounds.limit, limits::BODY);
    }

    #[tokio::test]
    async fn a_body_holds_its_share_of_the_budget_until_its_call_ends() {
        let request_limits = request_limits();
        let bounds = request_limits.body_bounds();
        let body: &[u8] = &[b'x'; 60];
        let (first, payload) = request(body).await;
        let received = request_limits
            .receive(&first, payload, admitted(60), bounds)
            .await;
        assert_eq!(received.unwrap().1, body);
        let (second, payload) = request(body).await;
        let refused = request_limits
            .receive(&second, payload, admitted(60), bounds)
            .await;
        assert_eq!(refused.unwrap_err().code, Code::Unavailable);
        drop(RequestContext::from_request(&first).note(|notes| notes.body.take()));
        let (third, payload) = request(body).await;
        request_limits
            .receive(&third, payload, admitted(60), bounds)
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn a_body_that_is_refused_stays_until_the_response_is_sent() {
        let request_limits = request_limits();
        let bounds = request_limits.body_bounds();
        let head = Err(RequestError::plain(Code::UnsupportedMediaType));
        for (admitted, code) in [
            (head, Code::UnsupportedMediaType),
            (admitted(200), Code::Unavailable),
        ] {
            let (request, payload) = request(&[b'x'; 200]).await;
            let refused = request_limits
                .receive(&request, payload, admitted, bounds)
                .await;
            assert_eq!(refused.unwrap_err().code, code);
            let context = RequestContext::from_request(&request);
            assert!(context.read(|notes| notes.unread.is_some()));
            assert!(context.read(|notes| notes.body.is_none()));
        }
    }

    #[test]
    fn the_quota_is_noted_for_the_headers_also_if_it_is_used_up() {
        let request_limits = request_limits();
        let context = RequestContext::default();
        request_limits.check_rate(CALLER, &context).unwrap();
        let state = context.read(|notes| notes.quota.unwrap().state());
        assert_eq!(state, "\"store\";r=0;t=60");
        let context = RequestContext::default();
        let refused = request_limits.check_rate(CALLER, &context).unwrap_err();
        assert_eq!(refused.code, Code::RateLimited);
        assert!(
            refused
                .retry_after
                .is_some_and(|seconds| seconds.get() <= 60)
        );
        assert!(context.read(|notes| notes.quota.is_some()));
    }

    #[test]
    fn without_a_rate_limit_no_quota_is_shown() {
        let request_limits = RequestLimits {
            limiter: None,
            ..request_limits()
        };
        let context = RequestContext::default();
        for _ in 0..1000 {
            request_limits.check_rate(CALLER, &context).unwrap();
        }
        assert!(context.read(|notes| notes.quota.is_none()));
    }

    #[tokio::test]
    async fn a_call_holds_its_permit_until_it_has_been_served() {
        let request_limits = request_limits();
        let context = RequestContext::default();
        let kind = CallKind::Ordinary;
        request_limits
            .enter(CALLER, kind, 1, &context)
            .await
            .unwrap();
        let other = RequestContext::default();
        let refused = request_limits.clone().enter(CALLER, kind, 1, &other).await;
        assert_eq!(refused.unwrap_err().code, Code::RateLimited);
        drop(context.note(|notes| notes.permit.take()));
        request_limits.enter(CALLER, kind, 1, &other).await.unwrap();
    }
}
