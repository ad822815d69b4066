//! `Signed<T>`: the only way to a request's body, and with it to a store's id that the domain may be asked with.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::body::{BodyStream, to_bytes_limited};
use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest};
use pressline_domain::json::scan;
use pressline_domain::limits;
use pressline_domain::ports::Call;
use pressline_domain::report::{Path, Warning};
use pressline_domain::store::Store;

use crate::Api;
use crate::error::Code;
use crate::failure::Failure;
use crate::trail::Trail;
use crate::wire::{Body, Object, Unknown};

/// The header that names the store.
pub(crate) const STORE_ID: &str = "X-Service-Store-Id";
/// The header that carries the signature.
pub(crate) const SIGNATURE: &str = "X-Service-Hmac-Sha256";
/// The header that carries the time of a signature.
pub(crate) const TIMESTAMP: &str = "X-Service-Timestamp";

/// What the extractor must know of an operation before it looks at a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// The path as the interface has it, without the base URL: what a timestamped signature covers.
    pub(crate) path: &'static str,
    /// True where a store may allow calls without a signature.
    pub(crate) may_be_unsigned: bool,
}

/// A request that a store has signed, read.
pub(crate) struct Signed<T: Body> {
    /// The store that made the call.
    pub(crate) store: Arc<Store>,
    /// What it asks for, for the domain to check.
    pub(crate) draft: T::Draft,
    /// Warnings about fields that nobody knows.
    pub(crate) unknown: Vec<Warning>,
}

impl<T: Body> FromRequest for Signed<T> {
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Failure>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = web::Payload::from_request(&request, payload);
        Box::pin(async move {
            let api = request.app_data::<web::Data<Api>>().ok_or_else(|| Failure::internal("no Api"))?;
            let operation =
                request.app_data::<Operation>().ok_or_else(|| Failure::internal("no Operation"))?;
            let mut payload = payload.await.map_err(|error| Failure::internal(error.to_string()))?;
            let body = match read_body(api, request.headers(), &mut payload).await {
                Ok(body) => body,
                Err(failure) => {
                    Trail::of(&request).note(|notes| notes.unread = Some(payload.into_inner()));
                    return Err(failure);
                }
            };
            check_media_type(request.headers())?;
            let store = authenticate(api, *operation, &request, &body).await?;
            check_rate(api, &store, &Trail::of(&request))?;
            let place = api.in_flight.enter(store.id, operation.path, body.len()).await?;
            Trail::of(&request).note(|notes| notes.place = Some(place));
            let (draft, unknown) = parse::<T>(&body)?;
            Ok(Self { store, draft, unknown })
        })
    }
}

async fn read_body(api: &Api, headers: &HeaderMap, payload: &mut web::Payload) -> Result<Bytes, Failure> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > limits::BODY as u64)
    {
        return Err(too_large());
    }
    let deadline = api.settings.body_deadline;
    match tokio::time::timeout(deadline, to_bytes_limited(BodyStream::new(payload), limits::BODY)).await {
        Err(_elapsed) => {
            let message = format!("the body was not complete after {} s", deadline.as_secs_f64());
            Err(Failure::new(Code::RequestTimeout, message).closing())
        }
        Ok(Err(_exceeded)) => Err(too_large()),
        Ok(Ok(Ok(body))) => Ok(body),
        // The connection broke, or its chunks are none: most likely nobody reads this.
        Ok(Ok(Err(error))) => {
            let message = "the body could not be read to its end; is its length or chunking right?";
            let reason = Some(error.to_string().into());
            Err(Failure { reason, ..Failure::new(Code::InvalidJson, message).closing() })
        }
    }
}

fn too_large() -> Failure {
    let message = format!("the body must not have more than {} bytes", limits::BODY);
    Failure::new(Code::BodyTooLarge, message).closing()
}

/// Every value counts: of two that differ, nobody can tell which one another program on the way went by.
fn check_media_type(headers: &HeaderMap) -> Result<(), Failure> {
    let wrong = |message: &'static str| Err(Failure::new(Code::UnsupportedMediaType, message));
    let texts = |name| headers.get_all(name).map(|value| value.to_str().unwrap_or_default().trim());
    if texts(CONTENT_TYPE).next().is_none() {
        return wrong("Content-Type is missing; send application/json");
    }
    let essence = |value: &str| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if texts(CONTENT_TYPE).any(|value| essence(value) != "application/json") {
        return wrong("Content-Type must be application/json");
    }
    if texts(CONTENT_ENCODING).any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity")) {
        return wrong("Content-Encoding must be identity: send the body uncompressed");
    }
    Ok(())
}

async fn authenticate(
    api: &Api,
    operation: Operation,
    request: &HttpRequest,
    body: &[u8],
) -> Result<Arc<Store>, Failure> {
    let headers = request.headers();
    let call = Call {
        store_id: single(headers, STORE_ID),
        signature: single(headers, SIGNATURE),
        timestamp: single(headers, TIMESTAMP),
        path: operation.path,
        body,
        may_be_unsigned: operation.may_be_unsigned,
    };
    let store = api.authenticator.authenticate(&call).await?;
    Trail::of(request).note(|notes| notes.store = Some(store.id));
    Ok(store)
}

/// The value of a header. One that is no text or stands twice is given as a text that nothing accepts, because taking
/// it for absent would turn a wrong signature into none.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    const UNREADABLE: &str = "\u{fffd}";
    let mut values = headers.get_all(name);
    let value = values.next()?;
    if values.next().is_some() { Some(UNREADABLE) } else { Some(value.to_str().unwrap_or(UNREADABLE)) }
}

fn check_rate(api: &Api, store: &Store, trail: &Trail) -> Result<(), Failure> {
    let Some(limiter) = &api.limiter else { return Ok(()) };
    let checked = limiter.check(store.id);
    trail.note(|notes| notes.quota = Some(checked.quota));
    checked.wait.map_or(Ok(()), |wait| Err(Failure::rate_limited(wait)))
}

fn parse<T: Body>(body: &[u8]) -> Result<(T::Draft, Vec<Warning>), Failure> {
    let text = scan(body)?.text();
    let object = Object::<T>::whole(text)
        .map_err(|found| Failure::new(Code::InvalidJson, format!("expected an object, found {found}")))?;
    let mut unknown = Unknown::default();
    let draft = object.draft(&Path::Root, &mut unknown);
    Ok((draft, unknown.into_warnings()))
}
