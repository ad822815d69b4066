//! HTTP client for URLs that stores and operators entered.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{HOST, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Uri};
use pressline_kit::url::{Host, Target, UrlPolicy};
use tokio::time::Instant;
use tokio_rustls::{TlsConnector, rustls};

use crate::connect::connect;
use crate::connection::{Connection, Request, read_start};
use crate::download::Download;
use crate::error::EgressError;
use crate::names::{Names, Resolver, ascii};
use crate::pool::Pool;
use crate::request::{Get, Post, Response};
use crate::tls::Trust;

const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pressline/", env!("CARGO_PKG_VERSION")));

/// Maximum time to resolve a host name, and maximum time to make a connection. 5 s suffice if the
/// first packet is lost twice: the operating system sends it again after 1 s and after 3 s.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// HTTP client that connects only to addresses that the `policy` of a request permits. Connections
/// are kept for later requests to the same host and port, and checked against the `policy` of each
/// request.
pub struct Client {
    names: Names,
    tls: TlsConnector,
    pool: Arc<Pool>,
}

impl Client {
    /// Returns a client that resolves names with `resolver` and trusts the authorities of `trust`.
    ///
    /// # Errors
    /// Returns an error if the cryptography library does not offer the usual versions of TLS.
    pub fn new(resolver: Arc<dyn Resolver>, trust: Trust) -> Result<Self, rustls::Error> {
        Ok(Self {
            names: Names::new(resolver),
            tls: trust.connector()?,
            pool: Arc::default(),
        })
    }

    /// Sends `post` and returns its response, whatever the status. Redirects are not followed.
    #[tracing::instrument(name = "egress.post", level = "debug", skip_all)]
    pub async fn post(&self, post: Post<'_>) -> Result<Response, EgressError> {
        let limits = post.limits;
        let route = self.route(post.url, post.policy, limits.timeout).await?;
        let request = request(&route.target, Method::POST, post.headers, post.body)?;
        let (connection, response) = self.send(&route, request).await?;
        let (head, stream) = response.into_parts();
        let (body, is_complete) = read_start(stream, limits, route.deadline).await;
        // An unread rest of the body would be taken for the next response.
        if is_complete && !connection.is_closed() {
            self.pool.keep(&route.target, connection);
        }
        Ok(Response {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
        })
    }

    /// Sends the GET request `get` and returns its response, whatever the status. The body is read
    /// on demand. Redirects are not followed.
    #[tracing::instrument(name = "egress.get", level = "debug", skip_all)]
    pub async fn get(&self, get: Get<'_>) -> Result<Download, EgressError> {
        let route = self.route(get.url, get.policy, get.timeout).await?;
        let request = request(&route.target, Method::GET, get.headers, Bytes::new())?;
        let (connection, response) = self.send(&route, request).await?;
        let pool = Arc::clone(&self.pool);
        Ok(Download::new(response, connection, route.target, pool))
    }

    async fn route(
        &self,
        url: &str,
        policy: &UrlPolicy,
        timeout: Duration,
    ) -> Result<Route, EgressError> {
        let deadline = Instant::now() + timeout;
        let target = policy
            .check(url)
            .map_err(|problem| EgressError::AddressNotAllowed(problem.into()))?;
        let limit = self.limit(deadline);
        let addresses = self.names.addresses(&target, policy, limit).await?;
        Ok(Route {
            target,
            addresses,
            timeout,
            deadline,
        })
    }

    /// Uses an idle or a new connection to the receiver of `route`. The body is not read yet.
    async fn send(
        &self,
        route: &Route,
        request: Request,
    ) -> Result<(Connection, hyper::Response<Incoming>), EgressError> {
        let (timeout, deadline) = (route.timeout, route.deadline);
        if let Some(mut connection) = self.pool.take(&route.target, &route.addresses)
            && connection.is_ready().await
        {
            match connection.send(request.clone(), timeout, deadline).await {
                // The receiver closed the idle connection while the request was on its way: it has
                // not read the request.
                Err(EgressError::Closed(_)) if !connection.has_received() => {}
                Err(error) => return Err(error),
                Ok(response) => return Ok((connection, response)),
            }
        }
        let connecting = self.connect(&route.target, &route.addresses, deadline);
        let mut connection = connecting.await?;
        let response = connection.send(request, timeout, deadline).await?;
        Ok((connection, response))
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

    /// Returns the time at which a name look-up or connection attempt that starts now must end.
    fn limit(&self, deadline: Instant) -> Instant {
        deadline.min(Instant::now() + CONNECT_TIMEOUT)
    }
}

struct Route {
    target: Target,
    addresses: Arc<[IpAddr]>,
    timeout: Duration,
    deadline: Instant,
}

fn request(
    target: &Target,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request, EgressError> {
    // Without scheme and host, as in a request line.
    let path: Uri = target.path().parse().map_err(not_sent)?;
    let host = HeaderValue::try_from(authority(target)?).map_err(not_sent)?;
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = path;
    *request.headers_mut() = headers;
    let headers = request.headers_mut();
    // Set last, so that the caller's headers cannot replace them.
    headers.insert(HOST, host);
    headers.insert(USER_AGENT, AGENT);
    Ok(request)
}

/// No `error` is expected, because the policy has already checked the URL.
fn not_sent(error: impl Error + Send + Sync + 'static) -> EgressError {
    EgressError::AddressNotAllowed(error.into())
}

/// Returns the value of the header `Host`, without the port if it is the default of the scheme.
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
