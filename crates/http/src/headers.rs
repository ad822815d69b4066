//! Names of headers and media types that several modules use.

/// Request header with the id of the store that calls.
pub const STORE_ID: &str = "X-Service-Store-Id";
/// Request header with the signature of a store's call.
pub const SIGNATURE: &str = "X-Service-Hmac-Sha256";
/// Request header with the time at which the store signed the call.
pub const TIMESTAMP: &str = "X-Service-Timestamp";
/// Request header with which a test store requests that its call fails in a certain way.
pub const FAULT: &str = "X-Sandbox-Fault";
/// Media type of request bodies, and of responses unless the caller prefers [`PROBLEM_JSON`].
pub const JSON: &str = "application/json";
/// Media type of errors in the form of RFC 9457.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// Value of `WWW-Authenticate` if a request for a page has no valid session. Browsers ignore the
/// unknown scheme, so they show no password prompt.
pub const SESSION_CHALLENGE: &str = "Cookie";
