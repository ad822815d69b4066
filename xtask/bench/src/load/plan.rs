//! The requests of a load, and how they are sent.

use std::net::SocketAddr;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct Load<'a> {
    pub(super) address: SocketAddr,
    pub(super) connections: usize,
    /// Time limit for the start of a request.
    pub(super) duration: Duration,
    pub(super) requests: &'a [Vec<u8>],
    /// Whether to start over after the last request; otherwise the load ends.
    pub(super) repeat: bool,
    /// Time between two requests of the open loop; `None` in a closed loop.
    pub(super) interval: Option<Duration>,
    pub(super) threads: usize,
}

impl<'a> Load<'a> {
    /// Sends each request once, within `duration`.
    pub(crate) fn once(
        address: SocketAddr,
        connections: usize,
        duration: Duration,
        requests: &'a [Vec<u8>],
    ) -> Self {
        Self {
            address,
            connections,
            duration,
            requests,
            repeat: false,
            interval: None,
            threads: 1,
        }
    }

    /// Starts over with the first request after the last.
    pub(crate) fn repeated(mut self) -> Self {
        self.repeat = true;
        self
    }

    /// Makes it an open loop with `rate` due requests per second. Latencies count from the time
    /// when a request is due, so that waiting for a connection is included.
    pub(crate) fn paced(mut self, rate: f64) -> Self {
        self.interval = Some(Duration::from_secs_f64(1.0 / rate.max(0.001)));
        self
    }

    /// Uses `threads` threads. They take turns at the requests.
    pub(crate) fn by_threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, self.connections.max(1));
        self
    }
}
