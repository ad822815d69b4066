//! `Signed`: the only way to get the body of a request and the store that sent it.

use std::sync::Arc;

use actix_web::{HttpRequest, web};
use pressline_backoffice::limits;
use pressline_backoffice::sandbox::check_test_store;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment;
use pressline_domain::store::{Authenticated, Call, Denied, Store};
use pressline_domain::value::KeyId;

use super::admission::{Credentials, admit, credentials, missing};
use super::rules::{CallRules, app_data};
use crate::state::Api;
use pressline_http::Caller;
use pressline_http::context::RequestContext;
use pressline_http::headers::SIGNATURE;
use pressline_http::request_error::{Detail, RequestError};

const DRY_RUN: &[u8] = b"dryRun";

pub(crate) struct Signed {
    pub(crate) api: web::Data<Api>,
    pub(crate) http: HttpRequest,
    pub(crate) store: Arc<Store>,
    /// `None` if the call is a search without a signature.
    key: Option<KeyId>,
    request_id: String,
}

impl Signed {
    /// Checks the call in the order of `docs/ERRORS.md`. Returns its body, not parsed yet.
    pub(crate) async fn receive(
        rules: CallRules,
        request: HttpRequest,
        payload: web::Payload,
    ) -> Result<(Self, Vec<u8>), RequestError> {
        let api = app_data::<web::Data<Api>>(&request)?.clone();
        let context = RequestContext::from_request(&request);
        let admitted = admit(request.headers(), limits::BODY, |headers| {
            credentials(headers, rules.signature_form())
        });
        let bounds = api.request_limits.body_bounds();
        let received = api
            .request_limits
            .receive(&request, payload, admitted, bounds);
        let (credentials, body) = received.await?;
        let (Authenticated { store, key }, body) =
            authenticate(&api, rules, &credentials, body).await?;
        context.note(|notes| notes.store = Some(store.id));
        let caller = Caller::Store(store.id);
        api.request_limits.check_rate(caller, &context)?;
        if rules.of_test_stores {
            check_test_store(&store)?;
        }
        api.faults.take(&request, &store)?;
        let kind = rules.kind;
        api.request_limits
            .enter(caller, kind, body.len(), &context)
            .await?;
        if rules.creates {
            check_room(&api, &store, &body)?;
        }
        let request_id = context.read(|notes| notes.request_id.clone());
        let call = Self {
            api,
            http: request,
            store,
            key,
            request_id,
        };
        Ok((call, body))
    }

    /// Returns the author for the order's history; `internal_error` if the call is unsigned.
    pub(crate) fn caller(&self) -> Result<fulfilment::Caller, RequestError> {
        // Only a search may be unsigned, so every change has a key.
        let key = self
            .key
            .ok_or_else(|| RequestError::internal("a change without a key"))?;
        Ok(fulfilment::Caller {
            actor: Actor::Store(key),
            request_id: Some(self.request_id.clone()),
        })
    }
}

/// Returns `body` unchanged. If the signature is refused, the error contains `body`, for the log.
async fn authenticate(
    api: &Api,
    rules: CallRules,
    credentials: &Credentials<'_>,
    body: Vec<u8>,
) -> Result<(Authenticated, Vec<u8>), RequestError> {
    let call = Call {
        store_id: Some(credentials.store_id),
        signature: credentials.signature,
        timestamp: credentials.timestamp,
        path: rules.path,
        body: &body,
        form: rules.signature_form(),
    };
    let reason = match api.authenticator.authenticate(&call).await {
        Ok(authenticated) => return Ok((authenticated, body)),
        Err(Denied::Permission(reason)) => reason,
        Err(denied) => return Err(denied.into()),
    };
    // A missing signature is named whatever the reason is, because the caller knows that it is
    // missing.
    let problems = if call.signature.is_none() {
        vec![missing(SIGNATURE)]
    } else {
        Vec::new()
    };
    Err(RequestError {
        detail: Some(Box::new(Detail::CheckedBody(body))),
        ..RequestError::permission_denied(reason, problems)
    })
}

/// Refuses a call early if the write queue of `store` is full, except a possible dry run.
fn check_room(api: &Api, store: &Store, body: &[u8]) -> Result<(), RequestError> {
    match api.services.repository.check_room(store.id) {
        Err(full) if !may_be_dry_run(body) => Err(full.into()),
        _ => Ok(()),
    }
}

/// Looks for `dryRun`, or for a `\u` escape, with which JSON can also write this key.
fn may_be_dry_run(body: &[u8]) -> bool {
    let contains = |part: &[u8]| body.windows(part.len()).any(|window| window == part);
    contains(DRY_RUN) || contains(b"\\u")
}
