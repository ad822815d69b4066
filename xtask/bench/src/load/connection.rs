//! One connection of the load generator.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::TIMEOUT;
use crate::BenchError;
use crate::http::Head;

/// A keep-alive connection, which has one request at a time.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    received: Vec<u8>,
    /// The request that is under way.
    pub(super) pending: Option<Pending>,
}

/// A request that is under way.
pub(super) struct Pending {
    /// Its index.
    pub(super) request: usize,
    /// How many of its bytes are sent, and how many there are.
    pub(super) sent: usize,
    pub(super) length: usize,
    /// When it was due.
    pub(super) begin: Instant,
}

impl Connection {
    pub(super) fn open(address: SocketAddr) -> Result<Self, BenchError> {
        let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
        // A request is written whole: waiting for further bytes would only delay it.
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            received: Vec::with_capacity(16 * 1024),
            pending: None,
        })
    }

    /// Sends as much of the rest of a request as the socket takes.
    pub(super) fn send(&mut self, request: &[u8]) -> Result<(), BenchError> {
        let Some(pending) = &mut self.pending else {
            return Ok(());
        };
        while let Some(rest) = request.get(pending.sent..).filter(|rest| !rest.is_empty()) {
            match self.stream.write(rest) {
                Ok(count) => pending.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Takes in what has arrived; returns status and latency once the response is complete.
    pub(super) fn receive(
        &mut self,
        address: SocketAddr,
    ) -> Result<Option<(u16, Duration)>, BenchError> {
        let mut chunk = [0_u8; 16 * 1024];
        match self.stream.read(&mut chunk) {
            Ok(0) => return Err("the server closed a connection within a response".into()),
            Ok(count) => self
                .received
                .extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
        let Some(head) = Head::parse(&self.received)? else {
            return Ok(None);
        };
        if self.received.len() < head.length + head.body {
            return Ok(None);
        }
        let latency = self
            .pending
            .take()
            .map(|pending| pending.begin.elapsed())
            .unwrap_or_default();
        // A connection has one request at a time, so that nothing follows its response.
        self.received.clear();
        if head.close {
            *self = Self::open(address)?;
        }
        Ok(Some((head.status, latency)))
    }
}
