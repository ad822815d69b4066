//! Bodies of error responses, in the service's own form or in the form of RFC 9457.

#[cfg(test)]
mod tests;

use actix_web::HttpResponse;
use actix_web::http::ConnectionType;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER,
    VARY, WWW_AUTHENTICATE,
};
use pressline_domain::check::{Violation, capped};
use pressline_domain::fulfilment::{Command, ItemStatus};
use pressline_domain::order::OrderIdentity;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Code;
use crate::headers::{JSON, PROBLEM_JSON, SESSION_CHALLENGE};
use crate::request_error::{Detail, RequestError};
use crate::schema;

/// A problem with a request's field, or a warning about it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Issue {
    /// Path of the field as it was sent, such as `line_items[1].quantity`; empty for the whole
    /// request.
    field: String,
    /// Kind of problem, for programs.
    #[schema(value_type = schema::IssueCode)]
    code: &'static str,
    /// The problem and its solution, for people.
    message: String,
    /// Line of the problem in the body, from 1. Only with `invalid_json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    line: Option<u32>,
    /// Column of the problem in characters, from 1. Only with `invalid_json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    column: Option<u32>,
}

/// Returns an issue for each violation in `list`. If there are more than the maximum number, some
/// are left out, and the last issue says how many.
pub fn issues(list: Vec<Violation>) -> Vec<Issue> {
    capped(list).into_iter().map(Issue::from).collect()
}

impl From<Violation> for Issue {
    fn from(violation: Violation) -> Self {
        Self {
            field: violation.field,
            code: violation.code.as_str(),
            message: violation.message,
            line: None,
            column: None,
        }
    }
}

/// Returns the problems of `error`. The first problem gets the position of `error`, if any.
fn errors(error: &RequestError) -> Vec<Issue> {
    let mut list = issues(error.errors.clone());
    if let (Some(first), Some((line, column))) = (list.first_mut(), error.position()) {
        (first.line, first.column) = (Some(line), Some(column));
    }
    list
}

/// The names of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Existing {
    /// The service's id of the order.
    #[schema(format = "uuid")]
    id: String,
    /// The service's order number, such as `SUN-12`.
    #[schema(pattern = "^[A-Z0-9]{1,12}-[0-9]+$")]
    service_order_id: String,
    /// The store's id of the order.
    order_id: String,
}

/// Fields of a response that only errors about items or names have.
struct Details {
    candidates: Option<Vec<Existing>>,
    from: Option<&'static str>,
    to: Option<Option<&'static str>>,
    allowed: Option<Vec<&'static str>>,
    items: Option<Vec<String>>,
}

impl Details {
    fn new(error: &RequestError) -> Self {
        let transition = match error.detail.as_deref() {
            Some(Detail::Transition(transition)) => Some(transition),
            _ => None,
        };
        Self {
            candidates: candidates(error),
            from: transition.map(|transition| transition.from.as_str()),
            to: transition.map(|transition| transition.to.map(ItemStatus::as_str)),
            allowed: transition.map(|transition| names(&transition.allowed)),
            items: items(error),
        }
    }
}

/// An error response, with its `code` for programs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody<'a> {
    /// Always `false`.
    success: bool,
    /// The problem and its solution, for people.
    message: &'a str,
    /// Always `null`.
    #[schema(value_type = Option<Object>, required)]
    data: (),
    /// Kind of error, for programs: see the error reference.
    #[schema(value_type = schema::ErrorCode)]
    code: &'a str,
    /// All problems, if the error is about fields.
    errors: Vec<Issue>,
    /// Warnings in addition to the errors. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
    /// The existing order. Only with `duplicate_order_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    existing: Option<Existing>,
    /// The orders that the name fits. Only with `ambiguous_order_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candidates: Option<Vec<Existing>>,
    /// Status of the first item that cannot be moved. Only with `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<&'static str>,
    /// Status that the command leads to; `null` if there is no single status. Only with
    /// `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    to: Option<Option<&'static str>>,
    /// Possible actions. Only with `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    allowed: Option<Vec<&'static str>>,
    /// Ids of the items. Only with `illegal_transition`, `order_not_editable` and `change_pending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    items: Option<Vec<String>>,
    /// Last sequence of the store's feed. Only with `position_ahead`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    last_sequence: Option<u64>,
    /// Id of the call, as in `X-Request-Id`.
    request_id: &'a str,
}

/// Refusal of one of several operations of a call, with its `code`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Refusal)]
pub struct RefusalBody {
    /// Kind of error, for programs: see the error reference.
    #[schema(value_type = schema::ErrorCode)]
    code: &'static str,
    /// The problem and its solution, for people.
    message: String,
    /// The orders that the name fits. Only with `ambiguous_order_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candidates: Option<Vec<Existing>>,
    /// Status of the first item that cannot be moved. Only with `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<&'static str>,
    /// Status that the command leads to; `null` if there is no single status. Only with
    /// `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    to: Option<Option<&'static str>>,
    /// Possible actions. Only with `illegal_transition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    allowed: Option<Vec<&'static str>>,
    /// Ids of the items. Only with `illegal_transition`, `order_not_editable` and `change_pending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    items: Option<Vec<String>>,
}

