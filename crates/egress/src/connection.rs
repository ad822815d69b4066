//! Connection that carries one request after the other.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::connect::Stream;
use crate::error::{EgressError, elapsed};
use crate::request::Limits;

/// Maximum size of the status line and the headers of a response, in bytes.
const HEAD: usize = 64 * 1024;
/// Maximum number of headers of a response.
const HEADERS: usize = 1000;
/// Maximum time to read the response body of a `POST` request. If reading takes longer, the status
/// of the response still counts, but the connection is not used again.
const BODY_TIME: Duration = Duration::from_secs(2);
/// Maximum time to wait until an idle connection can carry another request. The wait is this long
/// only if the receiver responded before it had read the previous request.
const READY_TIME: Duration = Duration::from_millis(100);

pub(crate) type Request = hyper::Request<Full<Bytes>>;

pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    address: IpAddr,
    received: Arc<AtomicBool>,
    /// Aborted by `drop`, so that a receiver that does not read cannot keep the connection open.
    driver: JoinHandle<()>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connection {
    pub(crate) async fn start(
        stream: Box<dyn Stream>,
        address: IpAddr,
    ) -> Result<Self, EgressError> {
        let received = Arc::new(AtomicBool::new(false));
        let io = TokioIo::new(ObservedStream {
            stream,
            received: Arc::clone(&received),
        });
        let mut builder = http1::Builder::new();
        builder
            .max_buf_size(HEAD)
            .max_header_size(HEAD)
            .max_headers(HEADERS);
        let shaken = builder.handshake(io).await;
        let (sender, connection) = shaken.map_err(EgressError::of_exchange)?;
        let driver = tokio::spawn(async move {
            // The request in progress gets the error.
            let _ = connection.await;
        });
        Ok(Self {
            sender,
            address,
            received,
            driver,
        })
    }

    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    pub(crate) async fn is_ready(&mut self) -> bool {
        matches!(timeout(READY_TIME, self.sender.ready()).await, Ok(Ok(())))
    }

    /// Returns whether a byte has arrived since the last [`send`](Self::send) began.
    pub(crate) fn has_received(&self) -> bool {
        self.received.load(Ordering::Relaxed)
    }

    pub(crate) async fn send(
        &mut self,
        request: Request,
        timeout: Duration,
        deadline: Instant,
    ) -> Result<hyper::Response<Incoming>, EgressError> {
        // `has_received` must not count the bytes of the previous response.
        self.received.store(false, Ordering::Relaxed);
        let sent = timeout_at(deadline, self.sender.send_request(request)).await;
        let response = sent.map_err(|_| EgressError::Timeout(elapsed("the request", timeout)))?;
        response.map_err(EgressError::of_exchange)
    }
}

/// Returns the first `limits.kept` bytes, and whether `body` ended within `limits.read` bytes,
/// `deadline` and [`BODY_TIME`]. A truncated body is not an error: the status was received.
pub(crate) async fn read_start(
    mut body: Incoming,
    limits: Limits,
    deadline: Instant,
) -> (Vec<u8>, bool) {
    let until = deadline.min(Instant::now() + BODY_TIME);
    let mut start = Vec::new();
    let mut read = 0usize;
    while read < limits.read {
        let frame = match timeout_at(until, body.frame()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(None) => return (start, true),
            Ok(Some(Err(_))) | Err(_) => return (start, false),
        };
        // Skips trailers.
        let Some(data) = frame.data_ref() else {
            continue;
        };
        read = read.saturating_add(data.len());
        let wanted = limits.kept.saturating_sub(start.len());
        start.extend(data.iter().take(wanted));
    }
    (start, false)
}

struct ObservedStream {
    stream: Box<dyn Stream>,
    received: Arc<AtomicBool>,
}

impl AsyncRead for ObservedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            self.received.store(true, Ordering::Relaxed);
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for ObservedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
