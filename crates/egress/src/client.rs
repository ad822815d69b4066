//! The client for URLs that others gave.

use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::header::{HOST, HeaderValue, USER_AGENT};
use hyper::{Method, Uri};
use pressline_domain::egress::{Host, Target};
use tokio::time::Instant;
use tokio_rustls::{TlsConnector, rustls};

use crate::connect::connect;
use crate::connection::{Connection, Request};
use crate::error::EgressError;
use crate::names::{Names, Resolver, ascii};
use crate::pool::Pool;
use crate::request::{Post, Response};
use crate::tls::Trust;

/// How the service introduces itself.
const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pressline/", env!("CARGO_PKG_VERSION")));

/// Sends requests to permitted addresses. Connections are kept for further requests to the same
/// receiver; each request checks the addresses again.
pub struct Client {
    names: Names,
    tls: TlsConnector,
    pool: Arc<Pool>,
    connect_timeout: Duration,
}

impl Client {
    /// Returns a client that resolves names with this resolver and trusts these authorities. Resolving
    /// a name may take as long as `connect_timeout`, and so may making a connection.
    ///
    /// # Errors
    /// The cryptography does not offer the usual versions of TLS.
    pub fn new(
        resolver: Arc<dyn Resolver>,
        trust: Trust,
        connect_timeout: Duration,
    ) -> Result<Self, rustls::Error> {
        Ok(Self {
            names: Names::new(resolver),
            tls: trust.connector()?,
            pool: Arc::default(),
            connect_timeout,
        })
    }

    /// Sends a request and returns its response, whatever its status is. Redirects are responses like
    /// any other.
    ///
    /// # Errors
    /// Each variant of [`EgressError`] says when it is returned.
    #[tracing::instrument(name = "egress.post", level = "debug", skip_all)]
    pub async fn post(&self, post: Post<'_>) -> Result<Response, EgressError> {
        let deadline = Instant::now() + post.limits.timeout;
        let target = post.policy.check(post.url);
        let target = target.map_err(|problem| EgressError::AddressNotAllowed(problem.into()))?;
        let addresses = self
            .names
            .addresses(&target, post.policy, self.limit(deadline))
            .await?;
        let request = request(&target, &post)?;
        if let Some(mut kept) = self.pool.take(&target, &addresses)
            && kept.is_ready().await
        {
            let exchange = kept.exchange(request.clone(), post.limits, deadline);
            match exchange.await {
                // The receiver closed the connection while the request was on its way.
                Err(EgressError::Closed(_)) if !kept.has_received() => {}
                Err(error) => return Err(error),
                Ok(exchange) => {
                    if exchange.reusable {
                        self.pool.keep(&target, kept);
                    }
                    return Ok(exchange.response);
                }
            }
        }
        let mut connection = self.connect(&target, &addresses, deadline).await?;
        let exchange = connection.exchange(request, post.limits, deadline).await?;
        if exchange.reusable {
            self.pool.keep(&target, connection);
        }
        Ok(exchange.response)
    }

    async fn connect(
        &self,
        target: &Target,
        addresses: &[IpAddr],
        deadline: Instant,
    ) -> Result<Connection, EgressError> {
        let until = self.limit(deadline);
        let (stream, address) = connect(target, addresses, &self.tls, until).await?;
        Connection::start(stream, address).await
    }

    /// When a step before the request must have ended that begins now.
    fn limit(&self, deadline: Instant) -> Instant {
        deadline.min(Instant::now() + self.connect_timeout)
    }
}

/// Makes the request for a target.
fn request(target: &Target, post: &Post<'_>) -> Result<Request, EgressError> {
    // Without a scheme, as a request line has it.
    let path: Uri = target.path().parse().map_err(not_sent)?;
    let host = HeaderValue::try_from(authority(target)?).map_err(not_sent)?;
    let mut request = Request::new(Full::new(post.body.clone()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = path;
    let headers = request.headers_mut();
    headers.clone_from(&post.headers);
    headers.insert(HOST, host);
    headers.insert(USER_AGENT, AGENT);
    Ok(request)
}

/// Converts the error of a URL that cannot be part of a request. The policy has checked it, so that
/// none is known.
fn not_sent(error: impl Error + Send + Sync + 'static) -> EgressError {
    EgressError::AddressNotAllowed(error.into())
}

/// Returns the value of `Host`: the port is left out if it is the usual one.
fn authority(target: &Target) -> Result<String, EgressError> {
    let host = match target.host() {
        Host::Name(name) => ascii(name)?,
        address @ Host::Address(_) => address.to_string(),
    };
    if target.port() == target.scheme().port() {
        return Ok(host);
    }
    Ok(format!("{host}:{}", target.port()))
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("connect_timeout", &self.connect_timeout)
            .finish_non_exhaustive()
    }
}
