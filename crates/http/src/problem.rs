//! The body of an error response, in the service's own form or in that of RFC 9457.

#[cfg(test)]
mod tests;

use actix_web::HttpResponse;
use actix_web::http::ConnectionType;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER,
    VARY, WWW_AUTHENTICATE,
};
use pressline_domain::fulfilment::{Action, ItemStatus};
use pressline_domain::report::{Violation, capped};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Code;
use crate::headers::{JSON, PROBLEM_JSON, SESSION_CHALLENGE};
use crate::request_error::{Detail, RequestError};
use crate::schema;

/// A problem of one field of the request, or a warning about it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Issue {
    /// The path of the field as it was sent, such as `line_items[1].quantity`; empty if it is about
    /// the whole request.
    field: String,
    /// What kind of problem it is, for programs.
    #[schema(value_type = schema::IssueCode)]
    code: &'static str,
    /// What is wrong and what would be right, for people.
    message: String,
    /// Only with `invalid_json`: the line of the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    line: Option<u32>,
    /// Only with `invalid_json`: the column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    column: Option<u32>,
}

/// Returns issues as responses list them, up to their maximum number.
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

/// Returns the problems of an error, the first with line and column if they are known.
fn errors(error: &RequestError) -> Vec<Issue> {
    let mut list = issues(error.errors.clone());
    if let (Some(first), Some((line, column))) = (list.first_mut(), error.position()) {
        (first.line, first.column) = (Some(line), Some(column));
    }
    list
}

/// The existing order with the same order id.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Existing {
    /// The service's id.
    #[schema(format = "uuid")]
    id: String,
    /// The service's order number.
    #[schema(pattern = "^[A-Z0-9]{1,12}-[0-9]+$")]
    service_order_id: String,
    /// Your id of the order.
    order_id: String,
}

/// What only errors about items of an order have.
struct Details {
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
            from: transition.map(|transition| transition.from.as_str()),
            to: transition.map(|transition| transition.to.map(ItemStatus::as_str)),
            allowed: transition.map(|transition| names(&transition.allowed)),
            items: items(error),
        }
    }
}

/// An error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody<'a> {
    /// Always false.
    success: bool,
    /// What is wrong and what would be right, for people.
    message: &'a str,
    /// Always null.
    #[schema(value_type = Option<Object>, required)]
    data: (),
    /// What kind of error it is, for programs: see the error reference.
    #[schema(value_type = schema::ErrorCode)]
    code: &'a str,
    /// All problems, if the error is about fields.
    errors: Vec<Issue>,
    /// Warnings besides the errors. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
    /// Only with `duplicate_order_id`: the existing order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    existing: Option<Existing>,
    /// Only with `illegal_transition`: the status of the first item that cannot be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<&'static str>,
    /// Only with `illegal_transition`: the status that the command leads to; null if it has no single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    to: Option<Option<&'static str>>,
    /// Only with `illegal_transition`: what is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    allowed: Option<Vec<&'static str>>,
    /// Only with `illegal_transition`, `order_not_editable` and `change_pending`: the ids of the items.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    items: Option<Vec<String>>,
    /// The id of the call, as in `X-Request-Id`.
    request_id: &'a str,
}

/// Why one of several things that a call asked for was refused.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Refusal)]
pub struct RefusalBody {
    /// What kind of error it is, for programs: see the error reference.
    #[schema(value_type = schema::ErrorCode)]
    code: &'static str,
    /// What is wrong and what would be right, for people.
    message: String,
    /// Only with `illegal_transition`: the status of the first item that cannot be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<&'static str>,
    /// Only with `illegal_transition`: the status that the command leads to; null if it has no single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    to: Option<Option<&'static str>>,
    /// Only with `illegal_transition`: what is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    allowed: Option<Vec<&'static str>>,
    /// Only with `illegal_transition`, `order_not_editable` and `change_pending`: the ids of the items.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    items: Option<Vec<String>>,
}

impl From<RequestError> for RefusalBody {
    fn from(error: RequestError) -> Self {
        let details = Details::new(&error);
        Self {
            code: error.code.as_str(),
            from: details.from,
            to: details.to,
            allowed: details.allowed,
            items: details.items,
            message: error.message.into_owned(),
        }
    }
}

/// An error in the form of RFC 9457, with the members that every error has.
#[derive(Serialize, ToSchema)]
pub struct Problem<'a> {
    /// The kind of problem, for programs.
    #[serde(rename = "type")]
    #[schema(format = "uri")]
    kind: String,
    /// The kind of problem, for people.
    title: &'static str,
    /// The status code of the response.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// The same as `message`.
    detail: &'a str,
    #[serde(flatten)]
    body: ErrorBody<'a>,
}

fn existing(error: &RequestError) -> Option<Existing> {
    let Some(Detail::Existing(existing)) = error.detail.as_deref() else {
        return None;
    };
    Some(Existing {
        id: existing.id.to_string(),
        service_order_id: existing.service_order_id.clone(),
        order_id: existing.order_id.clone(),
    })
}

/// Returns the ids of the items that an error is about.
fn items(error: &RequestError) -> Option<Vec<String>> {
    let items = match error.detail.as_deref()? {
        Detail::Items(items) => items,
        Detail::Transition(transition) => &transition.items,
        _ => return None,
    };
    Some(items.iter().map(ToString::to_string).collect())
}

fn names(actions: &[Action]) -> Vec<&'static str> {
    actions.iter().map(|action| action.as_str()).collect()
}

/// Returns the response for an error, in the form of RFC 9457 if `as_problem` is true.
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
        from: details.from,
        to: details.to,
        allowed: details.allowed,
        items: details.items,
        request_id,
    };
    let mut response = HttpResponse::build(definition.status);
    // A cache must not give the plain form to a caller that asks for the other.
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
    // These types can always be written. If one could not, the status would still be right.
    with_headers(response.body(bytes.unwrap_or_default()), error)
}

/// The headers that a call is authenticated by.
const CHALLENGE: &str = "HMAC-SHA256 headers=\"X-Service-Store-Id X-Service-Hmac-Sha256\"";

/// Returns the response with the status of an error, and the headers that belong to it.
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

/// Returns the headers that belong to an error, in whatever form it is written.
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
