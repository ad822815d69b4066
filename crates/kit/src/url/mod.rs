//! URLs with http or https, and which of them the service calls.
//!
//! Stores and operators give URLs, such as those of webhooks. A [`UrlPolicy`] checks the text when it
//! is given, and each address when a request is made. The names in between are resolved by the adapter
//! that makes the request, which asks the policy about every address that it found. URLs that are only
//! printed, such as those of print files, are read by [`split`] with the same rules.

mod host;
mod network;
mod policy;
mod registry;
mod target;

pub use host::{Host, HostError};
pub use network::{Network, NetworkError};
pub use policy::{AddressRefused, UrlFault, UrlPolicy, UrlProblem};
pub use target::{Scheme, Target};

/// Most characters of a URL.
pub const MAX_CHARS: usize = 2048;

/// What is written before, in and after the authority of a URL. Nothing is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Whether the scheme is https.
    pub is_https: bool,
    /// Neither empty nor with an `@`. A colon is only within brackets.
    pub host: &'a str,
    /// `None` if there is none, and if nothing follows the colon.
    pub port: Option<u16>,
    /// Begins with `/`, `?` or `#`, or is empty.
    pub rest: &'a str,
}

/// Why a URL without a host is refused.
pub const NO_HOST: &str = "a URL names a host, such as https://example.com/front.png";

/// Splits a URL. The forms that browsers correct without a word, such as backslashes, are refused:
/// two programs may correct them to different hosts.
///
/// # Errors
/// The text says what is wrong: no http or https, characters that a URL cannot have, credentials, no host, or a port
/// that is no number.
pub fn split(text: &str) -> Result<Parts<'_>, &'static str> {
    let (scheme, rest) = text.split_once("://").unwrap_or((text, ""));
    let is_https = scheme.eq_ignore_ascii_case("https");
    if !is_https && !scheme.eq_ignore_ascii_case("http") {
        return Err("not a URL that begins with http:// or https://");
    }
    if text.chars().any(is_forbidden) {
        return Err(
            "a URL has no spaces, control characters, quotes or backslashes; percent-encode them",
        );
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if authority.contains('@') {
        return Err("a URL must not carry credentials (user:password@)");
    }
    let (host, port) = match authority.rsplit_once(':') {
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
    // A sign would be read as part of the number.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NO_HOST);
    }
    text.parse().map(Some).map_err(|_| NO_HOST)
}
