//! The load generator: keep-alive connections, each of which sends its next request when it has its
//! response. One thread serves them all, so that it takes little from what it measures.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::BenchError;
use crate::figures::Latencies;
use crate::http::Head;
use crate::process;

/// How long the slowest response may take before the measurement is given up.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What to send, and for how long.
pub(crate) struct Load<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    /// No request begins later.
    pub(crate) duration: Duration,
    pub(crate) requests: &'a [Vec<u8>],
    /// Whether to start again after the last request; otherwise the load ends with it.
    pub(crate) repeat: bool,
}

/// The result of a load.
#[derive(Debug, Default)]
pub(crate) struct LoadResult {
    /// From the first request to the last response.
    pub(crate) seconds: f64,
    pub(crate) latencies: Latencies,
    /// How many responses had which status.
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// CPU seconds that this process took.
    pub(crate) own_cpu: f64,
}

impl LoadResult {
    /// Responses, whatever their status.
    pub(crate) fn responses(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// The result, where all responses had this status.
    ///
    /// # Errors
    /// Where others came, or none at all.
    pub(crate) fn all(self, status: u16) -> Result<Self, BenchError> {
        if self.responses() > 0 && self.statuses.keys().all(|given| *given == status) {
            return Ok(self);
        }
        Err(format!(
            "expected only responses of status {status}, got {:?}",
            self.statuses
        )
        .into())
    }
}

impl<'a> Load<'a> {
    /// Sends each request once, as far as the time allows.
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
        }
    }

    /// Sends the load.
    ///
    /// # Errors
    /// Where the server cannot be reached, gives no response in time, or one that cannot be read.
    pub(crate) fn run(&self) -> Result<LoadResult, BenchError> {
        let mut connections = (0..self.connections)
            .map(|_| Connection::open(self.address))
            .collect::<Result<Vec<Connection>, BenchError>>()?;
        let mut result = LoadResult::default();
        let cpu = process::own_cpu()?;
        let begin = Instant::now();
        let mut next = 0;
        for connection in &mut connections {
            self.send_next(connection, &mut next, begin)?;
        }
        while connections
            .iter()
            .any(|connection| connection.pending.is_some())
        {
            for at in ready(&connections)? {
                let Some(connection) = connections.get_mut(at) else {
                    continue;
                };
                self.serve(connection, &mut next, begin, &mut result)?;
            }
        }
        result.seconds = begin.elapsed().as_secs_f64();
        result.own_cpu = process::own_cpu()? - cpu;
        Ok(result)
    }

    /// Continues with a connection whose socket is ready.
    fn serve(
        &self,
        connection: &mut Connection,
        next: &mut usize,
        begin: Instant,
        result: &mut LoadResult,
    ) -> Result<(), BenchError> {
        if let Some(pending) = connection
            .pending
            .as_ref()
            .filter(|pending| pending.sent < pending.length)
        {
            let request = self
                .requests
                .get(pending.request)
                .map_or(&[][..], Vec::as_slice);
            return connection.send(request);
        }
        let Some((status, latency)) = connection.receive(self.address)? else {
            return Ok(());
        };
        result.latencies.push(latency);
        *result.statuses.entry(status).or_default() += 1;
        self.send_next(connection, next, begin)
    }

    fn send_next(
        &self,
        connection: &mut Connection,
        next: &mut usize,
        begin: Instant,
    ) -> Result<(), BenchError> {
        if begin.elapsed() >= self.duration {
            return Ok(());
        }
        if self.repeat && *next >= self.requests.len() {
            *next = 0;
        }
        let Some(request) = self.requests.get(*next) else {
            return Ok(());
        };
        connection.pending = Some(Pending {
            request: *next,
            sent: 0,
            length: request.len(),
            begin: Instant::now(),
        });
        *next += 1;
        connection.send(request)
    }
}

/// A connection.
struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
    /// The request that is under way.
    pending: Option<Pending>,
}

struct Pending {
    request: usize,
    /// How many of its bytes are sent, and how many there are.
    sent: usize,
    length: usize,
    begin: Instant,
}

impl Connection {
    fn open(address: SocketAddr) -> Result<Self, BenchError> {
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
    fn send(&mut self, request: &[u8]) -> Result<(), BenchError> {
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
    fn receive(&mut self, address: SocketAddr) -> Result<Option<(u16, Duration)>, BenchError> {
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

/// Waits until sockets of pending connections have something to do, and says which.
fn ready(connections: &[Connection]) -> Result<Vec<usize>, BenchError> {
    let pending = connections
        .iter()
        .enumerate()
        .filter_map(|(at, connection)| {
            Some((at, &connection.stream, connection.pending.as_ref()?))
        });
    let (places, mut watched): (Vec<usize>, Vec<PollFd<'_>>) = pending
        .map(|(at, stream, pending)| {
            let awaited = if pending.sent < pending.length {
                PollFlags::OUT
            } else {
                PollFlags::IN
            };
            (at, PollFd::new(stream, awaited))
        })
        .unzip();
    let timeout = Timespec {
        tv_sec: TIMEOUT.as_secs().cast_signed(),
        tv_nsec: 0,
    };
    match poll(&mut watched, Some(&timeout)) {
        Ok(0) => Err("no response within 30 s".into()),
        Ok(_) => {
            let events = places
                .iter()
                .zip(&watched)
                .filter(|(_, watched)| !watched.revents().is_empty());
            Ok(events.map(|(at, _)| *at).collect())
        }
        Err(rustix::io::Errno::INTR) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Serves connections that each send `GET`s, and responds with the status that the path names.
    fn server(connections: usize) -> (SocketAddr, Vec<thread::JoinHandle<()>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let accept = thread::spawn(move || {
            for _ in 0..connections {
                let (mut stream, _) = listener.accept().unwrap();
                thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(count @ 1..) = stream.read(&mut bytes) {
                        let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                        let status = text.split(['/', ' ']).nth(2).unwrap().to_owned();
                        // In two parts, as a network may deliver it.
                        write!(stream, "HTTP/1.1 {status} X\r\nContent-").unwrap();
                        write!(stream, "Length: 2\r\n\r\nok").unwrap();
                    }
                });
            }
        });
        (address, vec![accept])
    }

    fn load(requests: &[Vec<u8>], repeat: bool, duration: Duration) -> LoadResult {
        let (address, _threads) = server(3);
        Load {
            address,
            connections: 3,
            duration,
            requests,
            repeat,
        }
        .run()
        .unwrap()
    }

    #[test]
    fn sends_each_request_once_and_counts_the_answers() {
        let requests: Vec<_> = (0..50)
            .map(|i| crate::request::get(if i % 5 == 0 { "/404" } else { "/200" }))
            .collect();
        let result = load(&requests, false, Duration::from_secs(20));
        assert_eq!(result.statuses, BTreeMap::from([(200, 40), (404, 10)]));
        assert!(result.latencies.percentile(1) > 0.0);
        assert!(result.all(200).is_err());
    }

    #[test]
    fn repeats_until_the_time_is_over() {
        let result = load(
            &[crate::request::get("/200")],
            true,
            Duration::from_millis(50),
        );
        assert!(result.responses() > 3, "{result:?}");
        assert!(result.seconds >= 0.05);
    }

    #[test]
    fn a_server_that_goes_away_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let thread = thread::spawn(move || drop(listener.accept()));
        let requests = [crate::request::get("/200")];
        let load = Load {
            address,
            connections: 1,
            duration: Duration::from_secs(5),
            requests: &requests,
            repeat: false,
        };
        assert!(load.run().is_err());
        thread.join().unwrap();
    }
}
