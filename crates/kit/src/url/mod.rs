//! URLs with http or https, and the policy that says which of them the service calls.
//!
//! Stores and operators enter URLs, such as webhook URLs. A [`UrlPolicy`] checks a URL when it is
//! entered, and each address when a request is made. The adapter that makes the request resolves
//! the names in between, and checks every address that it finds with the policy. URLs that are only
//! shown, such as the URLs of print files, are split by [`split`] with the same rules.

mod host;
mod network;
mod policy;
mod registry;
mod target;

pub use host::{Host, HostError};
pub use network::{Network, NetworkError};
pub use policy::{AddressRefused, UrlFault, UrlPolicy, UrlProblem};
pub use target::{Scheme, Target};

/// Maximum length of a URL, in characters.
pub const MAX_CHARS: usize = 2048;

/// The parts of a URL, spelled as in the URL: nothing is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Whether the scheme is `https` rather than `http`.
    pub is_https: bool,
    /// Name or address: not empty, without `@`, and with a colon only within brackets.
    pub host: &'a str,
    /// Port number; `None` if no colon follows the host, or nothing follows the colon.
    pub port: Option<u16>,
    /// Path, query and fragment: begins with `/`, `?` or `#`, or is empty.
    pub rest: &'a str,
}

/// Message of [`split`] for a URL without a host.
pub const NO_HOST: &str = "a URL must name a host, such as https://example.com/front.png";

/// Splits a URL. Refuses forms that browsers silently correct, such as backslashes: two programs
/// may correct them to different hosts.
///
/// # Errors
/// Returns a message if `text` begins with neither http:// nor https://, contains characters that a
/// URL cannot contain, has credentials or no host, or its port is not a number.
pub fn split(text: &str) -> Result<Parts<'_>, &'static str> {
    let (scheme, after_scheme) = text.split_once("://").unwrap_or((text, ""));
    let is_https = scheme.eq_ignore_ascii_case("https");
    if !is_https && !scheme.eq_ignore_ascii_case("http") {
        return Err("not a URL that begins with http:// or https://");
    }
    if text.chars().any(is_forbidden) {
        return Err(
            "a URL must not contain spaces, control characters, quotes or backslashes; percent-encode them",
        );
    }
    let end = after_scheme
        .find(['/', '?', '#'])
        .unwrap_or(after_scheme.len());
    let (authority, rest) = after_scheme
        .split_at_checked(end)
        .unwrap_or((after_scheme, ""));
    if authority.contains('@') {
        return Err("a URL must not carry credentials (user:password@)");
    }
    let (host, port) = match authority.rsplit_once(':') {
        // A colon within brackets belongs to an IPv6 address.
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if host.is_empty() || (!is_bracketed && host.contains(['[', ']', ':'])) {
        return Err(NO_HOST);
    }
    Ok(Parts {
        is_https,
        host,
        port: parse_port(port)?,
        rest,
    })
}

fn is_forbidden(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '\\' | '`')
}

fn parse_port(text: &str) -> Result<Option<u16>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    // `parse` would accept a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NO_HOST);
    }
    text.parse().map(Some).map_err(|_| NO_HOST)
}
