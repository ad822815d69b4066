//! The load generator. In a closed loop each keep-alive connection sends its next request when it
//! has its response; in an open loop requests are due at fixed times, whatever the server does. One
//! thread serves all connections, so that it takes little from what it measures.

mod connection;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::BenchError;
use crate::figures::Latencies;
use crate::process;
use connection::{Connection, Pending};

/// How long the slowest response may take before the measurement is given up.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What to send, and for how long.
pub(crate) struct Load<'a> {
    address: SocketAddr,
    connections: usize,
    /// No request begins later.
    duration: Duration,
    requests: &'a [Vec<u8>],
    /// Whether to start again after the last request; otherwise the load ends with it.
    repeat: bool,
    /// Time between the moments at which two requests are due; none in a closed loop.
    interval: Option<Duration>,
}

/// The result of a load.
#[derive(Debug, Default)]
pub(crate) struct LoadResult {
    /// From the first request to the last response.
    pub(crate) seconds: f64,
    /// By the status of the response.
    pub(crate) latencies: BTreeMap<u16, Latencies>,
    /// CPU seconds that this process took.
    pub(crate) own_cpu: f64,
}

impl LoadResult {
    /// How many responses had which status.
    pub(crate) fn statuses(&self) -> BTreeMap<u16, usize> {
        let each = self.latencies.iter();
        each.map(|(status, latencies)| (*status, latencies.count()))
            .collect()
    }

    /// Responses, whatever their status.
    pub(crate) fn responses(&self) -> usize {
        self.latencies.values().map(Latencies::count).sum()
    }

    /// Latencies of the responses of one status.
    pub(crate) fn of(&self, status: u16) -> Latencies {
        self.latencies.get(&status).cloned().unwrap_or_default()
    }

    /// The part of the responses that had this status.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a count of responses is far below 2^52"
    )]
    pub(crate) fn share_of(&self, status: u16) -> f64 {
        self.of(status).count() as f64 / self.responses().max(1) as f64
    }

    /// The result, where all responses had this status.
    ///
    /// # Errors
    /// Where others came, or none at all.
    pub(crate) fn all(self, status: u16) -> Result<Self, BenchError> {
        if self.responses() > 0 && self.latencies.keys().all(|given| *given == status) {
            return Ok(self);
        }
        Err(format!(
            "expected only responses of status {status}, got {:?}",
            self.statuses()
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
            interval: None,
        }
    }

    /// The same, beginning with the first request again after the last one.
    pub(crate) fn repeated(mut self) -> Self {
        self.repeat = true;
        self
    }

    /// The same in an open loop: so many requests are due each second. Latencies count from the
    /// moment at which a request is due, so that they contain the time it waits for a connection.
    pub(crate) fn paced(mut self, rate: f64) -> Self {
        self.interval = Some(Duration::from_secs_f64(1.0 / rate.max(0.001)));
        self
    }

    /// Sends the load.
    ///
    /// # Errors
    /// Where the server cannot be reached, gives no response in time, or one that cannot be read.
    pub(crate) fn run(&self) -> Result<LoadResult, BenchError> {
        let connections = (0..self.connections)
            .map(|_| Connection::open(self.address))
            .collect::<Result<Vec<Connection>, BenchError>>()?;
        let cpu = process::own_cpu()?;
        let mut running = Running {
            load: self,
            idle: (0..connections.len()).collect(),
            connections,
            begin: Instant::now(),
            next: 0,
            result: LoadResult::default(),
        };
        running.send_due()?;
        while running.pending() || running.due().is_some() {
            for at in running.ready()? {
                running.serve(at)?;
            }
            running.send_due()?;
        }
        let mut result = running.result;
        result.seconds = running.begin.elapsed().as_secs_f64();
        result.own_cpu = process::own_cpu()? - cpu;
        Ok(result)
    }
}

/// A load that is being sent.
struct Running<'a> {
    load: &'a Load<'a>,
    connections: Vec<Connection>,
    /// Indexes of the connections without a request. The one that is idle for longest is used next:
    /// the server closes a connection that sends nothing in its first 5 s.
    idle: VecDeque<usize>,
    begin: Instant,
    /// Number of the next request, from 0.
    next: u32,
    result: LoadResult,
}

