//! Receivers, a resolver with predefined answers, and clients for both.

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

/// A receiver that stops with the test's runtime.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Receiver {
    /// Listens at `listen` and handles each connection with `serve`.
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

    /// Responds to every request with the bytes `answer`.
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

    /// Responds to a request of each connection with `answer`, then closes the connection.
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

    /// Listens at an address that no client may connect to.
    pub(crate) async fn canary(listen: SocketAddr) -> Self {
        Self::serve(listen, |_| async {}).await
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// URL of the receiver, with a host name.
    pub(crate) fn url(&self) -> String {
        format!("http://hooks.example:{}/p", self.port())
    }

    /// Policy that permits the receiver's address and port.
    pub(crate) fn policy(&self) -> UrlPolicy {
        UrlPolicy::new(vec![Network::from(self.address.ip())], vec![self.port()])
    }

    /// Posts to the receiver with a new client that resolves every name to the receiver's address.
    pub(crate) async fn post(&self) -> Result<Response, EgressError> {
        let client = client(Answers::always(&[self.address.ip()]));
        post(&client, &self.url(), &self.policy()).await
    }
}

/// A free port of this machine.
pub(crate) fn local() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// Reads a request; `None` if the connection ends first.
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

/// A resolver with predefined `answers`: each is used once, the last again and again.
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

/// Returns the status, or the name of the error.
pub(crate) fn name_of(result: &Result<Response, EgressError>) -> String {
    match result {
        Ok(response) => response.status().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Advances the runtime's clock by `time`, so that timers fire. The clock is paused only meanwhile:
/// a paused clock runs ahead while a task waits for a socket.
pub(crate) async fn pass(time: Duration) {
    // Newly spawned tasks set their timers first.
    tokio::task::yield_now().await;
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
