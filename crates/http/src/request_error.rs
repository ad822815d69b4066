//! Why a request cannot be served: the code, the message for the caller, and the reason for the
//! log.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use pressline_domain::fulfilment::{Action, ItemStatus};
use pressline_domain::id::ItemId;
use pressline_domain::order::ExistingOrder;
use pressline_domain::report::{IssueCode, Violation, Warning};
use pressline_kit::json::ScanError;

use crate::caller::Caller;
use crate::error::{Code, RETRY_AFTER_SECONDS};

/// Why a request cannot be served.
///
/// Actix turns it into a response without the request, so this response has no body yet. The
/// outermost middleware writes the body, because it has the request's id and `Accept` header.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct RequestError {
    /// What kind of error it is, for programs.
    pub code: Code,
    /// What is wrong and what would be right, for people.
    pub message: Cow<'static, str>,
    /// The problems of the request, each with its path.
    pub errors: Vec<Violation>,
    /// The warnings about the request.
    pub warnings: Vec<Warning>,
    /// Value of `Retry-After`, in seconds.
    pub retry_after: Option<NonZeroU32>,
    /// Value of `Allow`.
    pub allow: Option<&'static str>,
    /// Whether the connection must be closed, because a part of the body was not read.
    pub closes: bool,
    /// The reason, only for the log.
    pub reason: Option<Box<str>>,
    /// What only some kinds of errors have.
    pub detail: Option<Box<Detail>>,
}

/// What only some kinds of errors have.
#[derive(Debug)]
pub enum Detail {
    /// The existing order with the same order id.
    Existing(ExistingOrder),
    /// The items that cannot be changed.
    Items(Vec<ItemId>),
    /// The move that is not possible.
    Transition(IllegalTransition),
    /// Line and column in the body, both from 1, of the problem that `errors` begins with.
    Position(u32, u32),
    /// The body whose signature was not accepted, only for the log.
    CheckedBody(Vec<u8>),
    /// The call needs a bearer token instead of a signature.
    BearerToken,
    /// The call needs a session instead of a signature.
    Session,
}

/// A move that is not possible.
#[derive(Debug)]
pub struct IllegalTransition {
    /// Status of the first item that cannot be moved.
    pub from: ItemStatus,
    /// Where the command leads; `None` if it has no single target.
    pub to: Option<ItemStatus>,
    /// What the caller may do with that item.
    pub allowed: Vec<Action>,
    /// The items that cannot be moved.
    pub items: Vec<ItemId>,
}

impl RequestError {
    /// Returns an error with a message and nothing else.
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

    /// Returns an error whose message is the title of its kind.
    pub fn plain(code: Code) -> Self {
        Self::new(code, code.definition().title)
    }

    /// Returns the error of a path that does not have the method; `allow` lists those that it has.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let message = format!("this path has no such method; use {allow}");
        Self {
            allow: Some(allow),
            ..Self::new(Code::MethodNotAllowed, message)
        }
    }

    /// Returns the error of a defect of the service; only the log has the reason.
    pub fn internal(reason: impl Into<Box<str>>) -> Self {
        let message = "the service has a defect; contact support with the requestId";
        Self {
            reason: Some(reason.into()),
            ..Self::new(Code::InternalError, message)
        }
    }

    /// Returns the error of a call whose store or signature is not accepted. The message is the
    /// same for every reason; `errors` may name what the caller did not send.
    pub fn permission_denied(reason: &str, errors: Vec<Violation>) -> Self {
        let message = "permission denied: the store or the signature is not accepted";
        Self {
            errors,
            reason: Some(reason.into()),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Returns the error of a call whose token is not accepted, with the same message for every
    /// reason.
    pub fn token_denied(reason: &str, errors: Vec<Violation>) -> Self {
        let message = "permission denied: the token is not accepted";
        Self {
            errors,
            reason: Some(reason.into()),
            detail: Some(Box::new(Detail::BearerToken)),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Returns the error of a service that cannot be used for a short time.
    pub fn unavailable(message: &'static str) -> Self {
        Self {
            retry_after: NonZeroU32::new(RETRY_AFTER_SECONDS),
            ..Self::new(Code::Unavailable, message)
        }
    }

    /// Returns the error of a body that is not a JSON object, with line and column if they are
    /// known.
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

    /// Returns line and column in the body, if the error has them.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self.detail.as_deref() {
            Some(Detail::Position(line, column)) => Some((*line, *column)),
            _ => None,
        }
    }

    /// Returns the error of a caller that has used up its quota until `wait` is over.
    pub fn rate_limited(caller: Caller, wait: Duration) -> Self {
        let seconds = whole_seconds(wait);
        let caller = caller.noun();
        let message = format!("too many requests from this {caller}; try again in {seconds} s");
        Self {
            retry_after: Some(seconds),
            ..Self::new(Code::RateLimited, message)
        }
    }

    /// Returns the error of a call whose session has ended.
    pub(crate) fn session_ended(message: String) -> Self {
        Self {
            detail: Some(Box::new(Detail::Session)),
            ..Self::new(Code::PermissionDenied, message)
        }
    }

    /// Returns the error with the time after which the call can be repeated.
    pub(crate) fn retried_after(self, wait: Duration) -> Self {
        Self {
            retry_after: Some(whole_seconds(wait)),
            ..self
        }
    }

    /// Returns the error of a service that cannot be used now; only the log has the reason.
    pub(crate) fn not_now(reason: impl Into<Box<str>>) -> Self {
        let message = "the service is not available just now; please try again in a moment";
        Self {
            reason: Some(reason.into()),
            ..Self::unavailable(message)
        }
    }

    /// Returns the error with the instruction to close the connection.
    pub fn closing(self) -> Self {
        Self {
            closes: true,
            ..self
        }
    }

    /// Returns the error with further warnings after its own.
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

/// Returns a time in seconds, rounded up, at least 1.
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

/// Returns an error with all its sources, in one line.
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
    use pressline_domain::id::StoreId;
    use uuid::Uuid;

    use super::*;
    use crate::error::{Definition, Scope};

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
    fn an_error_applies_to_the_operations_of_its_scope() {
        let applies = |scope, operation: &str| {
            let definition = Definition {
                scope,
                ..*Code::InternalError.definition()
            };
            [false, true].map(|of_operators| definition.applies_to(operation, of_operators))
        };
        const NAMED: &[&str] = &["getOrder"];
        assert_eq!(applies(Scope::Every, "x"), [true, true]);
        assert_eq!(applies(Scope::Elsewhere, "x"), [false, false]);
        assert_eq!(applies(Scope::Stores, "x"), [true, false]);
        assert_eq!(applies(Scope::Operators, "x"), [false, true]);
        assert_eq!(applies(Scope::Only(NAMED), "getOrder"), [true, true]);
        assert_eq!(applies(Scope::Only(NAMED), "x"), [false, false]);
        let scope = Scope::OnlyOperators(NAMED);
        assert_eq!(applies(scope, "getOrder"), [false, true]);
        assert_eq!(applies(scope, "x"), [false, false]);
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
