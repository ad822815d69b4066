//! A connection of the load generator.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::error::BenchError;
use crate::http::Head;

/// Time limit of a response. The measurement fails if it is exceeded.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);

pub(super) struct Connection {
    pub(super) stream: TcpStream,
    received: Vec<u8>,
    pub(super) pending: Option<Pending>,
}

pub(super) struct Pending {
    pub(super) request: usize,
    pub(super) sent: usize,
    pub(super) due: Instant,
}

impl Connection {
    pub(super) fn open(address: SocketAddr) -> Result<Self, BenchError> {
        let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
        // Requests are written in one piece: waiting for more bytes would only delay them.
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            received: Vec::with_capacity(16 * 1024),
            pending: None,
        })
    }

    /// Sends as much of `request` as the socket accepts. Returns whether all of it is sent.
    pub(super) fn send(&mut self, request: &[u8]) -> Result<bool, BenchError> {
        let Some(pending) = &mut self.pending else {
            return Ok(true);
        };
        while let Some(rest) = request.get(pending.sent..).filter(|rest| !rest.is_empty()) {
            match self.stream.write(rest) {
                Ok(count) => pending.sent += count,
                // The socket's buffer is full; epoll reports when there is room again.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Reads available bytes. Once the response is complete, returns it with the time since its
    /// request was due.
    pub(super) fn receive(&mut self) -> Result<Option<(Head, Duration)>, BenchError> {
        let mut chunk = [0_u8; 16 * 1024];
        loop {
            let count = match self.stream.read(&mut chunk) {
                Ok(0) => return Err("the server closed a connection within a response".into()),
                Ok(count) => count,
                // The response is incomplete; epoll reports when more bytes arrive.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            self.received
                .extend_from_slice(chunk.get(..count).unwrap_or_default());
            if let Some(received) = self.complete()? {
                return Ok(Some(received));
            }
            // The socket is empty; epoll reports it again when more bytes arrive.
            if count < chunk.len() {
                return Ok(None);
            }
        }
    }

    fn complete(&mut self) -> Result<Option<(Head, Duration)>, BenchError> {
        let head = Head::parse(&self.received)?;
        let Some(head) = head.filter(|head| self.received.len() >= head.length + head.body) else {
            return Ok(None);
        };
        let pending = self.pending.take();
        // A connection has one request at a time, so no bytes of another response follow.
        self.received.clear();
        // From the due time, not from sending, so that waiting for a connection counts.
        let latency = pending.map_or(Duration::ZERO, |pending| pending.due.elapsed());
        Ok(Some((head, latency)))
    }
}
