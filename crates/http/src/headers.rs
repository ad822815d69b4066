//! Names of headers and media types of several modules.

/// Header with the id of the store.
pub const STORE_ID: &str = "X-Service-Store-Id";
/// Header with the signature.
pub const SIGNATURE: &str = "X-Service-Hmac-Sha256";
/// Header with the time of the signature.
pub const TIMESTAMP: &str = "X-Service-Timestamp";
/// Header with the fault that a test store requests.
pub const FAULT: &str = "X-Sandbox-Fault";
/// Media type of request bodies, and of responses unless the caller prefers [`PROBLEM_JSON`].
pub const JSON: &str = "application/json";
/// Media type of errors in the form of RFC 9457.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// Value of `WWW-Authenticate` for pages that need a session. Browsers ignore unknown schemes.
pub const SESSION_CHALLENGE: &str = "Cookie";
