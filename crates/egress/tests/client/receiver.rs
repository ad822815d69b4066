//! Receivers, a resolver with given answers, and clients for them.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use pressline_egress::header::HeaderMap;
use pressline_egress::{Client, EgressError, Limits, Post, Resolver, Response, Trust};
use pressline_kit::url::{Network, UrlPolicy};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A receiver that ends with the test's runtime.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Receiver {
    /// Listens at an address and serves each connection with a function.
    pub(crate) async fn serve<F>(
        listen: SocketAddr,
        serve: impl Fn(TcpStream) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind(listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream));
            }
        });
        Self {
            address,
            connections,
        }
    }

    /// Answers each request of each connection with the same bytes.
    pub(crate) async fn answering(answer: impl Into<Bytes>) -> Self {
        let answer = answer.into();
        let serve = move |mut stream: TcpStream| {
            let answer = answer.clone();
            async move {
                while read_request(&mut stream).await.is_some() {
                    if stream.write_all(&answer).await.is_err() {
                        return;
                    }
                }
            }
        };
        Self::serve(local(), serve).await
    }

    /// Answers each connection once and closes it.
    pub(crate) async fn answering_once(answer: impl Into<Bytes>) -> Self {
        let answer = answer.into();
        let serve = move |mut stream: TcpStream| {
            let answer = answer.clone();
            async move {
                read_request(&mut stream).await;
                let _ = stream.write_all(&answer).await;
                let _ = stream.shutdown().await;
            }
        };
        Self::serve(local(), serve).await
    }

    /// Listens where nothing may connect.
    pub(crate) async fn canary(listen: SocketAddr) -> Self {
        Self::serve(listen, |_| async {}).await
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// A URL of the receiver by name.
    pub(crate) fn url(&self) -> String {
        format!("http://hooks.example:{}/p", self.port())
    }

    /// The policy that permits the receiver's address and port.
    pub(crate) fn policy(&self) -> UrlPolicy {
        UrlPolicy::new(vec![Network::from(self.address.ip())], vec![self.port()])
    }

    /// Posts to the receiver with a client of its own, to which the name means the receiver.
    pub(crate) async fn post(&self) -> Result<Response, EgressError> {
        let client = client(Answers::always(&[self.address.ip()]));
        post(&client, &self.url(), &self.policy()).await
    }
}

/// A free port of this machine.
pub(crate) fn local() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// Reads a request. `None` if the connection ended before one.
pub(crate) async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream
            .read(&mut buffer)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        text.extend_from_slice(&buffer[..read]);
        let request = String::from_utf8_lossy(&text).into_owned();
        let Some((head, body)) = request.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            return Some(request);
        }
    }
}

/// A resolver with given answers: each one once, the last one always.
pub(crate) struct Answers {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    pub(crate) lookups: AtomicUsize,
}

impl Answers {
    pub(crate) fn new(answers: &[&[IpAddr]]) -> Arc<Self> {
        let answers = answers.iter().map(|answer| answer.to_vec()).collect();
        Arc::new(Self {
            answers: Mutex::new(answers),
            lookups: AtomicUsize::new(0),
        })
    }

    pub(crate) fn always(answer: &[IpAddr]) -> Arc<Self> {
        Self::new(&[answer])
    }
}

#[async_trait]
impl Resolver for Answers {
    async fn resolve(&self, _name: &str) -> io::Result<Vec<IpAddr>> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 {
            return Ok(answers.pop_front().unwrap());
        }
        let last = answers.front().cloned();
        last.ok_or_else(|| io::Error::other("no such name"))
    }
}

pub(crate) fn client(resolver: Arc<dyn Resolver>) -> Client {
    Client::new(resolver, Trust::default()).unwrap()
}

/// The request of most tests.
pub(crate) fn request<'a>(url: &'a str, policy: &'a UrlPolicy) -> Post<'a> {
    Post {
        url,
        headers: HeaderMap::new(),
        body: Bytes::from_static(b"{}"),
        policy,
        limits: Limits::new(Duration::from_secs(15)),
    }
}

pub(crate) async fn post(
    client: &Client,
    url: &str,
    policy: &UrlPolicy,
) -> Result<Response, EgressError> {
    client.post(request(url, policy)).await
}

/// The name of the error, or the status.
pub(crate) fn name_of(result: &Result<Response, EgressError>) -> String {
    match result {
        Ok(response) => response.status().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Lets time pass for timers. The clock is only stopped for that moment: where it stays stopped, it
/// runs ahead while a socket is waited for.
pub(crate) async fn pass(time: Duration) {
    // Tasks that were just spawned set their timers first.
    tokio::task::yield_now().await;
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
