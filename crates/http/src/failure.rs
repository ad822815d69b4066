//! A failure on its way to the caller: its code, what to say in public, and what only the log may know.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use pressline_domain::json::ScanError;
use pressline_domain::ports::{Denied, RepositoryError};
use pressline_domain::report::{Violation, Warning, code};
use pressline_domain::usecase::{ExistingOrder, OrderError};

use crate::error::{Code, RETRY_AFTER_SECONDS};

/// Why a call was not answered as it asked.
///
/// Actix asks it for a response without showing it the request, so that response has no body yet: the outermost
/// middleware writes it, as it knows the request's id and what the caller accepts.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
    pub(crate) errors: Vec<Violation>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) existing: Option<Box<ExistingOrder>>,
    /// Value of `Retry-After`, in seconds.
    pub(crate) retry_after: Option<NonZeroU32>,
    /// Value of `Allow`.
    pub(crate) allow: Option<&'static str>,
    /// Whether what is left of the body would have to be read before the connection could serve another request.
    pub(crate) closes: bool,
    /// For the log alone.
    pub(crate) reason: Option<Box<str>>,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            errors: Vec::new(),
            warnings: Vec::new(),
            existing: None,
            retry_after: None,
            allow: None,
            closes: false,
            reason: None,
        }
    }

    /// A failure that says no more than what the table of errors says of its kind.
    pub(crate) fn plain(code: Code) -> Self {
        Self::new(code, code.row().title)
    }

    pub(crate) fn method_not_allowed(allow: &'static str) -> Self {
        let message = format!("this path has no such method; use {allow}");
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed, message) }
    }

    pub(crate) fn internal(reason: impl Into<Box<str>>) -> Self {
        let message = "something went wrong on our side; quote the requestId when you ask us";
        Self { reason: Some(reason.into()), ..Self::new(Code::InternalError, message) }
    }

    pub(crate) fn rate_limited(wait: Duration) -> Self {
        let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
        let seconds = NonZeroU32::new(u32::try_from(seconds).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN);
        let message = format!("too many requests from this store; try again in {seconds} s");
        Self { retry_after: Some(seconds), ..Self::new(Code::RateLimited, message) }
    }

    fn unavailable(reason: impl Into<Box<str>>) -> Self {
        let message = "the service cannot answer just now; please try again in a moment";
        Self {
            retry_after: NonZeroU32::new(RETRY_AFTER_SECONDS),
            reason: Some(reason.into()),
            ..Self::new(Code::Unavailable, message)
        }
    }

    /// The same failure on a connection that cannot be used again.
    pub(crate) fn closing(self) -> Self {
        Self { closes: true, ..self }
    }

    /// The same failure with further warnings behind its own.
    pub(crate) fn warned(mut self, more: Vec<Warning>) -> Self {
        self.warnings.extend(more);
        self
    }

    fn listing(code: Code, errors: Vec<Violation>) -> Self {
        let message = match errors.as_slice() {
            [] => Cow::Borrowed(code.row().title),
            [only] if only.field.is_empty() => Cow::Owned(only.message.clone()),
            [only] => Cow::Owned(format!("{}: {}", only.field, only.message)),
            several => Cow::Owned(format!("{} problems; `errors` lists them", several.len())),
        };
        Self { errors, ..Self::new(code, message) }
    }
}

impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

impl From<ScanError> for Failure {
    fn from(error: ScanError) -> Self {
        Self::new(Code::InvalidJson, error.to_string())
    }
}

impl From<Denied> for Failure {
    fn from(denied: Denied) -> Self {
        let code = match denied {
            Denied::Permission(reason) => {
                let message = "permission denied: the store or the signature is not accepted";
                return Self { reason: Some(reason.into()), ..Self::new(Code::PermissionDenied, message) };
            }
            Denied::KeyUnreadable(_) => return Self::unavailable(chain(&denied)),
            Denied::Repository(error) => return error.into(),
            Denied::TimestampOutOfRange => Code::TimestampOutOfRange,
            Denied::TimestampRequired => Code::TimestampRequired,
        };
        Self::new(code, denied.to_string())
    }
}

impl From<RepositoryError> for Failure {
    fn from(error: RepositoryError) -> Self {
        let reason = chain(&error);
        if error.is_transient() {
            return Self::unavailable(reason);
        }
        Self::internal(reason)
    }
}

impl From<OrderError> for Failure {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::Invalid { violations, warnings } => {
                Self::listing(Code::ValidationFailed, violations).warned(warnings)
            }
            OrderError::UnknownItem(violations) => Self::listing(Code::UnknownItem, violations),
            OrderError::NotFound => Self::new(Code::OrderNotFound, "this store has no such order"),
            OrderError::NotEditable => {
                Self::new(Code::OrderNotEditable, "the order is in production and can no longer be changed")
            }
            OrderError::VersionConflict { current } => Self::new(
                Code::VersionConflict,
                format!("the order is at version {current}; read it again before you change it"),
            ),
            OrderError::Duplicate { existing, differing } => duplicate(existing, differing),
            OrderError::Repository(error) => error.into(),
        }
    }
}

fn duplicate(existing: ExistingOrder, differing: Vec<String>) -> Failure {
    let errors = differing.into_iter().map(|field| Violation {
        field,
        code: code::DIFFERS,
        message: "differs from the request that created the order".to_owned(),
    });
    let message =
        format!("another request created the order {} with this order_id", existing.service_order_id);
    Failure {
        errors: errors.collect(),
        existing: Some(Box::new(existing)),
        ..Failure::new(Code::DuplicateOrderId, message)
    }
}

/// An error and what it came from, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {error}");
        source = error.source();
    }
    text
}