impl From<RequestError> for RefusalBody {
    fn from(error: RequestError) -> Self {
        let details = Details::new(&error);
        Self {
            code: error.code.as_str(),
            candidates: details.candidates,
            from: details.from,
            to: details.to,
            allowed: details.allowed,
            items: details.items,
            message: error.message.into_owned(),
        }
    }
}

/// An error in the form of RFC 9457, with the members of every error.
#[derive(Serialize, ToSchema)]
pub struct Problem<'a> {
    /// Kind of problem, for programs.
    #[serde(rename = "type")]
    #[schema(format = "uri")]
    kind: String,
    /// Kind of problem, for people: the same for each `type`.
    title: &'static str,
    /// HTTP status of the response.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// Same as `message`.
    detail: &'a str,
    #[serde(flatten)]
    body: ErrorBody<'a>,
}

fn existing(error: &RequestError) -> Option<Existing> {
    let Some(Detail::Existing(existing)) = error.detail.as_deref() else {
        return None;
    };
    Some(Existing::from(existing))
}

fn candidates(error: &RequestError) -> Option<Vec<Existing>> {
    match error.detail.as_deref()? {
        Detail::Candidates(candidates) => Some(candidates.iter().map(Existing::from).collect()),
        _ => None,
    }
}

impl From<&OrderIdentity> for Existing {
    fn from(order: &OrderIdentity) -> Self {
        Self {
            id: order.id.to_string(),
            service_order_id: order.service_order_id.to_string(),
            order_id: order.order_id.clone(),
        }
    }
}

fn last_sequence(error: &RequestError) -> Option<u64> {
    match error.detail.as_deref()? {
        Detail::LastSequence(last) => Some(*last),
        _ => None,
    }
}

fn items(error: &RequestError) -> Option<Vec<String>> {
    let items = match error.detail.as_deref()? {
        Detail::Items(items) => items,
        Detail::Transition(transition) => &transition.items,
        _ => return None,
    };
    Some(items.iter().map(ToString::to_string).collect())
}

fn names(actions: &[Command]) -> Vec<&'static str> {
    actions.iter().map(|action| action.as_str()).collect()
}

/// Returns the response for `error`: in the form of RFC 9457 if `as_problem` is true, otherwise in
/// the service's own form.
pub fn render(error: &RequestError, as_problem: bool, request_id: &str) -> HttpResponse {
    let definition = error.code.definition();
    let details = Details::new(error);
    let body = ErrorBody {
        success: false,
        message: &error.message,
        data: (),
        code: definition.name,
        errors: errors(error),
        warnings: issues(error.warnings.clone()),
        existing: existing(error),
        candidates: details.candidates,
        from: details.from,
        to: details.to,
        allowed: details.allowed,
        items: details.items,
        last_sequence: last_sequence(error),
        request_id,
    };
    let mut response = HttpResponse::build(definition.status);
    // A cache must not serve the plain form to a caller that requests the other form.
    response.insert_header((VARY, "Accept"));
    let bytes = if as_problem {
        response.insert_header((CONTENT_TYPE, PROBLEM_JSON));
        serde_json::to_vec(&Problem {
            kind: definition.kind(),
            title: definition.title,
            status: definition.status.as_u16(),
            detail: &error.message,
            body,
        })
    } else {
        response.insert_header((CONTENT_TYPE, JSON));
        serde_json::to_vec(&body)
    };
    // Serializing the types of this file cannot fail. If it did, the status would still be right.
    with_headers(response.body(bytes.unwrap_or_default()), error)
}

/// Value of `WWW-Authenticate` for calls of stores.
const CHALLENGE: &str = "HMAC-SHA256 headers=\"X-Service-Store-Id X-Service-Hmac-Sha256\"";

/// Returns `response` with the HTTP status and the headers of `error`.
pub(crate) fn with_headers(mut response: HttpResponse, error: &RequestError) -> HttpResponse {
    *response.status_mut() = error.code.status();
    for (name, value) in headers_of(error) {
        response.headers_mut().insert(name, value);
    }
    if error.closes {
        response
            .head_mut()
            .set_connection_type(ConnectionType::Close);
    }
    response
}

fn headers_of(error: &RequestError) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = Vec::new();
    if matches!(error.code, Code::UnsupportedMediaType) {
        headers.push((ACCEPT, HeaderValue::from_static(JSON)));
        headers.push((ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    if let Some(seconds) = error.retry_after {
        headers.push((RETRY_AFTER, seconds.get().into()));
    }
    if let Some(allow) = error.allow {
        headers.push((ALLOW, HeaderValue::from_static(allow)));
    }
    if matches!(
        error.code,
        Code::PermissionDenied | Code::TimestampOutOfRange | Code::TimestampRequired
    ) {
        let challenge = match error.detail.as_deref() {
            Some(Detail::BearerToken) => "Bearer",
            Some(Detail::Session) => SESSION_CHALLENGE,
            _ => CHALLENGE,
        };
        headers.push((WWW_AUTHENTICATE, HeaderValue::from_static(challenge)));
    }
    if error.closes {
        headers.push((CONNECTION, HeaderValue::from_static("close")));
    }
    headers
}
