//! Result of the steps of a handler.

use pressline_http::request_error::RequestError;

/// A [`RequestError`] is shown as an error page.
pub(crate) type Result<T, E = RequestError> = std::result::Result<T, E>;
