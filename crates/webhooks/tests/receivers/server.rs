//! HTTP and TLS receivers on this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: String,
    /// Number of the request at its receiver, from 1.
    pub(crate) number: usize,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .unwrap()
            .1
    }

    pub(crate) fn sequence(&self) -> u64 {
        self.header("webhook-id")
            .rsplit('_')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    pub(crate) fn is_of(&self, order: &str) -> bool {
        self.body.contains(order)
    }
}

/// Reaction of a receiver to a request.
pub(crate) enum Answer {
    /// Writes these bytes after a delay.
    After(Duration, Vec<u8>),
    /// Writes these bytes, then a body without end while the client reads it.
    Endless(Vec<u8>),
    /// Writes these bytes and closes the connection.
    Close(Vec<u8>),
    Reset,
}

pub(crate) fn status(status: u16) -> Answer {
    with_headers(status, "")
}

pub(crate) fn with_headers(status: u16, headers: &str) -> Answer {
    let head = format!("HTTP/1.1 {status} Some Reason\r\n{headers}content-length: 2\r\n\r\nok");
    Answer::After(Duration::ZERO, head.into_bytes())
}

/// A receiver that stops with the test's runtime.
#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    pub(crate) port: u16,
    taken: Arc<Mutex<Vec<Received>>>,
}

pub(crate) type Decide = Arc<dyn Fn(&Received) -> Answer + Send + Sync>;

impl Receiver {
    pub(crate) async fn new(decide: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        Self::listen(IpAddr::V4(Ipv4Addr::LOCALHOST), None, Arc::new(decide)).await
    }

    pub(crate) async fn on_ipv6() -> Self {
        let decide = |_: &Received| status(200);
        Self::listen(IpAddr::V6(Ipv6Addr::LOCALHOST), None, Arc::new(decide)).await
    }

    /// Returns a receiver with an untrusted certificate.
    pub(crate) async fn with_wrong_certificate() -> Self {
        // openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=nobody \
        //     -addext subjectAltName=IP:127.0.0.1 -keyout unknown.key -out unknown.pem
        let certificate = CertificateDer::from_pem_slice(include_bytes!("unknown.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("unknown.key")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let tls = TlsAcceptor::from(Arc::new(config));
        let decide = |_: &Received| status(200);
        Self::listen(IpAddr::V4(Ipv4Addr::LOCALHOST), Some(tls), Arc::new(decide)).await
    }

    /// Returns a receiver whose port is closed.
    pub(crate) async fn dead() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        Self::at(listener.local_addr().unwrap(), "http")
    }

    fn at(address: SocketAddr, scheme: &str) -> Self {
        Self {
            url: format!("{scheme}://{address}/hooks?key=1"),
            port: address.port(),
            taken: Arc::default(),
        }
    }

    async fn listen(address: IpAddr, tls: Option<TlsAcceptor>, decide: Decide) -> Self {
        let listener = TcpListener::bind((address, 0)).await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let receiver = Self::at(listener.local_addr().unwrap(), scheme);
        let taken = receiver.taken.clone();
        let count = Arc::new(AtomicUsize::new(0));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (decide, taken, count) = (decide.clone(), taken.clone(), count.clone());
                let tls = tls.clone();
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, &decide, &taken, &count).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, &decide, &taken, &count).await;
                            }
                        }
                    }
                });
            }
        });
        receiver
    }

    /// Returns the requests that got a success response, in that order.
    pub(crate) fn taken(&self) -> Vec<Received> {
        self.taken.lock().unwrap().clone()
    }

    pub(crate) fn sequences(&self) -> Vec<u64> {
        self.taken().iter().map(Received::sequence).collect()
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {
    fn reset(&self) {}
}

impl Stream for TcpStream {
    fn reset(&self) {
        // With a linger time of zero, closing the socket resets the connection.
        self.set_zero_linger().unwrap();
    }
}

impl Stream for tokio_rustls::server::TlsStream<TcpStream> {}

async fn serve(
    mut stream: impl Stream,
    decide: &Decide,
    taken: &Mutex<Vec<Received>>,
    count: &AtomicUsize,
) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        let request = Received { head, body, number };
        let answer = decide(&request);
        if let Answer::After(_, bytes) | Answer::Endless(bytes) | Answer::Close(bytes) = &answer
            && bytes.starts_with(b"HTTP/1.1 2")
        {
            taken.lock().unwrap().push(request);
        }
        match answer {
            Answer::After(time, bytes) => {
                tokio::time::sleep(time).await;
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Answer::Endless(bytes) => {
                let mut next = bytes;
                while stream.write_all(&next).await.is_ok() {
                    next = vec![b'x'; 16 * 1024];
                }
                return;
            }
            Answer::Close(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
                return;
            }
            Answer::Reset => return stream.reset(),
        }
    }
}

/// Reads a request with a `content-length`. Returns its head and body.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<(String, String)> {
    let mut read = Vec::new();
    loop {
        let end = read.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8(read[..end].to_vec()).unwrap();
            let lower = head.to_lowercase();
            let length = lower
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.unwrap().parse().unwrap();
            let body = &read[end + 4..];
            if body.len() >= length {
                let body = String::from_utf8(body[..length].to_vec()).unwrap();
                return Some((head, body));
            }
        }
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => read.extend_from_slice(&part[..count]),
            _ => return None,
        }
    }
}
