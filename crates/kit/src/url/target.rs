//! Where an outbound request goes.

use std::fmt::{self, Write};

use super::host::Host;

/// How a receiver is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Without encryption.
    Http,
    /// With TLS.
    Https,
}

impl Scheme {
    /// Returns the port of a URL that names none.
    pub const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A URL that a policy has accepted, in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
    pub(super) path: String,
}

impl Target {
    /// Returns how the receiver is reached.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the name or the address of the receiver.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the port of the receiver.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns path and query in ASCII, without the fragment. Begins with `/`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Makes path and query of what follows the authority of a URL. The fragment is for the reader of the
/// answer and is not sent. Characters that a request line cannot contain are percent-encoded.
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
