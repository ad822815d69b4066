//! The parts of a URL with http or https. URLs of orders and those of outbound requests are read by
//! the same rules.

/// What is written before, in and after the authority of a URL. Nothing is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub(crate) is_https: bool,
    /// Neither empty nor with an `@`. A colon is only within brackets.
    pub(crate) host: &'a str,
    /// `None` if there is none, and if nothing follows the colon.
    pub(crate) port: Option<u16>,
    /// Begins with `/`, `?` or `#`, or is empty.
    pub(crate) rest: &'a str,
}

pub(crate) const NO_HOST: &str = "a URL names a host, such as https://example.com/front.png";

/// Splits a URL. The forms that browsers correct without a word, such as backslashes, are refused:
/// two programs may correct them to different hosts.
pub(crate) fn split(text: &str) -> Result<Parts<'_>, &'static str> {
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
