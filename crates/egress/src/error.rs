//! Errors of requests without a response.

use std::error::Error;
use std::io;
use std::time::Duration;

use tokio_rustls::rustls;

type Cause = Box<dyn Error + Send + Sync>;

/// Failure of a request that got no complete response. `Display` gives a code for programs, such as
/// `dns`. The details in `source()` are only for the log: they may contain addresses of the
/// internal network.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The `policy` of the request does not permit the URL, or an IP address of the URL's host. No
    /// connection was made.
    #[error("address_not_allowed")]
    AddressNotAllowed(#[source] Cause),
    /// The URL's host name was not resolved, or not in time.
    #[error("dns")]
    Dns(#[source] Cause),
    /// No address of the URL's host accepted a connection in time.
    #[error("connect")]
    Connect(#[source] Cause),
    /// The TLS connection failed, such as by a wrong certificate, or the handshake took too long.
    #[error("tls")]
    Tls(#[source] Cause),
    /// The head of the response, or an awaited piece of its body, was not complete in time.
    #[error("timeout")]
    Timeout(#[source] Cause),
    /// The connection ended before the head of a response, or an awaited body, was complete.
    #[error("closed")]
    Closed(#[source] Cause),
    /// The response is not HTTP/1, or its head exceeds 64 KiB or 1000 headers.
    #[error("invalid_response")]
    InvalidResponse(#[source] Cause),
}

#[derive(Debug, thiserror::Error)]
#[error("{what} took longer than {after:?}")]
struct Elapsed {
    what: &'static str,
    after: Duration,
}

pub(crate) fn elapsed(what: &'static str, after: Duration) -> Cause {
    Box::new(Elapsed { what, after })
}

impl EgressError {
    pub(crate) fn of_handshake(error: io::Error) -> Self {
        if is_tls(&error) {
            Self::Tls(error.into())
        } else {
            Self::Closed(error.into())
        }
    }

    pub(crate) fn of_exchange(error: hyper::Error) -> Self {
        // A receiver may refuse after the handshake, such as for a missing client certificate.
        let io = error.source().and_then(|cause| cause.downcast_ref());
        if io.is_some_and(is_tls) {
            return Self::Tls(error.into());
        }
        if error.is_parse() {
            return Self::InvalidResponse(error.into());
        }
        Self::Closed(error.into())
    }
}

fn is_tls(error: &io::Error) -> bool {
    let cause = error.get_ref();
    cause.is_some_and(|cause| cause.is::<rustls::Error>())
}
