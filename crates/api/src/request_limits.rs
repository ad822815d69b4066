//! Receiving a call: the steps that are the same for stores and operators.

use std::any::type_name;

use actix_web::{HttpRequest, web};
use pressline_domain::check::report::{Path, Warning};
use pressline_http::request_error::RequestError;
use pressline_kit::json::scan;

use crate::json::{Body, Object, Unknown};
use crate::operation::{Handler, OperationCall};
use crate::response::Response;
use crate::{operator, signed};

/// Returns the `app_data` of type `T` of the application or the resource.
pub(crate) fn app_data<T: 'static>(request: &HttpRequest) -> Result<&T, RequestError> {
    let missing = || RequestError::internal(format!("no {}", type_name::<T>()));
    request.app_data::<T>().ok_or_else(missing)
}

pub(crate) struct Request<T: Body> {
    /// The values of the request, not yet validated.
    pub(crate) draft: T::Draft,
    pub(crate) unknown: Vec<Warning>,
}

impl<T: Body> Request<T> {
    pub(crate) fn read(body: &[u8]) -> Result<Self, RequestError> {
        // The scan refuses repeated keys and deep nesting, which serde_json would accept.
        let text = scan(body)?.text();
        let object = Object::<T>::whole(text).map_err(|found| {
            RequestError::invalid_json(format!("expected an object, found {found}"), None)
        })?;
        let mut unknown = Unknown::default();
        let draft = object.draft(&Path::Root, &mut unknown);
        Ok(Self {
            draft,
            unknown: unknown.into_warnings(),
        })
    }
}

/// Receives and serves a call of an operation.
pub(crate) async fn serve(http: HttpRequest, payload: web::Payload) -> Response {
    let called: OperationCall = *app_data(&http)?;
    let serving = match called.operation.handler {
        Handler::Store(handle) => {
            let (call, body) = signed::receive(called, http, payload).await?;
            handle(call, &body)?
        }
        Handler::Operator(handle) => {
            let (call, body) = operator::receive(called, http, payload).await?;
            handle(call, &body)?
        }
    };
    serving.await
}
