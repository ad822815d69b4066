//! Destination of an outbound request.

use std::fmt::{self, Write};

use super::host::Host;

/// Protocol of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// HTTP without encryption.
    Http,
    /// HTTP over TLS.
    Https,
}

impl Scheme {
    /// Returns the default port: `80` or `443`.
    pub const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// The parts of a URL that a [`UrlPolicy`](super::UrlPolicy) has accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
    pub(super) path: String,
}

impl Target {
    /// Returns the protocol of the request.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the name or the IP address of the server that gets the request.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the server's port; the default port of the protocol if the URL contains none.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns path and query in ASCII, without the fragment. Begins with `/`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Takes the part of a URL after host and port. The fragment is not sent. Characters that a request
/// line cannot contain are percent-encoded.
pub(super) fn path_of(rest: &str) -> String {
    let sent = rest.split_once('#').map_or(rest, |(sent, _)| sent);
    let mut path = String::with_capacity(sent.len() + 1);
    if !sent.starts_with('/') {
        path.push('/');
    }
    for c in sent.chars() {
        if c.is_ascii_graphic() && !matches!(c, '^' | '{' | '|' | '}') {
            path.push(c);
        } else {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                // Writing to a `String` does not fail.
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
    path
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http => "http",
            Self::Https => "https",
        })
    }
}
