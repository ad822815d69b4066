//! Names of headers and media types that several modules use.

/// The header that names the store.
pub const STORE_ID: &str = "X-Service-Store-Id";
/// The header that carries the signature.
pub const SIGNATURE: &str = "X-Service-Hmac-Sha256";
/// The header that carries the time of a signature.
pub const TIMESTAMP: &str = "X-Service-Timestamp";
/// The header with which a test store asks for a fault.
pub const FAULT: &str = "X-Sandbox-Fault";
/// The media type of request bodies, and of responses unless a caller prefers [`PROBLEM_JSON`].
pub const JSON: &str = "application/json";
/// The media type of errors in the form of RFC 9457.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// The value of `WWW-Authenticate` of pages that need a session. Browsers ignore schemes that they do
/// not know.
pub const SESSION_CHALLENGE: &str = "Cookie";
