//! The steps of receiving a call of a program that do not depend on who makes it.

use std::any::type_name;
use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use pressline_domain::report::{Path, Warning};
use pressline_http::request_error::RequestError;
use pressline_kit::json::scan;

use crate::json::{Body, Object, Unknown};

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
