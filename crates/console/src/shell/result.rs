//! Result of the steps of a handler.

use pressline_http::request_error::RequestError;

/// Errors become pages in the frame.
pub(crate) type Result<T, E = RequestError> = std::result::Result<T, E>;
