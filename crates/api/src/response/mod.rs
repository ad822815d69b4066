//! Common parts of all responses.

pub(crate) mod money;
pub(crate) mod page;
pub(crate) mod single;
pub(crate) mod text;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::Bytes;
use pressline_domain::check::report::Warning;
use pressline_http::error::OK;
use pressline_http::headers::JSON;
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use self::single::Envelope;

pub(crate) type Response = Result<HttpResponse, RequestError>;

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Initial capacity of the buffer for a response, in bytes. An order with a few items fits in, so
/// the buffer rarely grows.
const USUAL_RESPONSE: usize = 8 * 1024;

/// Adds `unknown`, the warnings about unknown fields, to the response or to the error.
pub(crate) fn respond<T, E>(
    result: Result<T, E>,
    unknown: Vec<Warning>,
    render: impl FnOnce(T, Vec<Warning>) -> Response,
) -> Response
where
    RequestError: From<E>,
{
    match result {
        Ok(value) => render(value, unknown),
        Err(error) => Err(RequestError::from(error).warned(unknown)),
    }
}

pub(crate) fn json(body: &impl Serialize) -> Result<HttpResponse, RequestError> {
    let mut response = HttpResponse::build(OK);
    Ok(response.content_type(JSON).body(bytes(body)?))
}

/// Returns a response with the message `No change`, marked by [`mark_replayed`].
pub(crate) fn already_so(
    body: impl Serialize + ToSchema,
    warnings: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let mut response = json(&Envelope::new("No change", body, warnings))?;
    mark_replayed(&mut response);
    Ok(response)
}

/// Adds `Idempotent-Replayed`, for a repeated call or a command that changed nothing.
pub(crate) fn mark_replayed(response: &mut HttpResponse) {
    let replayed = HeaderValue::from_static("true");
    response.headers_mut().insert(REPLAYED, replayed);
}

pub(crate) fn bytes(value: &impl Serialize) -> Result<Vec<u8>, RequestError> {
    let mut bytes = Vec::with_capacity(USUAL_RESPONSE);
    match serde_json::to_writer(&mut bytes, value) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(RequestError::internal(format!(
            "writing a response: {error}"
        ))),
    }
}

/// Splits JSON with an empty list `data` at the place for the entries of the list.
pub(crate) fn around_data(response: Vec<u8>) -> Result<(Bytes, Bytes), RequestError> {
    const EMPTY: &[u8] = b"\"data\":[]";
    // Only a constant message precedes the list, so the first match is the list.
    let at = response.windows(EMPTY.len()).position(|part| part == EMPTY);
    let at = at.ok_or_else(|| RequestError::internal("a response without a list of entries"))?;
    let mut head = Bytes::from(response);
    let tail = head.split_off(at + EMPTY.len() - 1);
    Ok((head, tail))
}
