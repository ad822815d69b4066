//! `ByOperator`: the only way to get the body of an operator's request and the operator who sent
//! it.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::{HttpRequest, web};
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::limits;
use pressline_backoffice::operator::{AuthenticatedOperator, OperatorStores, TokenText};
use pressline_domain::fulfilment;
use pressline_domain::order::{Order, OrderScope, OwnOrderIds};
use pressline_domain::value::StoreId;
use pressline_http::Caller;
use pressline_http::body::BodyBounds;
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::admission::{admit, missing, single};
use super::rules::{CallRules, app_data};
use crate::state::OperatorApi;

const HEADER: &str = "Authorization";
/// Authentication scheme in the header `Authorization`; any letter case is accepted.
const SCHEME: &str = "Bearer";

/// Bounds of a body with a file. The body may be twice as large as the file, because JSON writes
/// line breaks and quotation marks as two bytes. At 2 Mbit/s, the largest body, 21 MiB, takes 88 s,
/// less than `deadline`.
const WITH_FILE: BodyBounds = BodyBounds {
    limit: 2 * limits::FILE + limits::BODY,
    deadline: Duration::from_secs(90),
};

pub(crate) struct ByOperator {
    pub(crate) api: web::Data<OperatorApi>,
    pub(crate) caller: Arc<AuthenticatedOperator>,
    rules: CallRules,
    context: RequestContext,
}

impl ByOperator {
    /// Checks the call in the order of `docs/ERRORS.md`. Returns its body, not parsed yet.
    pub(crate) async fn receive(
        rules: CallRules,
        request: HttpRequest,
        payload: web::Payload,
    ) -> Result<(Self, Vec<u8>), RequestError> {
        let api = app_data::<web::Data<OperatorApi>>(&request)?.clone();
        let context = RequestContext::from_request(&request);
        let request_limits = &api.request_limits;
        let bounds = if rules.has_file {
            WITH_FILE
        } else {
            request_limits.body_bounds()
        };
        let admitted = admit(request.headers(), bounds.limit, token);
        let received = request_limits.receive(&request, payload, admitted, bounds);
        let (token, body) = received.await?;
        let operator = api.authenticator.authenticate(token).await?;
        context.note(|notes| notes.operator = Some(Arc::clone(&operator)));
        let caller = Caller::Token(operator.token);
        // Before the rights, so that calls without the right count against the rate too.
        request_limits.check_rate(caller, &context)?;
        if !operator.operator.may(rules.right()) {
            return Err(forbidden(&operator));
        }
        let kind = rules.kind;
        request_limits
            .enter(caller, kind, body.len(), &context)
            .await?;
        let call = Self {
            api,
            caller: operator,
            rules,
            context,
        };
        Ok((call, body))
    }

    pub(crate) fn by(&self) -> fulfilment::Caller {
        fulfilment::Caller {
            actor: self.caller.operator.actor(),
            request_id: Some(self.id()),
        }
    }

    pub(crate) fn author(&self) -> AuditContext {
        self.caller.operator.audit_context(Some(self.id()))
    }

    pub(crate) fn id(&self) -> String {
        self.context.read(|notes| notes.request_id.clone())
    }

    pub(crate) fn right(&self) -> &'static str {
        self.rules.right()
    }

    pub(crate) fn scope(&self) -> OrderScope<'_> {
        OrderScope::Stores {
            set: &self.caller.operator.stores,
            by_prefix: self.api.services.stores.by_prefix(),
            own_ids: OwnOrderIds::Ambiguous,
        }
    }

    pub(crate) fn stores(&self) -> OperatorStores<'_> {
        let operator = &self.caller.operator;
        OperatorStores::new(&self.api.services.stores, operator, Some(self.id()))
    }

    pub(crate) fn note_store_of(&self, order: &Order) {
        self.note_store_id(order.content.store_id);
    }

    pub(crate) fn note_store_id(&self, store: StoreId) {
        self.context.note(|notes| notes.store = Some(store));
    }
}

fn forbidden(operator: &AuthenticatedOperator) -> RequestError {
    let role = operator.operator.role.as_str();
    let message = format!("the role `{role}` does not include the right to make this call");
    RequestError::new(Code::Forbidden, message)
}

fn token(headers: &HeaderMap) -> Result<&str, RequestError> {
    let mut problems = Vec::new();
    let value = single(headers, HEADER, &mut problems);
    // `single` has already reported an empty or repeated header.
    if value.is_none() && !headers.contains_key(AUTHORIZATION) {
        problems.push(missing(HEADER));
    }
    let Some(value) = value else {
        let reason = "the header Authorization is missing, empty or repeated";
        return Err(RequestError::token_denied(reason, problems));
    };
    let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
    let token = rest.trim_start();
    // The response does not say which part is malformed, so that a guessing caller learns nothing.
    if !scheme.eq_ignore_ascii_case(SCHEME) || TokenText::parse(token).is_none() {
        let reason = "the header Authorization is not `Bearer` and a token";
        return Err(RequestError::token_denied(reason, problems));
    }
    Ok(token)
}
