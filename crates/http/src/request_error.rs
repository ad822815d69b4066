//! Errors of requests: the code, the message for the caller, and the reason for the log.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use pressline_domain::check::{IssueCode, Violation, Warning};
use pressline_domain::fulfilment::{Command, ItemStatus};
use pressline_domain::order::OrderIdentity;
use pressline_domain::value::ItemId;
use pressline_kit::json::ScanError;

use crate::caller::Caller;
use crate::error::{Code, RETRY_AFTER_SECONDS};

/// An error with which a request is refused or fails.
///
/// Actix converts the error into a response without access to the request, so this response has no
/// body yet. The outermost middleware writes the body, because it has the request's id and `Accept`
/// header.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct RequestError {
    /// Kind of error, for programs.
    pub code: Code,
    /// The problem and its solution, for people.
    pub message: Cow<'static, str>,
    /// Problems of the request, each with its path in `field`.
    pub errors: Vec<Violation>,
    /// Warnings about the request, in addition to `errors`.
    pub warnings: Vec<Warning>,
    /// Value of `Retry-After`, in seconds; `None` for no header.
    pub retry_after: Option<NonZeroU32>,
    /// Value of `Allow`; `None` for no header.
    pub allow: Option<&'static str>,
    /// Whether to close the connection, because a part of the request's body was not read.
    pub closes: bool,
    /// Reason of the error, only for the log; `None` if `message` says all.
    pub reason: Option<Box<str>>,
    /// Additional data for `code`; `None` if `code` has none.
    pub detail: Option<Box<Detail>>,
}

/// Additional data of an error. Each variant belongs to certain values of [`Code`].
#[derive(Debug)]
pub enum Detail {
    /// Order that already exists with the request's `order_id`, for `duplicate_order_id`.
    Existing(OrderIdentity),
    /// Orders that the request's name fits, for `ambiguous_order_id`.
    Candidates([OrderIdentity; 2]),
    /// Items that cannot be changed, for `order_not_editable` and `change_pending`.
    Items(Vec<ItemId>),
    /// Status change that is not possible, for `illegal_transition`.
    Transition(IllegalTransition),
    /// Last sequence of the feed, for `position_ahead`.
    LastSequence(u64),
    /// Line and column in the body, both from 1, of the first problem in `errors`.
    Position(u32, u32),
    /// Body with a refused signature. Only its length and digest are logged.
    CheckedBody(Vec<u8>),
    /// The call needs a bearer token: the response has `WWW-Authenticate: Bearer`.
    BearerToken,
    /// The call needs a session: the response has `WWW-Authenticate: Cookie`.
    Session,
}

/// A status change that the status of an item does not allow.
#[derive(Debug)]
pub struct IllegalTransition {
    /// Status of the first item that cannot be moved.
    pub from: ItemStatus,
    /// Status that the command leads to; `None` if this depends on the item.
    pub to: Option<ItemStatus>,
    /// Actions that the caller may take on an item with the status `from`.
    pub allowed: Vec<Command>,
    /// Items that cannot be moved.
    pub items: Vec<ItemId>,
}

