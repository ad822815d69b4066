//! `ByOperator<T>`: the only way to get the body of an operator's request and who sent it.

use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::{FromRequest, HttpRequest, web};
use pressline_domain::audit::Author;
use pressline_domain::fulfilment;
use pressline_domain::id::StoreId;
use pressline_domain::limits;
use pressline_domain::operator::{AuthenticatedOperator, TokenText};
use pressline_domain::order::{Order, OrderError, Placed};
use pressline_domain::report::Warning;
use pressline_http::Caller;
use pressline_http::body::BodyBounds;
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::OperatorApi;
use crate::admission::{admit, missing, single};
use crate::intake::{Extraction, app_data, extract, parse};
use crate::json::Body;
use crate::operation::Called;

/// What operators send their token in.
const HEADER: &str = "Authorization";
/// What the token follows, in any letter case.
const SCHEME: &str = "Bearer";

/// What bounds a body with a file: in JSON, each line break and each quotation mark of the file takes another byte, and
/// 21 MiB take 88 s at 2 Mbit/s.
const WITH_FILE: BodyBounds = BodyBounds {
    most: 2 * limits::FILE + limits::BODY,
    deadline: Duration::from_secs(90),
};

/// A request that an operator has sent.
pub(crate) struct ByOperator<T: Body> {
    /// Who made the call.
    pub(crate) caller: Arc<AuthenticatedOperator>,
    /// The content of the request, which the domain checks.
    pub(crate) draft: T::Draft,
    /// Warnings about unknown fields.
    pub(crate) unknown: Vec<Warning>,
    context: RequestContext,
}

impl<T: Body> ByOperator<T> {
    /// Returns who calls, for the history of orders.
    pub(crate) fn by(&self) -> fulfilment::Caller {
        fulfilment::Caller {
            actor: self.caller.operator.actor(),
            request_id: Some(self.id()),
        }
    }

    /// Returns who calls, for the audit.
    pub(crate) fn author(&self) -> Author {
        Author::operator(&self.caller.operator, Some(self.id()))
    }

    /// Returns the id of the request.
    pub(crate) fn id(&self) -> String {
        self.context.read(|notes| notes.request_id.clone())
    }

    /// Notes the store of an order that the call has changed, for the log.
    pub(crate) fn note_store(&self, done: &Result<Placed, OrderError>) {
        if let Ok(placed) = done {
            self.note_store_of(&placed.order);
        }
    }

    /// Notes the store of an order that the call concerns, for the log.
    pub(crate) fn note_store_of(&self, order: &Order) {
        self.note_store_id(order.content.store_id);
    }

    /// Notes the store that the call concerns, for the log.
    pub(crate) fn note_store_id(&self, store: StoreId) {
        self.context.note(|notes| notes.store = Some(store));
    }
}

impl<T: Body> FromRequest for ByOperator<T> {
    type Error = RequestError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        extract(request, payload, receive)
    }
}

/// Makes all checks of a call up to the form of its JSON, in the order of the error reference.
async fn receive<T: Body>(
    request: HttpRequest,
    payload: web::Payload,
) -> Result<ByOperator<T>, RequestError> {
    let api: &web::Data<OperatorApi> = app_data(&request)?;
    let called: Called = *app_data(&request)?;
    let context = RequestContext::of(&request);
    let (token, body) = match called.operation.has_file {
        true => {
            let admitted = admit(request.headers(), WITH_FILE.most, token);
            let received = api
                .intake
                .receive_within(&request, payload, admitted, WITH_FILE);
            received.await?
        }
        false => {
            let admitted = admit(request.headers(), limits::BODY, token);
            api.intake.receive(&request, payload, admitted).await?
        }
    };
    let operator = api.authenticator.authenticate(token).await?;
    context.note(|notes| notes.operator = Some(Arc::clone(&operator)));
    let caller = Caller::Token(operator.token);
    api.intake.check_rate(caller, &context)?;
    if !operator.may(called.operation.right()) {
        return Err(forbidden(&operator));
    }
    let kind = called.operation.kind;
    api.intake.enter(caller, kind, body.len(), &context).await?;
    let (draft, unknown) = parse::<T>(&body)?;
    Ok(ByOperator {
        caller: operator,
        draft,
        unknown,
        context,
    })
}

fn forbidden(operator: &AuthenticatedOperator) -> RequestError {
    let role = operator.operator.role.as_str();
    let message = format!("the role `{role}` does not include the right to make this call");
    RequestError::new(Code::Forbidden, message)
}

/// Returns the token of a call.
///
/// # Errors
/// `permission_denied` if the header is missing, empty, repeated or malformed.
fn token(headers: &HeaderMap) -> Result<&str, RequestError> {
    let mut problems = Vec::new();
    let value = single(headers, HEADER, &mut problems);
    if value.is_none() && !headers.contains_key(AUTHORIZATION) {
        problems.push(missing(HEADER));
    }
    let Some(value) = value else {
        let reason = "the header Authorization is missing, empty or repeated";
        return Err(RequestError::token_denied(reason, problems));
    };
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    let token = token.trim_start();
    // What is malformed is not named, so that a guessing caller learns nothing.
    if !scheme.eq_ignore_ascii_case(SCHEME) || token.parse::<TokenText>().is_err() {
        let reason = "the header Authorization is not `Bearer` and a token";
        return Err(RequestError::token_denied(reason, problems));
    }
    Ok(token)
}