impl Running<'_> {
    fn pending(&self) -> bool {
        self.idle.len() < self.connections.len()
    }

    /// When the next request is due; none where there is no further one.
    fn due(&self) -> Option<Instant> {
        let due = match self.load.interval {
            Some(interval) => self.begin + interval * self.next,
            None => Instant::now(),
        };
        let left = self.load.repeat || (self.next as usize) < self.load.requests.len();
        (left && due < self.begin + self.load.duration).then_some(due)
    }

    /// Sends the requests that are due, as far as connections are idle.
    fn send_due(&mut self) -> Result<(), BenchError> {
        while let Some(at) = self.idle.front().copied() {
            let Some(due) = self.due().filter(|due| *due <= Instant::now()) else {
                return Ok(());
            };
            let request = self.next as usize % self.load.requests.len().max(1);
            let (Some(bytes), Some(connection)) = (
                self.load.requests.get(request),
                self.connections.get_mut(at),
            ) else {
                return Err("a load has no requests".into());
            };
            connection.pending = Some(Pending {
                request,
                sent: 0,
                length: bytes.len(),
                begin: due,
            });
            connection.send(bytes)?;
            self.idle.pop_front();
            self.next += 1;
        }
        Ok(())
    }

    /// Continues with a connection whose socket is ready.
    fn serve(&mut self, at: usize) -> Result<(), BenchError> {
        let Some(connection) = self.connections.get_mut(at) else {
            return Ok(());
        };
        if let Some(pending) = connection
            .pending
            .as_ref()
            .filter(|pending| pending.sent < pending.length)
        {
            let request = self.load.requests.get(pending.request);
            return connection.send(request.map_or(&[][..], Vec::as_slice));
        }
        let Some((status, latency)) = connection.receive(self.load.address)? else {
            return Ok(());
        };
        self.result
            .latencies
            .entry(status)
            .or_default()
            .push(latency);
        self.idle.push_back(at);
        Ok(())
    }

    /// Waits until sockets of pending connections have something to do, or the next request is due
    /// on an idle connection. Returns the indexes of these connections.
    fn ready(&self) -> Result<Vec<usize>, BenchError> {
        let next = self.due().filter(|_| !self.idle.is_empty());
        let wait = next.map(|due| due.saturating_duration_since(Instant::now()));
        let pending = self
            .connections
            .iter()
            .enumerate()
            .filter_map(|(at, connection)| {
                Some((at, &connection.stream, connection.pending.as_ref()?))
            });
        let (indexes, mut watched): (Vec<usize>, Vec<PollFd<'_>>) = pending
            .map(|(at, stream, pending)| {
                let awaited = if pending.sent < pending.length {
                    PollFlags::OUT
                } else {
                    PollFlags::IN
                };
                (at, PollFd::new(stream, awaited))
            })
            .unzip();
        let timeout = wait.unwrap_or(TIMEOUT);
        let timeout = Timespec {
            tv_sec: timeout.as_secs().cast_signed(),
            tv_nsec: timeout.subsec_nanos().into(),
        };
        match poll(&mut watched, Some(&timeout)) {
            Ok(0) if wait.is_none() => Err("no response within 30 s".into()),
            Ok(_) => {
                let events = indexes
                    .iter()
                    .zip(&watched)
                    .filter(|(_, watched)| !watched.revents().is_empty());
                Ok(events.map(|(at, _)| *at).collect())
            }
            Err(rustix::io::Errno::INTR) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
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
        let mut load = Load::once(address, 3, duration, requests);
        load.repeat = repeat;
        load.run().unwrap()
    }

    #[test]
    fn an_open_loop_keeps_its_pace_and_counts_from_the_moment_that_is_due() {
        let (address, _threads) = server(3);
        let requests = [crate::request::get("/200")];
        let load = Load::once(address, 3, Duration::from_millis(200), &requests);
        let result = load.repeated().paced(100.0).run().unwrap();
        assert_eq!(result.responses(), 20);
        // More than one connection can send: the last ones wait, and their wait counts.
        let (address, _threads) = server(1);
        let load = Load::once(address, 1, Duration::from_millis(20), &requests);
        let result = load.repeated().paced(1_000.0).run().unwrap();
        assert_eq!(result.responses(), 20);
        assert!(result.of(200).percentile(100) > 20.0);
    }

    #[test]
    fn sends_each_request_once_and_counts_the_answers() {
        let requests: Vec<_> = (0..50)
            .map(|i| crate::request::get(if i % 5 == 0 { "/404" } else { "/200" }))
            .collect();
        let result = load(&requests, false, Duration::from_secs(20));
        assert_eq!(result.statuses(), BTreeMap::from([(200, 40), (404, 10)]));
        assert!(result.of(200).percentile(1) > 0.0);
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
        let load = Load::once(address, 1, Duration::from_secs(5), &requests);
        assert!(load.run().is_err());
        thread.join().unwrap();
    }
}