impl RequestError {
    /// Creates an error with `code` and `message` only.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            errors: Vec::new(),
            warnings: Vec::new(),
            retry_after: None,
            allow: None,
            closes: false,
            reason: None,
            detail: None,
        }
    }

    /// Creates an error with the title of `code` as its message.
    pub fn plain(code: Code) -> Self {
        Self::new(code, code.definition().title)
    }

    /// Creates `method_not_allowed`. `allow` lists the methods that the path supports.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let message = format!("this path has no such method; use {allow}");
        Self {
            allow: Some(allow),
            ..Self::new(Code::MethodNotAllowed, message)
        }
    }

    /// Creates `internal_error`, for a defect of the service. Only the log contains `reason`.
    pub fn internal(reason: impl Into<Box<str>>) -> Self {
        let message = "the service has a defect; contact support with the requestId";
        Self {
            reason: Some(reason.into()),
            ..Self::new(Code::InternalError, message)
        }
    }

    /// Creates `permission_denied` for a refused store or signature. Only the log contains
    /// `reason`: the message is always the same. `errors` may name missing or repeated headers.
    pub fn permission_denied(reason: &str, errors: Vec<Violation>) -> Self {
        let message = "permission denied: the store or the signature is not accepted";
        Self {
            errors,
            reason: Some(reason.into()),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Creates `permission_denied` for a refused bearer token. Only the log contains `reason`: the
    /// message is always the same. `errors` may name a missing or repeated header.
    pub fn token_denied(reason: &str, errors: Vec<Violation>) -> Self {
        let message = "permission denied: the token is not accepted";
        Self {
            errors,
            reason: Some(reason.into()),
            detail: Some(Box::new(Detail::BearerToken)),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Creates `unavailable` with `message`, and with a `Retry-After` of [`RETRY_AFTER_SECONDS`].
    pub fn unavailable(message: &'static str) -> Self {
        Self {
            retry_after: NonZeroU32::new(RETRY_AFTER_SECONDS),
            ..Self::new(Code::Unavailable, message)
        }
    }

    /// Creates `invalid_json` for a body that is not a JSON object. `position` is the line and
    /// column of the problem, both from 1; `None` if the position is unknown.
    pub fn invalid_json(message: String, position: Option<(u32, u32)>) -> Self {
        let errors = vec![Violation {
            field: String::new(),
            code: IssueCode::InvalidJson,
            message: message.clone(),
        }];
        let detail = position.map(|(line, column)| Box::new(Detail::Position(line, column)));
        Self {
            errors,
            detail,
            ..Self::new(Code::InvalidJson, message)
        }
    }

    /// Returns line and column of the first problem in the body, from 1; `None` without a position.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self.detail.as_deref() {
            Some(Detail::Position(line, column)) => Some((*line, *column)),
            _ => None,
        }
    }

    /// Creates `rate_limited` for `caller`, which can call again after the time `wait`.
    pub fn rate_limited(caller: Caller, wait: Duration) -> Self {
        let seconds = whole_seconds(wait);
        let caller = caller.noun();
        let message = format!("too many requests from this {caller}; try again in {seconds} s");
        Self {
            retry_after: Some(seconds),
            ..Self::new(Code::RateLimited, message)
        }
    }

    /// Creates `permission_denied` with `WWW-Authenticate: Cookie`.
    pub(crate) fn session_ended(message: String) -> Self {
        Self {
            detail: Some(Box::new(Detail::Session)),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Sets `Retry-After` to `wait`, rounded up to whole seconds, at least 1 s.
    pub(crate) fn retried_after(self, wait: Duration) -> Self {
        Self {
            retry_after: Some(whole_seconds(wait)),
            ..self
        }
    }

    /// Creates `unavailable` with a general message. Only the log contains `reason`.
    pub(crate) fn not_now(reason: impl Into<Box<str>>) -> Self {
        let message = "the service is not available just now; please try again in a moment";
        Self {
            reason: Some(reason.into()),
            ..Self::unavailable(message)
        }
    }

    /// Returns the error with [`closes`](Self::closes) set: its response closes the connection.
    pub fn closing(self) -> Self {
        Self {
            closes: true,
            ..self
        }
    }

    /// Adds the warnings `more` to the warnings of the error.
    pub fn warned(mut self, more: Vec<Warning>) -> Self {
        self.warnings.extend(more);
        self
    }

    pub(crate) fn listing(code: Code, errors: Vec<Violation>) -> Self {
        let message = match errors.as_slice() {
            [] => Cow::Borrowed(code.definition().title),
            [only] if only.field.is_empty() => Cow::Owned(only.message.clone()),
            [only] => Cow::Owned(format!("{}: {}", only.field, only.message)),
            several => Cow::Owned(format!("{} problems; `errors` lists them", several.len())),
        };
        Self {
            errors,
            ..Self::new(code, message)
        }
    }
}

/// Returns `wait` in whole seconds, rounded up, at least 1.
fn whole_seconds(wait: Duration) -> NonZeroU32 {
    let seconds = wait
        .as_secs()
        .saturating_add(u64::from(wait.subsec_nanos() > 0));
    NonZeroU32::new(u32::try_from(seconds).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN)
}

impl ResponseError for RequestError {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

impl From<ScanError> for RequestError {
    fn from(error: ScanError) -> Self {
        Self::invalid_json(error.to_string(), Some((error.line, error.column)))
    }
}

/// Returns the messages of `error` and of all its sources, in one line, separated by `: `.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {error}");
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use pressline_domain::value::StoreId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_time_to_wait_is_in_whole_seconds_rounded_up() {
        let caller = Caller::Store(StoreId::new(Uuid::nil()));
        for (wait, seconds) in [
            (Duration::ZERO, 1),
            (Duration::from_millis(1), 1),
            (Duration::from_secs(1), 1),
            (Duration::from_millis(1001), 2),
            (Duration::MAX, u32::MAX),
        ] {
            let error = RequestError::rate_limited(caller, wait);
            assert_eq!(error.retry_after.map(NonZeroU32::get), Some(seconds));
            assert!(
                error
                    .message
                    .ends_with(&format!("try again in {seconds} s"))
            );
        }
    }

    #[test]
    fn the_message_names_the_only_problem_or_counts_them() {
        let problem = |field: &str| Violation {
            field: field.to_owned(),
            code: IssueCode::Required,
            message: "is missing".to_owned(),
        };
        let message = |errors| RequestError::listing(Code::ValidationFailed, errors).message;
        let title = Code::ValidationFailed.definition().title;
        assert_eq!(message(Vec::new()), title);
        assert_eq!(message(vec![problem("sku")]), "sku: is missing");
        assert_eq!(message(vec![problem("")]), "is missing");
        let two = vec![problem("a"), problem("b")];
        assert_eq!(message(two), "2 problems; `errors` lists them");
    }

    #[test]
    fn an_error_of_the_framework_becomes_the_closest_code() {
        for (status, code) in [
            (404_u16, Code::NotFound),
            (405, Code::MethodNotAllowed),
            (408, Code::RequestTimeout),
            (413, Code::BodyTooLarge),
            (415, Code::UnsupportedMediaType),
            (400, Code::InvalidJson),
            (418, Code::InvalidJson),
            (500, Code::InternalError),
            (504, Code::InternalError),
        ] {
            assert_eq!(
                Code::of_status(status.try_into().unwrap()),
                code,
                "{status}"
            );
        }
        assert!(Code::is_ours(500) && !Code::is_ours(499));
    }

    #[test]
    fn a_chain_names_every_source_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("the write failed")]
        struct Outer(#[source] std::io::Error);
        let error = Outer(std::io::Error::other("the disk is full"));
        assert_eq!(chain(&error), "the write failed: the disk is full");
    }
}
