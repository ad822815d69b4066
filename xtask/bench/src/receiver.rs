//! A receiver of webhooks that takes everything.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;

use crate::BenchError;

const RESPONSE: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
/// Sockets that one wait reports at most; the others are reported by the next one.
const EVENTS: usize = 64;
/// What the listener is reported by; connections have the numbers from 1 on.
const LISTENER: u64 = 0;
/// Time between two looks at how many requests have come.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A receiver at an address of this machine, which runs until the bench ends. One thread serves all connections, so that
/// it takes little from what is measured.
pub(crate) struct Receiver {
    address: SocketAddr,
    /// Requests that have come so far.
    received: Arc<AtomicU64>,
}

impl Receiver {
    /// Starts a receiver.
    pub(crate) fn start() -> Result<Self, BenchError> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let receiver = Self {
            address: listener.local_addr()?,
            received: Arc::default(),
        };
        let mut serving = Serving {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            listener,
            connections: HashMap::new(),
            last: LISTENER,
            received: Arc::clone(&receiver.received),
        };
        let data = EventData::new_u64(LISTENER);
        epoll::add(&serving.epoll, &serving.listener, data, EventFlags::IN)?;
        // A receiver that fails is noticed by what waits for requests.
        thread::spawn(move || serving.run());
        Ok(receiver)
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// A URL at which it takes events.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// How many requests have come so far.
    pub(crate) fn count(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Waits until so many requests have come since the start.
    ///
    /// # Errors
    /// They do not come in time.
    pub(crate) fn wait_for(&self, count: u64, limit: Duration) -> Result<(), BenchError> {
        let begin = Instant::now();
        while self.count() < count {
            if begin.elapsed() > limit {
                let got = self.count();
                return Err(format!("{got} of {count} events came within {limit:?}").into());
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

/// What the thread of a receiver works with.
struct Serving {
    epoll: OwnedFd,
    listener: TcpListener,
    connections: HashMap<u64, Connection>,
    /// The number of the latest connection.
    last: u64,
    received: Arc<AtomicU64>,
}

/// A connection, and what was read of its next request.
struct Connection {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Serving {
    fn run(&mut self) -> Result<(), BenchError> {
        let mut ready = Vec::with_capacity(EVENTS);
        loop {
            match epoll::wait(&self.epoll, spare_capacity(&mut ready), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in ready.drain(..) {
                self.serve(event)?;
            }
        }
    }

    fn serve(&mut self, event: Event) -> Result<(), BenchError> {
        let number = event.data.u64();
        if number == LISTENER {
            return self.accept();
        }
        let Some(connection) = self.connections.get_mut(&number) else {
            return Ok(());
        };
        if connection.take(&self.received).is_err() {
            // The sender has ended it, or will see that it is closed.
            self.connections.remove(&number);
        }
        Ok(())
    }

    fn accept(&mut self) -> Result<(), BenchError> {
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        self.last += 1;
        epoll::add(
            &self.epoll,
            &stream,
            EventData::new_u64(self.last),
            EventFlags::IN,
        )?;
        let bytes = Vec::new();
        self.connections
            .insert(self.last, Connection { stream, bytes });
        Ok(())
    }
}

impl Connection {
    /// Reads what has arrived once, and counts and responds to each request that is complete.
    fn take(&mut self, received: &AtomicU64) -> Result<(), BenchError> {
        let mut chunk = [0_u8; 16 * 1024];
        let count = match self.stream.read(&mut chunk) {
            Ok(0) => return Err("the sender has closed a connection".into()),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        self.bytes
            .extend_from_slice(chunk.get(..count).unwrap_or_default());
        while let Some(length) = length(&self.bytes)? {
            self.bytes.drain(..length);
            received.fetch_add(1, Ordering::Relaxed);
            self.stream.write_all(RESPONSE)?;
        }
        Ok(())
    }
}

/// The length of the first request, head included; nothing while it is not complete.
fn length(bytes: &[u8]) -> Result<Option<usize>, BenchError> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = request.parse(bytes)? else {
        return Ok(None);
    };
    let mut headers = request.headers.iter();
    let length = headers.find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.ok_or("a request names no length")?;
    let body: usize = std::str::from_utf8(length.value)?.parse()?;
    Ok(Some(head + body).filter(|length| *length <= bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_each_request_once_whole_or_in_parts() {
        let receiver = Receiver::start().unwrap();
        let mut stream = TcpStream::connect(receiver.address).unwrap();
        let request = b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
        stream.write_all(&request[..25]).unwrap();
        stream.write_all(&request[25..]).unwrap();
        stream.write_all(&[&request[..], request].concat()).unwrap();
        let mut responses = vec![0; 3 * RESPONSE.len()];
        stream.read_exact(&mut responses).unwrap();
        assert_eq!(responses, RESPONSE.repeat(3));
        assert_eq!(receiver.count(), 3);
        assert!(receiver.wait_for(3, Duration::ZERO).is_ok());
        assert!(receiver.wait_for(4, Duration::ZERO).is_err());
    }
}
