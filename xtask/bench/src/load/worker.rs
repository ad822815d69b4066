//! A thread of the load generator, with its share of the connections and requests.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;

use super::connection::{Connection, Pending, TIMEOUT};
use super::plan::Load;
use crate::error::BenchError;
use crate::figures::Latencies;

/// Maximum number of sockets per `epoll` call. The next call reports the rest.
const EVENTS: usize = 64;

pub(super) struct Worker<'a> {
    load: &'a Load<'a>,
    /// Reports ready sockets, at a cost that does not grow with the number of connections.
    epoll: OwnedFd,
    connections: Vec<Connection>,
    /// Indexes of connections without a request, longest idle first: the server closes a connection
    /// that sends nothing in its first 5 s.
    idle: VecDeque<usize>,
    begin: Instant,
    number: u32,
    /// Number of its next request. Threads take turns, each starting with its own number.
    next: u32,
    latencies: BTreeMap<u16, Latencies>,
}

impl<'a> Worker<'a> {
    pub(super) fn open(load: &'a Load<'a>, number: usize) -> Result<Self, BenchError> {
        let first = u32::try_from(number)?;
        let mut worker = Self {
            load,
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            connections: Vec::new(),
            idle: VecDeque::new(),
            begin: Instant::now(),
            number: first,
            next: first,
            latencies: BTreeMap::new(),
        };
        for at in 0..(number..load.connections).step_by(load.threads).len() {
            let connection = worker.connect(load.address, at)?;
            worker.connections.push(connection);
            worker.idle.push_back(at);
        }
        Ok(worker)
    }

    fn connect(&self, address: SocketAddr, at: usize) -> Result<Connection, BenchError> {
        let connection = Connection::open(address)?;
        // Edge-triggered: reported once when data arrives, and once when there is room to write.
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::ET;
        let data = EventData::new_u64(at as u64);
        epoll::add(&self.epoll, &connection.stream, data, flags)?;
        Ok(connection)
    }

    /// Sends the thread's share of the load. Returns latencies by response status.
    pub(super) fn run(mut self, begin: Instant) -> Result<BTreeMap<u16, Latencies>, BenchError> {
        self.begin = begin;
        let mut ready = Vec::with_capacity(EVENTS);
        self.send_due()?;
        while self.pending() || self.due().is_some() {
            self.wait(&mut ready)?;
            for event in ready.drain(..) {
                self.serve(usize::try_from(event.data.u64())?)?;
            }
            self.send_due()?;
        }
        Ok(self.latencies)
    }

    fn pending(&self) -> bool {
        self.idle.len() < self.connections.len()
    }

    /// Time when the next request is due; `None` after the last request.
    fn due(&self) -> Option<Instant> {
        let due = match self.load.interval {
            Some(interval) => self.begin + interval * self.next,
            // The first request is sent even if this thread starts late, so that there is a result.
            None if self.next == self.number => self.begin,
            None => Instant::now(),
        };
        let left = self.load.repeat || (self.next as usize) < self.load.requests.len();
        (left && due < self.begin + self.load.duration).then_some(due)
    }

    /// Sends due requests while there are idle connections.
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
                due,
            });
            connection.send(bytes)?;
            self.idle.pop_front();
            self.next += u32::try_from(self.load.threads)?;
        }
        Ok(())
    }

    fn serve(&mut self, at: usize) -> Result<(), BenchError> {
        let Some(connection) = self.connections.get_mut(at) else {
            return Ok(());
        };
        let Some(request) = connection.pending.as_ref().map(|pending| pending.request) else {
            return Ok(());
        };
        let bytes = self.load.requests.get(request);
        if !connection.send(bytes.map_or(&[][..], Vec::as_slice))? {
            return Ok(());
        }
        let Some((head, latency)) = connection.receive()? else {
            return Ok(());
        };
        self.latencies.entry(head.status).or_default().push(latency);
        if head.close {
            let fresh = self.connect(self.load.address, at)?;
            if let Some(closed) = self.connections.get_mut(at) {
                *closed = fresh;
            }
        }
        self.idle.push_back(at);
        Ok(())
    }

    /// Waits until sockets are ready, or until the next request is due and a connection is idle.
    fn wait(&self, ready: &mut Vec<Event>) -> Result<(), BenchError> {
        let next = self.due().filter(|_| !self.idle.is_empty());
        let wait = next.map(|due| due.saturating_duration_since(Instant::now()));
        let longest = wait.unwrap_or(TIMEOUT);
        let timeout = Timespec {
            tv_sec: longest.as_secs().cast_signed(),
            tv_nsec: longest.subsec_nanos().into(),
        };
        match epoll::wait(&self.epoll, spare_capacity(ready), Some(&timeout)) {
            Ok(0) if wait.is_none() => Err("no response within 30 s".into()),
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
