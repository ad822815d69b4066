//! Connections to IP addresses that the URL policy permits.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use pressline_kit::url::{Host, Scheme, Target};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::error::{EgressError, elapsed};

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

pub(crate) async fn connect(
    target: &Target,
    addresses: &[IpAddr],
    tls: &TlsConnector,
    until: Instant,
) -> Result<(Box<dyn Stream>, IpAddr), EgressError> {
    let (tcp, address) = open(addresses, target.port(), until).await?;
    // A request is written as a whole; waiting for more data would only delay it.
    let set = tcp.set_nodelay(true);
    set.map_err(|error| EgressError::Connect(error.into()))?;
    if target.scheme() == Scheme::Http {
        return Ok((Box::new(tcp), address));
    }
    let began = Instant::now();
    let name = server_name(target.host())?;
    match timeout_at(until, tls.connect(name, tcp)).await {
        Ok(Ok(secure)) => Ok((Box::new(secure), address)),
        Ok(Err(error)) => Err(EgressError::of_handshake(error)),
        Err(_) => Err(EgressError::Tls(elapsed("the handshake", began.elapsed()))),
    }
}

/// Tries `addresses` in order, each for an equal share of the time that is left until `until`.
async fn open(
    addresses: &[IpAddr],
    port: u16,
    until: Instant,
) -> Result<(TcpStream, IpAddr), EgressError> {
    let began = Instant::now();
    let mut last_error: Option<io::Error> = None;
    for (position, address) in addresses.iter().enumerate() {
        let untried = addresses.len().saturating_sub(position);
        let share = part(until.saturating_duration_since(Instant::now()), untried);
        let socket = SocketAddr::new(*address, port);
        match timeout_at(Instant::now() + share, TcpStream::connect(socket)).await {
            Ok(Ok(stream)) => return Ok((stream, *address)),
            Ok(Err(error)) => last_error = Some(error),
            // Timed out: tries the next address.
            Err(_) => {}
        }
    }
    let late = || elapsed("connecting", began.elapsed());
    let error = last_error.map_or_else(late, Into::into);
    Err(EgressError::Connect(error))
}

fn part(time: Duration, parts: usize) -> Duration {
    let parts = u32::try_from(parts).unwrap_or(u32::MAX);
    time.checked_div(parts).unwrap_or(time)
}

fn server_name(host: &Host) -> Result<ServerName<'static>, EgressError> {
    match host {
        Host::Address(address) => Ok(ServerName::IpAddress((*address).into())),
        Host::Name(name) => {
            let ascii = crate::names::ascii(name)?;
            ServerName::try_from(ascii).map_err(|error| EgressError::Tls(error.into()))
        }
    }
}
