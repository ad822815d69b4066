//! `Signed<T>`: the only way to a request's body, and with it to a store's id that the domain may
//! be asked with.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web;
use actix_web::{FromRequest, HttpRequest};
use pressline_domain::report::{Path, Warning};
use pressline_domain::store::{Call, Denied, Store};
use pressline_kit::json::scan;

use crate::Api;
use crate::admission::{Credentials, admit, missing};
use crate::json::{Body, Object, Unknown};
use crate::operations::Called;
use pressline_http::body;
use pressline_http::context::RequestContext;
use pressline_http::headers::SIGNATURE;
use pressline_http::request_error::{CheckedBody, Detail, RequestError};
use pressline_http::wanted::BodyWanted;

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
    type Error = RequestError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, RequestError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = web::Payload::from_request(&request, payload);
        Box::pin(async move {
            let api = request
                .app_data::<web::Data<Api>>()
                .ok_or_else(|| RequestError::internal("no Api"))?;
            let called = request
                .app_data::<Called>()
                .ok_or_else(|| RequestError::internal("no operation"))?;
            let context = RequestContext::of(&request);
            let mut payload = payload
                .await
                .map_err(|error| RequestError::internal(error.to_string()))?;
            let (credentials, body) = match read(api, *called, &request, &mut payload).await {
                Ok(read) => read,
                Err(error) => {
                    context.note(|notes| notes.unread = Some(payload.into_inner()));
                    return Err(error);
                }
            };
            let store = authenticate(api, *called, &credentials, &body).await?;
            context.note(|notes| notes.store = Some(store.id));
            check_rate(api, &store, &context)?;
            let permit = api
                .in_flight
                .enter(store.id, called.operation.kind, body.len())
                .await?;
            context.note(|notes| notes.permit = Some(permit));
            let (draft, unknown) = parse::<T>(&body)?;
            Ok(Self {
                store,
                draft,
                unknown,
            })
        })
    }
}

/// Reads the body of a call whose head is in order. Its share of the budget is held until the call
/// ends.
async fn read<'r>(
    api: &Api,
    called: Called,
    request: &'r HttpRequest,
    payload: &mut web::Payload,
) -> Result<(Credentials<'r>, Vec<u8>), RequestError> {
    let admitted = admit(request.headers(), called.may_be_unsigned())?;
    BodyWanted::signal(request);
    let deadline = api.settings.body_deadline;
    let (body, share) = body::read(payload, admitted.length, &api.bodies, deadline).await?;
    RequestContext::of(request).note(|notes| notes.body = Some(share));
    Ok((admitted.credentials, body))
}

async fn authenticate(
    api: &Api,
    called: Called,
    credentials: &Credentials<'_>,
    body: &[u8],
) -> Result<Arc<Store>, RequestError> {
    let call = Call {
        store_id: Some(credentials.store_id),
        signature: credentials.signature,
        timestamp: credentials.timestamp,
        path: called.path,
        body,
        may_be_unsigned: called.may_be_unsigned(),
    };
    let reason = match api.authenticator.authenticate(&call).await {
        Ok(store) => return Ok(store),
        Err(Denied::Permission(reason)) => reason,
        Err(denied) => return Err(denied.into()),
    };
    // Whatever the reason is: that the signature is missing, the caller knows.
    let problems = if call.signature.is_none() {
        vec![missing(SIGNATURE)]
    } else {
        Vec::new()
    };
    let detail = Some(Box::new(Detail::CheckedBody(CheckedBody::of(body))));
    Err(RequestError {
        detail,
        ..RequestError::permission_denied(reason, problems)
    })
}

fn check_rate(api: &Api, store: &Store, context: &RequestContext) -> Result<(), RequestError> {
    let Some(limiter) = &api.limiter else {
        return Ok(());
    };
    let checked = limiter.check(store.id);
    context.note(|notes| notes.quota = Some(checked.quota));
    checked
        .wait
        .map_or(Ok(()), |wait| Err(RequestError::rate_limited(wait)))
}

fn parse<T: Body>(body: &[u8]) -> Result<(T::Draft, Vec<Warning>), RequestError> {
    let text = scan(body)?.text();
    let object = Object::<T>::whole(text).map_err(|found| {
        RequestError::invalid_json(format!("expected an object, found {found}"), None)
    })?;
    let mut unknown = Unknown::default();
    let draft = object.draft(&Path::Root, &mut unknown);
    Ok((draft, unknown.into_warnings()))
}
